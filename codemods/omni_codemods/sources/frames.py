"""The scopes of a file as a check walks them: what each name in a function is bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.names.scopes import import_paths
from omni_codemods.text.dotted import last_part
from omni_codemods.text.walks import children, nodes_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _Function | ast.Lambda | ast.ClassDef | ast.Module
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Bound:
    """One binding of a name in a function: *value* is what it is made of, where that is told.

    *kind* is ``parameter`` (the value is its annotation), ``assigned``, ``declared`` (the value
    is an annotation), ``imported`` (*path*), ``defined`` or ``other``.
    """

    kind: str
    value: ast.expr | None = None
    path: str = ""
    node: ast.AST | None = None


@dataclass(slots=True, eq=False)
class Frame:
    """A scope: that of the module, a class, a function.

    *module* is the dotted module, *cls* the dotted class that a method's ``self`` is of (for the
    frame of a class: that class), *me* the parameter that holds it.
    """

    node: _Scope
    module: str
    parent: Frame | None = None
    cls: str = ""
    me: str = ""
    package: str = ""
    _bound: dict[str, list[Bound]] | None = field(default=None)
    _narrowed: frozenset[str] | None = field(default=None)

    @property
    def is_function(self) -> bool:
        """Whether it is the scope of a function."""
        return isinstance(self.node, (*_FUNCTIONS, ast.Lambda))

    @property
    def bound(self) -> dict[str, list[Bound]]:
        """The names that a function binds, each with all its bindings; empty for others."""
        if self._bound is None:
            self._bound = {}
            if self.is_function:
                for name, one in _bindings(self.node, self.package):
                    self._bound.setdefault(name, []).append(one)
        return self._bound

    @property
    def narrowed(self) -> frozenset[str]:
        """The code that the function asks the type of: ``isinstance(code, ...)``."""
        if self._narrowed is None:
            self._narrowed = frozenset(_narrowed(self.node)) if self.is_function else frozenset()
        return self._narrowed

    @property
    def own_class(self) -> str:
        """The dotted class of the method that this is, or stands in; empty where it has no name
        that others can use."""
        for one in self.chain():
            outer = one.parent
            if one.cls or (outer is not None and isinstance(outer.node, ast.ClassDef)):
                return one.cls
        return ""

    def asks_type(self, code: str) -> bool:
        """Whether this function, or one that it stands in, asks the type of *code*."""
        return any(code in one.narrowed for one in self.chain())

    def chain(self) -> Iterator[Frame]:
        """Yield the frames in which a name is looked for, this one first: no class further out."""
        frame: Frame | None = self
        while frame is not None:
            if frame is self or not isinstance(frame.node, ast.ClassDef):
                yield frame
            frame = frame.parent


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def open_function(node: _Function | ast.Lambda, outer: Frame, owner: str = "") -> Frame:
    """Return the frame of a function in *outer*; *owner* is the class that it is assigned to."""
    cls = outer.cls if isinstance(outer.node, ast.ClassDef) else owner
    me = ""
    if isinstance(node, _Function):
        decorators = {last_part(ast.unparse(d)) for d in node.decorator_list}
        first = [*node.args.posonlyargs, *node.args.args][:1]
        if owner and first and first[0].arg != "self" and first[0].annotation is not None:
            cls = ""  # it says that it is handed something else
        if cls and first and not decorators & {"staticmethod", "classmethod"}:
            me = first[0].arg
    return Frame(node, outer.module, outer, cls, me, outer.package)


def _bindings(node: ast.AST, package: str) -> Iterator[tuple[str, Bound]]:
    if not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
        return
    arguments = node.args
    for given in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield given.arg, Bound("parameter", given.annotation, node=given)
    for rest in (arguments.vararg, arguments.kwarg):
        if rest is not None:
            yield rest.arg, Bound("other", node=rest)
    waiting: list[ast.AST] = list(node.body[::-1] if isinstance(node.body, list) else [node.body])
    while waiting:
        one = waiting.pop()
        kind = one.__class__
        if kind is ast.Constant or (kind is ast.Name and isinstance(one.__dict__["ctx"], ast.Load)):
            continue
        if kind in _BINDING:
            yield from _bound_by(one, package)
        if kind is ast.Assign or kind is ast.AnnAssign:
            value = one.__dict__.get("value")
            waiting += [] if value is None else [value]
        elif kind not in _CLOSED:
            waiting += [*children(one)][::-1]


# Nothing inside of these binds a name of the function that they stand in.
_CLOSED = (*_FUNCTIONS, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom)
_BINDING = frozenset(
    {
        *(*_CLOSED, ast.Assign, ast.AnnAssign, ast.Name, ast.ExceptHandler),
        *(ast.Global, ast.Nonlocal, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    }
)


def _bound_by(node: ast.AST, package: str) -> Iterator[tuple[str, Bound]]:
    """The bindings of *node* itself, those of what stands in it left out."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield node.name, Bound("defined", node=node)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for bound, path in import_paths(node, package):
            if bound != "*":
                yield bound, Bound("imported", path=path, node=node)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, Bound("assigned", node.value, node=node)
            else:
                yield from _others(target)
    elif isinstance(node, ast.AnnAssign):
        if isinstance(node.target, ast.Name):
            yield node.target.id, Bound("declared", node.annotation, node=node)
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        for name in node.names:
            yield name, Bound("other", node=node)
    elif isinstance(node, ast.Name):
        yield node.id, Bound("other", node=node)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, Bound("other", node=node)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, Bound("other", node=node)


def _others(target: ast.expr) -> Iterator[tuple[str, Bound]]:
    for one in ast.walk(target):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id, Bound("other", node=one)


def _narrowed(function: ast.AST) -> Iterator[str]:
    for node in nodes_of(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in ("isinstance", "issubclass", "hasattr", "type"):
                yield ast.unparse(node.args[0])
        elif isinstance(node, ast.Match):
            yield ast.unparse(node.subject)


def telling(every: list[Bound]) -> list[Bound]:
    """The bindings that count: not a placeholder, and what is declared before what is assigned."""
    declared = [one for one in every if one.kind in ("declared", "parameter") and one.value]
    if declared and all(one.kind in ("declared", "parameter", "assigned") for one in every):
        plain = [one for one in every if one not in declared and not _is_none(one.value)]
        return [*declared, *plain]
    return [one for one in every if not (one.kind == "assigned" and _is_none(one.value))] or every


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_super(node: ast.expr) -> bool:
    """Whether *node* is a call of ``super``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def is_narrowed(node: ast.expr, frame: Frame) -> bool:
    """Whether *frame* asks what *node* is: then it may be another thing further down."""
    if not any(one.narrowed for one in frame.chain()):
        return False
    return frame.asks_type(node.id if isinstance(node, ast.Name) else ast.unparse(node))


def first_parameter(function: _Function) -> str:
    """The name by which a method knows its instance."""
    frame = open_function(function, Frame(ast.ClassDef("", [], [], [], []), "", cls="_"))
    return frame.me
