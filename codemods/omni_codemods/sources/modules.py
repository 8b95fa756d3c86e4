"""What a dotted path names in a tree of sources, re-exports followed; nothing is imported."""

from __future__ import annotations

import ast
import enum
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from omni_codemods.sources.mro import class_order
from omni_codemods.sources.self_use import attributes_set_in
from omni_codemods.sources.top_level import (
    Definition,
    Module,
    definitions_in,
    dotted_name,
    parse_module,
)
from omni_codemods.text.dotted import first_part, owner_of

__all__ = [
    "Answer",
    "Module",
    "Read",
    "Signature",
    "Sources",
    "definitions_in",
    "find_definition",
    "find_origin",
    "find_signature",
    "resolve",
]

Read = Callable[[str], str | None]
# For a string: the dotted module and the text of each file that holds it.
Search = Callable[[str], Iterable[tuple[str, str]]]
_DEPTH = 20
# What extension modules are called, of which there is no source.
_COMPILED = "_C"


class Answer(enum.Enum):
    """Whether a name is there. UNKNOWN: the sources cannot tell."""

    FOUND = "found"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a callable; *open* where it takes any keyword."""

    parameters: tuple[str, ...]
    open: bool = False

    def names(self, keyword: str) -> bool:
        """Whether *keyword* is a parameter of its own."""
        return keyword in self.parameters

    def accepts(self, keyword: str) -> bool:
        """Whether a call may pass *keyword*."""
        return self.open or self.names(keyword)


@dataclass(slots=True)
class Sources:
    """Source files by path: *readers* maps a root package to what reads ``package/module.py``.

    *search* gives the texts of all files that hold a string; without it nobody knows who calls.
    """

    readers: Mapping[str, Read]
    search: Search | None = None
    _modules: dict[str, Module | None] = field(default_factory=dict)
    # What was asked for before: a port asks for the same few hundred names again and again.
    _origins: dict[str, str] = field(default_factory=dict)
    _answers: dict[str, _Found] = field(default_factory=dict)

    def holds(self, name: str) -> bool:
        """Whether *name* is below a package that the sources hold."""
        return first_part(name) in self.readers

    def module(self, name: str) -> Module | None:
        """Return the module *name*, ``None`` where there is none."""
        if name not in self._modules:
            self._modules[name] = self._load(name)
        return self._modules[name]

    def home_of(self, dotted: str) -> str:
        """Return the module that the class or function *dotted* is in, empty where none is."""
        owner = owner_of(dotted)
        while owner and self.module(owner) is None:
            owner = owner_of(owner)
        return owner

    def text(self, name: str) -> str | None:
        """Return the text of the module *name*, ``None`` where there is none."""
        read = self.readers.get(first_part(name))
        stem = name.replace(".", "/")
        places = (f"{stem}/__init__.py", f"{stem}.py") if read is not None else ()
        return next((text for p in places if read and (text := read(p)) is not None), None)

    def unread(self) -> tuple[str, ...]:
        """Return the modules looked at so far that this Python cannot parse."""
        found = (name for name, one in self._modules.items() if one is not None and not one.parsed)
        return tuple(sorted(found))

    def overlaid(self, name: str, path: str, text: str) -> Sources:
        """Return the same sources with *text* as the module *name*, which stands at *path*.

        What was parsed before is shared, and what is parsed later.
        """
        root = first_part(name)
        beneath = self.readers.get(root)
        self._modules.pop(name, None)

        def read(wanted: str) -> str | None:
            if wanted == path:
                return text
            return None if beneath is None else beneath(wanted)

        return Sources({**self.readers, root: read}, self.search, self._modules)

    def _load(self, name: str) -> Module | None:
        read = self.readers.get(first_part(name))
        if read is None:
            return None
        stem = name.replace(".", "/")
        for path, package in ((f"{stem}/__init__.py", name), (f"{stem}.py", owner_of(name))):
            text = read(path)
            if text is not None:
                return parse_module(text, package)
        return None


def resolve(name: str, sources: Sources) -> Answer:
    """Return whether the dotted path *name* (or ``module:attributes``) names something."""
    return _look_up(name, sources)[0]


def find_signature(name: str, sources: Sources) -> Signature | None:
    """Return the signature of the function, method or class *name*, ``None`` where unknown."""
    dotted = name.replace(":", ".")
    answer, node, _ = _find(dotted, sources, _DEPTH)
    if answer is not Answer.FOUND:
        return None
    if isinstance(node, ast.ClassDef):
        node = _find(f"{dotted}.__init__", sources, _DEPTH)[1]
        return _signature(node, bound=True)
    return _signature(node, bound=False)


def find_definition(name: str, sources: Sources) -> ast.AST | None:
    """Return the definition that the dotted path *name* names, ``None`` where it is not known."""
    return _look_up(name, sources)[1]


def _look_up(name: str, sources: Sources) -> _Found:
    known = sources._answers.get(name)
    if known is None:
        known = sources._answers[name] = _find(name.replace(":", "."), sources, _DEPTH)
    return known


def find_origin(name: str, sources: Sources) -> str:
    """Return the dotted path that *name* is imported from in the end, as far as sources tell."""
    known = sources._origins.get(name)
    if known is None:
        known = sources._origins[name] = _find_origin(name.replace(":", "."), sources)
    return known


def _find_origin(dotted: str, sources: Sources) -> str:
    for _ in range(_DEPTH):
        parts = dotted.split(".")
        cuts = range(len(parts) - 1, 0, -1) if sources.holds(dotted) else ()
        modules = ((cut, sources.module(".".join(parts[:cut]))) for cut in cuts)
        cut, module = next(((c, m) for c, m in modules if m is not None), (0, None))
        if module is None:
            break
        if parts[cut] in module.definitions:
            alias = _follow_alias(parts[cut], [], module, sources, _DEPTH)
            if alias is None:
                break
            start: str | None = ".".join([*parts[:cut], module.aliases[parts[cut]]])
        else:
            start = module.imports.get(parts[cut]) or _find_star(parts[cut], module, sources)
        if start is None:
            break
        dotted = ".".join([start, *parts[cut + 1 :]])
    return dotted


def _find_star(name: str, module: Module, sources: Sources) -> str | None:
    """The dotted path of what a star import of *module* brings as *name*."""
    paths = (f"{star}.{name}" for star in module.stars)
    return next((path for path in paths if resolve(path, sources) is Answer.FOUND), None)


# What a path names: whether it is there, its definition, and the module that this stands in.
_Found = tuple[Answer, ast.AST | None, Module | None]
_MISSING: _Found = (Answer.MISSING, None, None)
_UNKNOWN: _Found = (Answer.UNKNOWN, None, None)


def _find(name: str, sources: Sources, depth: int) -> _Found:
    if not sources.holds(name) or depth == 0:
        return _UNKNOWN
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        module = sources.module(".".join(parts[:cut]))
        if module is not None:
            return _find_in_module(module, parts[cut:], sources, depth)
    return _MISSING


def _find_in_module(module: Module, path: list[str], sources: Sources, depth: int) -> _Found:
    if not path:
        return Answer.FOUND, None, None
    if not module.parsed:
        return _UNKNOWN
    head, *rest = path
    if head in module.definitions:
        alias = _follow_alias(head, rest, module, sources, depth)
        if alias is not None:
            return alias
        return _find_member(module.definitions[head], rest, module, sources, depth)
    if head in module.imports:
        origin = ".".join([module.imports[head], *rest])
        # Imported from a package that is not at hand, or from what is compiled: the name is bound,
        # and that is all.
        if not sources.holds(origin) or _COMPILED in origin.split("."):
            return (Answer.UNKNOWN if rest else Answer.FOUND), None, None
        return _find(origin, sources, depth - 1)
    return _find_in_stars(module, path, sources, depth)


def _follow_alias(
    name: str, path: list[str], module: Module, sources: Sources, depth: int
) -> _Found | None:
    """What *path* is in the class, function or module that *name* is another name of."""
    if name not in module.aliases or depth == 0:
        return None
    dotted = module.aliases[name].split(".")
    at, node, _ = _find_in_module(module, dotted, sources, depth - 1)
    if at is not Answer.FOUND or not (node is None or isinstance(node, Definition)):
        return None
    if node is None and not sources.holds(module.imports.get(dotted[0], "")):
        return None
    return _find_in_module(module, [*dotted, *path], sources, depth - 1)


def _find_in_stars(module: Module, path: list[str], sources: Sources, depth: int) -> _Found:
    answer = _UNKNOWN if "__getattr__" in module.definitions else _MISSING
    for star in module.stars:
        found = _find(".".join([star, *path]), sources, depth - 1)
        if found[0] is Answer.FOUND:
            return found
        if found[0] is Answer.UNKNOWN:
            answer = _UNKNOWN
    return answer


def _find_member(
    node: ast.AST, path: list[str], module: Module, sources: Sources, depth: int
) -> _Found:
    if not path:
        return Answer.FOUND, node, module
    if not isinstance(node, ast.ClassDef):
        return _UNKNOWN
    members = definitions_in(node.body)
    if path[0] in members:
        return _find_member(members[path[0]], path[1:], module, sources, depth)
    if path[0] in attributes_set_in(node):
        return (Answer.UNKNOWN if path[1:] else Answer.FOUND), None, None
    return _find_in_bases(node, path, module, sources, depth)


def _find_in_bases(
    node: ast.ClassDef, path: list[str], module: Module, sources: Sources, depth: int
) -> _Found:
    classes: _Classes = {}
    answer = _MISSING
    for key in _order(node, module, sources, depth, classes)[1:]:
        if key not in classes:
            answer = _UNKNOWN
            continue
        base, home = classes[key]
        members = definitions_in(base.body)
        if path[0] in members:
            return _find_member(members[path[0]], path[1:], home, sources, depth - 1)
        if path[0] in attributes_set_in(base):
            return (Answer.UNKNOWN if path[1:] else Answer.FOUND), None, None
    return answer


# By the identity of the class statement; a base that is not seen goes by its code.
_Classes = dict[int | str, tuple[ast.ClassDef, Module]]


def _order(
    node: ast.ClassDef, module: Module, sources: Sources, depth: int, classes: _Classes
) -> Sequence[int | str]:
    """The keys of *node* and of what it inherits from, in Python's order; *classes* gets them."""
    classes[id(node)] = node, module

    @functools.cache
    def bases(key: int | str) -> list[int | str]:
        if key not in classes:
            return []
        cls, home = classes[key]
        return [key_of(one, home) for one in cls.bases if dotted_name(one) != ["object"]]

    def key_of(base: ast.expr, home: Module) -> int | str:
        dotted = dotted_name(base)
        found = _UNKNOWN if dotted is None else _find_in_module(home, dotted, sources, depth - 1)
        if not isinstance(found[1], ast.ClassDef) or found[2] is None:
            return ast.unparse(base)  # a builtin, or in none of the sources
        classes.setdefault(id(found[1]), (found[1], found[2]))
        return id(found[1])

    if depth <= 0:
        return [id(node), "..."]
    known: dict[int | str, list[int | str]] = {}
    order = class_order(id(node), bases, known)
    # A circle is no Python: something stands for another class than it seems to.
    circle = any(key in known[base] for key in order for base in bases(key))
    return [*order, "..."] if circle else order


def _signature(node: ast.AST | None, *, bound: bool) -> Signature | None:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = [argument.arg for argument in every]
    return Signature(tuple(names[1:] if bound else names), arguments.kwarg is not None)
