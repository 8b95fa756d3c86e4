"""The places of a file that a check looks at, each with its scope and what it stands under."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.sources.frames import Frame, open_function
from omni_codemods.sources.guards import Guard, Versions, suppressed
from omni_codemods.text.dotted import last_part
from omni_codemods.text.walks import TRIES, children

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INTERESTING = (ast.Call, ast.Attribute, ast.Assign, ast.Import, ast.ImportFrom, ast.Subscript)


@dataclass(frozen=True, slots=True)
class Site:
    """A node in its scope, and what it stands under."""

    node: ast.AST
    frame: Frame
    guard: Guard


@dataclass(slots=True)
class Walk:
    """The walk over one file.

    *owners* are the dotted classes that functions of the file are assigned to, by name. *tested*
    are the names that the file asks for by ``hasattr`` or ``getattr`` before it uses them.
    """

    tree: ast.Module
    module: str
    package: str
    versions: Versions = field(default_factory=Versions)
    owners: Mapping[str, str] = field(default_factory=dict)
    tested: set[str] = field(default_factory=set)
    _lazy: bool = False
    _names: dict[str, ast.expr] = field(default_factory=dict)

    def sites(self) -> tuple[Site, ...]:
        """Return all sites, in the order of the file; what is for another version is left out."""
        self._lazy = any(
            isinstance(one, ast.ImportFrom)
            and one.module == "__future__"
            and any(alias.name == "annotations" for alias in one.names)
            for one in self.tree.body
        )
        self._names = {
            one.targets[0].id: one.value
            for one in self.tree.body
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        }
        top = Frame(self.tree, self.module, package=self.package)
        return tuple(self._suite(self.tree.body, top, Guard()))

    def _suite(self, body: Sequence[ast.stmt], frame: Frame, guard: Guard) -> Iterator[Site]:
        for number, node in enumerate(body):
            if isinstance(node, ast.If):
                judged = self.versions.judge(node.test, self._names.get)
                if judged.of_version:
                    yield from self._versioned(node, judged.holds, frame, guard)
                    if not node.orelse and _leaves(node.body):
                        if judged.holds is False:
                            continue
                        return
                    continue
                del number
            yield from self._statement(node, frame, guard)

    def _versioned(
        self, node: ast.If, holds: bool | None, frame: Frame, guard: Guard
    ) -> Iterator[Site]:
        if holds is not None:
            yield from self._suite(node.body if holds else node.orelse, frame, guard)

    def _statement(self, node: ast.AST, frame: Frame, guard: Guard) -> Iterator[Site]:
        if isinstance(node, ast.If):
            typing = last_part(ast.unparse(node.test)) == "TYPE_CHECKING"
            inside = replace(guard, tested=True)
            yield from self._visit(node.test, frame, guard)
            yield from self._suite(node.body, frame, replace(inside, typing=typing or guard.typing))
            yield from self._suite(node.orelse, frame, inside)
        elif isinstance(node, TRIES):
            yield from self._suite(node.body, frame, guard.with_caught(node))
            for handler in node.handlers:
                inside = replace(guard, tested=True)
                yield from self._suite(handler.body, frame, inside)
            yield from self._suite([*node.orelse, *node.finalbody], frame, guard)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                yield from self._visit(item, frame, guard)
            caught = guard.caught | suppressed(node)
            yield from self._suite(node.body, frame, replace(guard, caught=caught))
        elif isinstance(node, _Function):
            yield from self._function(node, frame, guard)
        elif isinstance(node, ast.ClassDef):
            for part in (*node.decorator_list, *node.bases, *node.keywords):
                yield from self._visit(part, frame, guard)
            cls = f"{frame.cls or frame.module}.{node.name}" if not frame.is_function else ""
            inner = Frame(node, frame.module, frame, cls, package=frame.package)
            yield from self._suite(node.body, inner, guard)
        elif isinstance(node, ast.AnnAssign):
            yield from self._visit(node.target, frame, guard)
            if not self._lazy and not frame.is_function:
                yield from self._visit(node.annotation, frame, guard)
            if node.value is not None:
                yield from self._visit(node.value, frame, guard)
        else:
            yield from self._visit(node, frame, guard)

    def _function(self, node: _Function, frame: Frame, guard: Guard) -> Iterator[Site]:
        arguments = node.args
        defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        for part in (*node.decorator_list, *defaults):
            yield from self._visit(part, frame, guard)
        if not self._lazy:
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            for annotation in (*(one.annotation for one in every), node.returns):
                if annotation is not None:
                    yield from self._visit(annotation, frame, guard)
        owner = self.owners.get(node.name, "") if frame.parent is None else ""
        yield from self._suite(node.body, open_function(node, frame, owner), guard)

    def _visit(self, node: ast.AST, frame: Frame, guard: Guard) -> Iterator[Site]:
        if isinstance(node, _INTERESTING):
            yield Site(node, frame, guard)
            if isinstance(node, ast.Call):
                self._note(node)
        if isinstance(node, ast.Lambda):
            for default in node.args.defaults:
                yield from self._visit(default, frame, guard)
            yield from self._visit(node.body, open_function(node, frame), guard)
            return
        if isinstance(node, ast.IfExp):
            judged = self.versions.judge(node.test, self._names.get)
            if judged.of_version:
                if judged.holds is not None:
                    chosen = node.body if judged.holds else node.orelse
                    yield from self._visit(chosen, frame, guard)
                return
        if isinstance(node, ast.BoolOp):
            judgements = [self.versions.judge(one, self._names.get) for one in node.values]
            if any(one.of_version for one in judgements):
                return
        if isinstance(node, _COMPREHENSION):
            frame = open_function(_as_lambda(node), frame)
        for child in children(node):
            if isinstance(child, ast.stmt):
                yield from self._suite([child], frame, guard)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                yield from self._suite(child.body, frame, replace(guard, tested=True))
            elif not isinstance(child, _LEAVES):
                yield from self._visit(child, frame, guard)

    def _note(self, call: ast.Call) -> None:
        """Remember what is asked for by name."""
        if isinstance(call.func, ast.Name) and call.func.id in ("hasattr", "getattr", "delattr"):
            name = call.args[1] if len(call.args) > 1 else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                self.tested.add(name.value)


_LEAVES = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Constant)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _as_lambda(node: ast.AST) -> ast.Lambda:
    """A function that has the targets of a comprehension as its parameters."""
    names = [
        one.id
        for generator in getattr(node, "generators", ())
        for one in ast.walk(generator.target)
        if isinstance(one, ast.Name)
    ]
    arguments = [ast.arg(arg=name) for name in dict.fromkeys(names)]
    none = ast.Constant(None)
    return ast.Lambda(ast.arguments([], arguments, None, [], [], None, []), none)
