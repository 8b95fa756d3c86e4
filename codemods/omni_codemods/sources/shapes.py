"""What kind of thing a dotted name is in a tree of sources, in words: a class, a function..."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.modules import Answer, Sources, find_definition, find_origin, resolve
from omni_codemods.sources.top_level import Binding, Definition, dotted_name, iter_bindings
from omni_codemods.text.dotted import last_part, owner_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Calls that give a class, and calls that give a function.
_MAKES_CLASS = frozenset(
    {"namedtuple", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "make_dataclass"}
)
_MAKES_FUNCTION = frozenset({"partial", "partialmethod", "lru_cache", "cache", "wraps"})
_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})


class Sort(enum.Enum):
    """What a name can be; the value is how a message calls it."""

    CLASS = "a class"
    FUNCTION = "a function"
    MODULE = "a module"
    CONSTANT = "a constant"
    TYPE = "a type alias"
    MADE = "what a call gives"
    DECLARED = "declared without a value"
    OUTSIDE = "imported from another project"
    METHOD = "a method"
    PROPERTY = "a property"
    CLASS_METHOD = "a class method"
    STATIC_METHOD = "a static method"
    ATTRIBUTE = "an attribute"

    @property
    def is_callable(self) -> bool | None:
        """Whether it can be called; ``None`` where that cannot be told."""
        if self in (Sort.MADE, Sort.OUTSIDE, Sort.DECLARED, Sort.TYPE, Sort.ATTRIBUTE):
            return None
        return self not in (Sort.MODULE, Sort.CONSTANT)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a dotted name is: its *sort*, and the dotted *origin* that it is defined as.

    *arms* are what it is under each of several tests or attempts, empty where there is but one;
    *typing* says that only type checkers have it.
    """

    sort: Sort
    origin: str
    node: ast.AST | None = None
    arms: tuple[str, ...] = ()
    typing: bool = False

    @property
    def words(self) -> str:
        """What a message calls it."""
        if self.sort is Sort.MADE:
            return f"what {self._code()} gives"
        if self.is_made:
            return f"{self.sort.value} that {self._code()} makes"
        if self.sort is Sort.OUTSIDE:
            return f"imported from {self.origin}"
        return str(self.sort.value)

    @property
    def is_made(self) -> bool:
        """Whether it is a class or a function that no ``class`` or ``def`` defines."""
        made = self.sort in (Sort.CLASS, Sort.FUNCTION)
        return made and self.node is not None and not isinstance(self.node, Definition)

    def _code(self) -> str:
        value: ast.expr | None = getattr(self.node, "value", None)
        if isinstance(value, ast.Call):
            return f"{ast.unparse(value.func)}(...)"
        return "a lambda" if isinstance(value, ast.Lambda) else "an expression"


def find_shape(path: str, sources: Sources) -> Shape | None:
    """Return what the dotted *path* is, at the top of a module or in a class; ``None`` where it
    is not there, or the sources cannot tell."""
    if resolve(path, sources) is not Answer.FOUND:
        return None
    origin = find_origin(path, sources)
    if sources.module(origin) is not None:
        return Shape(Sort.MODULE, origin)
    node = find_definition(path, sources)
    arms, typing = _read_bindings(path, sources)
    if node is None:
        return Shape(_unseen(origin, sources), origin, None, arms, typing)
    sort = sort_of(node, member=_owner(path, sources) is not None)
    return Shape(sort, origin, node, arms, typing)


def _unseen(origin: str, sources: Sources) -> Sort:
    """What is there without a definition: an import from elsewhere, or set on ``self``."""
    return Sort.ATTRIBUTE if sources.holds(origin) else Sort.OUTSIDE


def sort_of(node: ast.AST, *, member: bool = False) -> Sort:
    """Return what a definition or an assignment makes of its name; *member*: in a class."""
    if isinstance(node, ast.ClassDef):
        return Sort.CLASS
    if isinstance(node, _Function):
        return _bound_as(node) if member else Sort.FUNCTION
    if type(node).__name__ == "TypeAlias":
        return Sort.TYPE
    value: ast.expr | None = getattr(node, "value", None)
    if value is None:
        return Sort.ATTRIBUTE if member else Sort.DECLARED
    found = _sort_of_value(value)
    return Sort.ATTRIBUTE if member and found in (Sort.CONSTANT, Sort.MADE) else found


def _sort_of_value(value: ast.expr) -> Sort:
    if isinstance(value, ast.Lambda):
        return Sort.FUNCTION
    if isinstance(value, ast.Call):
        called = last_part(ast.unparse(value.func))
        if called in _MAKES_CLASS:
            return Sort.CLASS
        return Sort.FUNCTION if called in _MAKES_FUNCTION else Sort.MADE
    if isinstance(value, ast.Subscript) and (dotted_name(value) or [""])[-1][:1].isupper():
        return Sort.TYPE
    if isinstance(value, (ast.Name, ast.Attribute)):
        return Sort.MADE
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) and _names_types(value):
        return Sort.TYPE
    return Sort.CONSTANT


def _names_types(value: ast.expr) -> bool:
    names = [dotted_name(one) for one in ast.walk(value) if isinstance(one, ast.Name)]
    return bool(names) and all(n and (n[-1][:1].isupper() or n[-1] in _PLAIN) for n in names)


_PLAIN = frozenset({"int", "str", "float", "bool", "bytes", "list", "dict", "tuple", "set", "type"})


def _bound_as(node: _Function) -> Sort:
    names = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
    if any(n in _PROPERTIES or n.endswith((".setter", ".getter", ".deleter")) for n in names):
        return Sort.PROPERTY
    if "classmethod" in names:
        return Sort.CLASS_METHOD
    return Sort.STATIC_METHOD if "staticmethod" in names else Sort.METHOD


def _owner(path: str, sources: Sources) -> ast.ClassDef | None:
    """The class that the dotted *path* is a member of."""
    owner = find_definition(owner_of(path), sources)
    return owner if isinstance(owner, ast.ClassDef) else None


def _read_bindings(path: str, sources: Sources) -> tuple[tuple[str, ...], bool]:
    owner, _, name = path.rpartition(".")
    found, cls = sources.module(owner), _owner(path, sources)
    every: tuple[Binding, ...] = ()
    if found is not None:
        every = found.bindings.get(name, ())
    elif cls is not None:
        every = tuple(one for one, names in iter_bindings(cls.body, owner) if name in names)
    typing = bool(every) and all(one.typing for one in every) and not _is_lazy(owner, sources)
    guarded = [one for one in every if not one.typing]
    if not any(one.guarded for one in guarded):
        return (), typing
    return tuple(dict.fromkeys(_arms(guarded))), typing


def _is_lazy(module: str, sources: Sources) -> bool:
    """Whether a module gives names when they are asked for, and imports them for checkers alone."""
    found = sources.module(module)
    return found is not None and "__getattr__" in found.definitions


def _arms(bindings: list[Binding]) -> Iterator[str]:
    for one in bindings:
        line = f"line {one.node.lineno}"
        if one.path:
            yield f"imported from {one.path.rpartition('.')[0] or one.path} ({line})"
        elif isinstance(one.node, Definition):
            yield f"{sort_of(one.node).value} ({line})"
        else:
            value = getattr(one.node, "value", None)
            code = ast.unparse(value) if isinstance(value, ast.expr) else "declared"
            yield f"{code if len(code) <= 30 else 'a value'} ({line})"
