"""What is set on an object that is current within a ``with``, and read after it (OP622)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.checks.misfit import Misfit, misfit
from omni_codemods.findings.check_codes import LIFE_ENDED
from omni_codemods.sources.frames import Frame
from omni_codemods.sources.modules import find_origin
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.sources.value import Kind
from omni_codemods.text.dotted import first_part, last_part, owner_of
from omni_codemods.text.walks import nodes_of


@dataclass(frozen=True, slots=True)
class _Access:
    """``getter().name``, with the place that *getter* reads; *stored*: it is assigned to."""

    node: ast.Attribute
    place: str
    name: str
    stored: bool


@dataclass(frozen=True, slots=True)
class _With:
    node: ast.With | ast.AsyncWith
    place: str


def check_lifespans(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each attribute of the current object that a function reads after it has
    left the ``with`` in which alone, as far as the file shows, the attribute is set."""
    if not any(isinstance(node, (ast.With, ast.AsyncWith)) for node in nodes_of(subject.tree)):
        return
    reader = _Reader(subject)
    told: set[int] = set()
    for function in reader.functions:
        for one in reader.late(function):
            if id(one.node) not in told:
                told.add(id(one.node))
                message = (
                    f"{one.name} is set inside of a with on what is current there, and read "
                    "after it is left"
                )
                yield misfit(LIFE_ENDED, one.node, message, "")


class _Reader:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._frames: dict[int, Frame] = {}
        for site in subject.sites:
            frame = site.frame
            while frame.parent is not None:
                self._frames.setdefault(id(frame.node), frame)
                frame = frame.parent
        self.functions = [n for n in nodes_of(subject.tree) if isinstance(n, Function)]
        self._named = {f.name: f for f in self.functions}
        self._places: dict[str, str] = {}

    def late(self, function: Function) -> Iterator[_Access]:
        """The reads of *function*, and of what it calls, after a ``with`` that it has left."""
        frame = self._frames.get(id(function))
        if frame is None:
            return
        for block in self._withs(function, frame):
            inner = set(map(id, nodes_of(block.node)))
            set_inside = {
                one.name
                for one in self._accesses(block.node, frame, block, 3)
                if one.stored and one.place == block.place
            }
            if not set_inside:
                continue
            kept = self._set_elsewhere(block)
            outer = self._outer(function, block, frame)
            for one in self._after(function, frame, block, inner):
                if one.place == block.place and one.name in set_inside - kept and not outer:
                    yield one

    def _withs(self, function: Function, frame: Frame) -> Iterator[_With]:
        for node in _own_nodes(function):
            if isinstance(node, (ast.With, ast.AsyncWith)):
                for item in node.items:
                    place = self._manager(item.context_expr, frame)
                    if place:
                        yield _With(node, place)

    def _outer(self, function: Function, block: _With, frame: Frame) -> bool:
        """Whether the ``with`` stands in another one of the same place."""
        inside = id(block.node)
        for other in self._withs(function, frame):
            same = other.node is not block.node and other.place == block.place
            if same and any(id(n) == inside for n in nodes_of(other.node)):
                return True
        return False

    def _set_elsewhere(self, block: _With) -> set[str]:
        """What is set on the current object outside of every ``with`` of the place."""
        out: set[str] = set()
        for function in self.functions:
            frame = self._frames.get(id(function))
            if frame is None:
                continue
            blocks = [w for w in self._withs(function, frame) if w.place == block.place]
            if not blocks:
                continue
            inner = {id(n) for w in blocks for n in nodes_of(w.node)}
            for one in self._accesses(function, frame, None, 0):
                if one.stored and id(one.node) not in inner:
                    out.add(one.name)
        return out

    def _after(
        self, function: Function, frame: Frame, block: _With, inner: set[int]
    ) -> Iterator[_Access]:
        end = block.node.end_lineno or block.node.lineno
        others = [w for w in self._withs(function, frame) if w.place == block.place]
        within = {id(n) for w in others for n in nodes_of(w.node)} | inner
        for node in _own_nodes(function):
            if getattr(node, "lineno", 0) <= end or id(node) in within:
                continue
            if isinstance(node, ast.Attribute):
                one = self._access(node, frame, None, after=end)
                if one is not None and not one.stored:
                    yield one
            elif isinstance(node, ast.Call):
                called = self._called(node)
                inner_frame = self._frames.get(id(called)) if called is not None else None
                if called is None or inner_frame is None or called is function:
                    continue
                if not any(True for _ in self._withs(called, inner_frame)):
                    read = self._accesses(called, inner_frame, None, 1)
                    yield from (one for one in read if not one.stored)

    def _accesses(
        self, top: ast.AST, frame: Frame, block: _With | None, depth: int
    ) -> Iterator[_Access]:
        nodes = nodes_of(top) if not isinstance(top, Function) else _own_nodes(top)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                one = self._access(node, frame, block)
                if one is not None:
                    yield one
            elif isinstance(node, ast.Call) and depth > 0:
                called = self._called(node)
                inner = self._frames.get(id(called)) if called is not None else None
                if called is not None and inner is not None and called is not top:
                    yield from self._accesses(called, inner, None, depth - 1)

    def _called(self, call: ast.Call) -> Function | None:
        """The function of this file that a call calls: ``self.name(...)`` or ``name(...)``."""
        name = ast.unparse(call.func)
        return self._named.get(name.removeprefix("self."))

    def _access(
        self, node: ast.Attribute, frame: Frame, block: _With | None, after: int = 0
    ) -> _Access | None:
        stored = not isinstance(node.ctx, ast.Load)
        place = self._current(node.value, frame, block, after)
        return _Access(node, place, node.attr, stored) if place else None

    def _current(self, node: ast.expr, frame: Frame, block: _With | None, after: int) -> str:
        """The place that *node* reads the current object from, where it is one."""
        if isinstance(node, ast.Call):
            return self._getter(node, frame)
        if not isinstance(node, ast.Name):
            return ""
        if block is not None:
            for item in block.node.items:
                if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == node.id:
                    return block.place
        bound = frame.bound.get(node.id, [])
        if len(bound) != 1 or not isinstance(bound[0].value, ast.Call):
            return ""
        if after and getattr(bound[0].node, "lineno", 0) <= after:
            return ""  # the object was taken before: it lives on
        return self._getter(bound[0].value, frame)

    def _getter(self, call: ast.Call, frame: Frame) -> str:
        found = self._subject.values.infer(call.func, frame)
        if found is not None and found.kind is Kind.FUNCTION and isinstance(found.node, Function):
            place = _read_global(found.node)
            if place:
                return f"{found.path.rpartition('.')[0]}.{place}"
        return self._by_name(call, frame, "get")

    def _manager(self, expression: ast.expr, frame: Frame) -> str:
        if not isinstance(expression, ast.Call):
            return ""
        found = self._subject.values.infer(expression.func, frame)
        place = ""
        if found is not None and isinstance(found.node, Function):
            place = self._set_by(found.node, owner_of(found.path), 4)
        elif found is not None and found.kind is Kind.CLASS:
            node = self._subject.hierarchy.find_class(found.path)
            for one in node.body if node is not None else ():
                if isinstance(one, Function) and one.name in ("__enter__", "__aenter__"):
                    place = self._set_by(one, owner_of(found.path), 2)
        return place or self._by_name(expression, frame, "set")

    def _set_by(self, node: Function, module: str, depth: int) -> str:
        """The global that a context manager sets, itself or through one that it enters."""
        place = _set_global(node)
        if place:
            return f"{module}.{place}"
        for inner in nodes_of(node) if depth else ():
            if isinstance(inner, (ast.With, ast.AsyncWith)):
                for item in inner.items:
                    call = item.context_expr
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                        found = self._subject.values.of_path(f"{module}.{call.func.id}")
                        if found is not None and isinstance(found.node, Function):
                            owner = owner_of(found.path)
                            return self._set_by(found.node, owner, depth - 1)
        return ""

    def _by_name(self, call: ast.Call, frame: Frame, start: str) -> str:
        """Pairs called ``set_x`` and ``get_x`` that are imported from one module."""
        name = last_part(ast.unparse(call.func))
        if not name.startswith(f"{start}_") or len(name) < 5:
            return ""
        path = self._subject.imports.get(first_part(ast.unparse(call.func)), "")
        del frame
        if not path:
            return ""
        origin = find_origin(path, self._subject.sources)
        if self._subject.sources.holds(origin):
            return ""
        return f"{path.rpartition('.')[0]}.{name[4:]}"


def _read_global(node: Function) -> str:
    """The one global name that a getter returns, perhaps after a test of it."""
    returns = [n.value for n in nodes_of(node) if isinstance(n, ast.Return) and n.value]
    local = {n.id for n in nodes_of(node) if isinstance(n, ast.Name) and _is_store(n)}
    if len(returns) != 1:
        return ""
    value = returns[0]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value if value.func.attr == "get" else value
    if isinstance(value, ast.Name) and value.id in local:
        made = [n.value for n in nodes_of(node) if isinstance(n, ast.Assign)]
        value = made[0] if len(made) == 1 else value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            value = value.func.value
        local = set()
    return value.id if isinstance(value, ast.Name) and value.id not in local else ""


def _is_store(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _set_global(node: Function) -> str:
    names = {name for n in nodes_of(node) if isinstance(n, ast.Global) for name in n.names}
    stored = [
        n.id for n in nodes_of(node) if isinstance(n, ast.Name) and _is_store(n) and n.id in names
    ]
    if stored:
        return stored[0]
    for one in nodes_of(node):
        func = one.func if isinstance(one, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr == "set":
            return func.value.id if isinstance(func.value, ast.Name) else ""
    return ""


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
