"""Which class a member comes from, in the order in which Python looks (C3).

This is the one place that knows what a class inherits: everything that asks for a member of a
class, or for its bases, asks here.
"""

from __future__ import annotations

import abc
import ast
import builtins
import collections
import enum
import functools
import importlib
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.sources.modules import Answer, Module, Sources, definitions_in, find_origin
from omni_codemods.sources.mro import class_order
from omni_codemods.sources.self_use import Assignment, read_selves
from omni_codemods.sources.top_level import Binding, iter_bindings
from omni_codemods.text.dotted import last_part

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Bases that are in no tree, and of which the running Python says what they bring.
_TYPES: dict[str, type] = {
    **{name: one for name, one in vars(builtins).items() if isinstance(one, type)},
    "abc.ABC": abc.ABC,
    "collections.OrderedDict": collections.OrderedDict,
    "collections.UserDict": collections.UserDict,
    **{f"enum.{name}": getattr(enum, name) for name in ("Enum", "IntEnum", "Flag", "IntFlag")},
    "enum.StrEnum": enum.Enum,
    "types.SimpleNamespace": types.SimpleNamespace,
}
# Of these nothing is inherited that matters, or what is said here.
_EMPTY: dict[str, frozenset[str]] = {
    "typing.Generic": frozenset(),
    "typing.Protocol": frozenset(),
    "typing_extensions.Protocol": frozenset(),
    "typing.NamedTuple": frozenset(
        {"_replace", "_asdict", "_fields", "_make", "_field_defaults", "count", "index"}
    ),
}
_LIBRARY = frozenset(
    {"argparse", "collections", "contextlib", "enum", "json", "logging", "multiprocessing.process"}
    | {"queue", "string", "threading", "types", "unittest"}
)
# Class decorators that add no attribute of which one would not know.
_PLAIN_DECORATORS = frozenset(
    {"dataclass", "final", "runtime_checkable", "total_ordering", "unique", "config"}
)


@dataclass(frozen=True, slots=True)
class Member:
    """What a class has under a name: *owner* is the dotted class that defines it."""

    answer: Answer
    owner: str = ""
    node: ast.AST | None = None

    @property
    def place(self) -> str:
        """Class, and file with line, for messages."""
        module, _, cls = self.owner.rpartition(".")
        line = getattr(self.node, "lineno", 0)
        name = getattr(self.node, "name", "")
        return f"{cls}.{name} ({module.replace('.', '/')}.py:{line})"


@dataclass(frozen=True, slots=True)
class _Class:
    """A class with what it defines, and what it sets on ``self``.

    *open* says that it may have more than one sees: ``__getattr__``, ``setattr`` with a name that
    is made, a decorator that is not known.
    """

    node: ast.ClassDef
    module: Module
    members: Mapping[str, ast.AST]
    attributes: frozenset[str]
    open: bool
    several: frozenset[str]


_UNKNOWN = Member(Answer.UNKNOWN)
_MISSING = Member(Answer.MISSING)


class Hierarchy:
    """The classes of *sources*; one that they do not hold is known by its dotted path alone."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._orders: dict[str, list[str]] = {}
        self._classes: dict[str, _Class | None] = {}

    def find_member(
        self, cls: str, name: str, *, inherited: bool = False, after: str = ""
    ) -> Member:
        """Find *name* in the class *cls* (dotted) and its bases; *inherited*: in its bases alone,
        *after*: in those that come after this one.

        Unknown where a class that comes first is in none of the sources, or where the name is
        also set on ``self``, or defined anew under a test.
        """
        order = self.order(cls)
        first = order.index(after) + 1 if after in order else int(inherited)
        for dotted in order[first:]:
            found = self._class(dotted)
            if found is None:
                if _brings(dotted, name) is Answer.MISSING:
                    continue
                return _UNKNOWN
            if "__getattr__" in found.members or name in found.attributes or name in found.several:
                return _UNKNOWN
            if name in found.members:
                return Member(Answer.FOUND, dotted, found.members[name])
        return _MISSING

    def find_attribute(self, cls: str, name: str, *, inherited: bool = False) -> Member:
        """Find what the class defines, or sets on ``self``, under *name*.

        The node is that of the definition, or of the first assignment to ``self.name``. Unknown
        where no class that is seen has it, and one is not seen, or may have more than one sees.
        """
        order = self.order(cls)
        answer = Answer.MISSING
        for dotted in order[1:] if inherited else order:
            found = self._class(dotted)
            if found is None:
                brought = _brings(dotted, name)
                if brought is Answer.FOUND:
                    return Member(brought, dotted)
                if brought is Answer.UNKNOWN:
                    answer = Answer.UNKNOWN
                continue
            if name in found.members:
                return Member(Answer.FOUND, dotted, found.members[name])
            if name in found.attributes:
                first = read_selves(found.node).assigned[name][0]
                return Member(Answer.FOUND, dotted, first.node)
            if found.open:
                answer = Answer.UNKNOWN
        return Member(answer)

    def assignments(self, cls: str, name: str) -> Iterator[tuple[str, Assignment]]:
        """Yield what the class and its bases assign to ``self.name``, each with its class."""
        for dotted in self.order(cls):
            found = self._class(dotted)
            if found is not None and name in found.attributes:
                yield from ((dotted, one) for one in read_selves(found.node).assigned[name])

    def defines(self, dotted: str, name: str) -> bool:
        """Whether the class *dotted* itself defines *name*, or sets it on ``self``."""
        found = self._class(dotted)
        return found is not None and (name in found.members or name in found.attributes)

    def unseen(self, cls: str) -> list[str]:
        """Return the bases of which one does not know what they bring."""
        unseen = [one for one in self.order(cls) if self._class(one) is None]
        return [one for one in unseen if one not in _TYPES and one not in _EMPTY]

    def find_class(self, dotted: str) -> ast.ClassDef | None:
        """Return the definition of the class *dotted*, ``None`` where no tree holds it."""
        found = self._class(dotted)
        return None if found is None else found.node

    def order(self, cls: str) -> list[str]:
        """Return the classes in which a member of *cls* is looked for, first to last."""
        dotted = find_origin(cls, self._sources)
        return class_order(dotted, lambda one: list(self._bases(one)), self._orders)

    def _class(self, dotted: str) -> _Class | None:
        if dotted not in self._classes:
            self._classes[dotted] = self._read(dotted)
        return self._classes[dotted]

    def _read(self, dotted: str) -> _Class | None:
        found = self._definition(dotted)
        if found is None:
            return None
        module, node = found
        members = definitions_in(node.body)
        return _Class(
            node,
            module,
            members,
            read_selves(node).stored,
            _is_open(node, members),
            frozenset(_several(node)),
        )

    def _definition(self, dotted: str) -> tuple[Module, ast.ClassDef] | None:
        """The class statement of *dotted*, which may stand in another class."""
        owner, _, name = dotted.rpartition(".")
        module = self._sources.module(owner) if owner else None
        if module is not None:
            node = module.definitions.get(name)
            return (module, node) if isinstance(node, ast.ClassDef) else None
        outer = self._definition(owner) if "." in owner else None
        if outer is None:
            return None
        node = definitions_in(outer[1].body).get(name)
        return (outer[0], node) if isinstance(node, ast.ClassDef) else None

    def _bases(self, dotted: str) -> Iterator[str]:
        found = self._class(dotted)
        if found is None:
            return
        home = self._sources.home_of(dotted)
        for base in found.node.bases:
            head, _, rest = ast.unparse(base).partition("[")[0].partition(".")
            before = _bound_before(found, head)
            if before:
                start = before
            elif head in found.module.definitions:
                start = f"{home}.{head}"
            else:
                start = found.module.imports.get(head) or self._starred(head, home, found.module)
            path = f"{start}.{rest}" if rest else start
            yield find_origin(path, self._sources)

    def _starred(self, name: str, home: str, module: Module) -> str:
        """What a name stands for that only a star import can bring, else the name itself."""
        path = f"{home}.{name}"
        origin = find_origin(path, self._sources) if module.stars else path
        return name if origin == path else origin


def _bound_before(cls: _Class, name: str) -> str:
    """What a class that has the name of its base inherits from: what was imported before it."""
    if cls.node.name != name:
        return ""
    every = cls.module.bindings.get(name, ())
    earlier = [one.path for one in every if one.path and one.node.lineno < cls.node.lineno]
    return earlier[-1] if earlier else ""


def _brings(dotted: str, name: str) -> Answer:
    """Whether a base that is in no tree has the member *name*."""
    if dotted in _EMPTY:
        return Answer.FOUND if name in _EMPTY[dotted] else Answer.MISSING
    library = None if dotted in _TYPES else _of_library(dotted)
    if library is not None:
        # What its methods set on ``self`` is not seen.
        return Answer.FOUND if hasattr(library, name) else Answer.UNKNOWN
    known = _TYPES.get(dotted)
    if known is None:
        return Answer.UNKNOWN
    # What every object has is no answer to a method of a class further on.
    if known is object:
        return Answer.MISSING
    own = any(name in vars(one) for one in known.__mro__ if one is not object)
    return Answer.FOUND if own else Answer.MISSING


@functools.lru_cache(maxsize=512)
def _of_library(dotted: str) -> type | None:
    """The class *dotted* of Python's own library, where it is one of those that do nothing when
    they are imported."""
    module, _, name = dotted.rpartition(".")
    if module not in _LIBRARY:
        return None
    found = getattr(importlib.import_module(module), name, None)
    return found if isinstance(found, type) else None


def _is_open(node: ast.ClassDef, members: Mapping[str, ast.AST]) -> bool:
    if members.keys() & {"__getattr__", "__getattribute__", "__slots__"} or node.keywords:
        return True
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if last_part(ast.unparse(called)) not in _PLAIN_DECORATORS:
            return True
    return read_selves(node).dynamic


def _several(node: ast.ClassDef) -> Iterator[str]:
    """The methods that are defined in more than one way, under tests."""
    found: dict[str, list[Binding]] = {}
    for binding, names in iter_bindings(node.body, ""):
        for name in names:
            found.setdefault(name, []).append(binding)
    for name, every in found.items():
        real = [one for one in every if not one.typing]
        if len(real) > 1 and any(one.guarded for one in real):
            shapes = {_arguments(one.node) for one in real}
            if len(shapes) > 1:
                yield name


def _arguments(node: ast.stmt) -> str:
    return ast.dump(node.args) if isinstance(node, _Function) else type(node).__name__
