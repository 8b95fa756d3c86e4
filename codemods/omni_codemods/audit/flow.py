"""Which of its variables a function may have bound, or surely has, where it reads them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.audit.reading import suites_of
from omni_codemods.text.walks import TRIES, walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_State = set[str] | None  # the names that are bound; None where no way leads


@dataclass(frozen=True, slots=True)
class Uses:
    """What a simple statement or a header reads and binds, in the function's own scope."""

    reads: tuple[ast.Name, ...]
    binds: frozenset[str]


class Flow:
    """The variables of one function (*own*), and its reads of them that nothing has bound.

    A variable counts as bound where any way to its read binds it; with *sure*, where all do.
    """

    def __init__(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, *, sure: bool = False
    ) -> None:
        self._sure = sure
        self._uses: dict[int, Uses] = {}
        self._found: list[ast.Name] = []
        self._function = function
        self.parameters = parameters_of(function)
        outside: set[str] = set()
        own = set(self.parameters)
        for node in _statements(function.body):
            own |= self._of(node).binds
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                outside.update(node.names)
        self.own = frozenset(own - outside)

    def unbound_reads(self) -> list[ast.Name]:
        """The reads of the function's variables that are not bound where they stand."""
        self._found = []
        self._suite(self._function.body, set(self.parameters))
        return self._found

    def reads(self) -> Iterator[ast.Name]:
        """All that the function reads, inner functions and lambdas left out."""
        for uses in self._uses.values():
            yield from uses.reads

    def binds(self, node: ast.AST) -> frozenset[str]:
        """What a statement or header of the function binds."""
        return self._of(node).binds

    def _of(self, node: ast.AST) -> Uses:
        found = self._uses.get(id(node))
        if found is None:
            found = self._uses[id(node)] = _uses(node)
        return found

    def _suite(self, nodes: Sequence[ast.stmt], state: _State) -> _State:
        for node in nodes:
            if state is None:
                return None
            state = self._statement(node, state)
        return state

    def _statement(self, node: ast.stmt, state: set[str]) -> _State:
        uses = self._of(node)
        for name in uses.reads:
            if name.id in self.own and name.id not in state:
                self._found.append(name)
        if isinstance(node, ast.Delete):
            return state - uses.binds
        if uses.binds:
            state = state | uses.binds
        if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return None
        if isinstance(node, _DEFINITIONS) or not hasattr(node, "body"):
            return self._match(node, state) if isinstance(node, ast.Match) else state
        return self._compound(node, state)

    def _compound(self, node: ast.stmt, state: set[str]) -> _State:
        if isinstance(node, ast.If):
            return self._join(self._suite(node.body, state), self._suite(node.orelse, state))
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            # What an earlier turn bound is there on a later one, and may be there after the loop.
            within = state if self._sure else state | self._binds(node.body)
            self._suite(node.body, within)
            return self._suite(node.orelse, within) or within
        if isinstance(node, TRIES):
            return self._try(node, state)
        return self._suite(node.body, state)  # type: ignore[attr-defined]

    def _try(self, node: ast.Try, state: set[str]) -> _State:
        reached = state if self._sure else state | self._binds(node.body)
        out = self._suite(node.body, state)
        out = None if out is None else self._suite(node.orelse, out)
        for handler in node.handlers:
            out = self._join(out, self._suite(handler.body, reached | self._of(handler).binds))
        last = reached if self._sure else reached | self._binds([*node.handlers, *node.orelse])
        if self._suite(node.finalbody, last) is None or out is None:
            return None
        return out | self._binds(node.finalbody)

    def _match(self, node: ast.Match, state: set[str]) -> _State:
        out: _State = state
        for case in node.cases:
            out = self._join(out, self._suite(case.body, state | self._of(case).binds))
        return out

    def _join(self, one: _State, other: _State) -> _State:
        if one is None or other is None:
            return other if one is None else one
        return one & other if self._sure else one | other

    def _binds(self, nodes: Sequence[ast.AST]) -> set[str]:
        return {name for node in _statements(nodes) for name in self._of(node).binds}


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The names of the parameters."""
    args = function.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return frozenset(a.arg for a in every if a is not None)


def binds_of(node: ast.AST) -> frozenset[str]:
    """What a statement or header binds in the scope that it stands in."""
    return _uses(node).binds


def _statements(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All statements, handlers and cases in *nodes*, but for those of inner functions."""
    for node in nodes:
        yield node
        if not isinstance(node, _DEFINITIONS):
            for _, suite in suites_of(node):
                yield from _statements(suite)


def _uses(node: ast.AST) -> Uses:
    """What *node* itself reads and binds, without its suites."""
    if isinstance(node, _DEFINITIONS):
        return Uses((), frozenset([node.name]))
    binds: set[str] = set()
    reads: list[ast.Name] = []
    own: set[str] = set()  # what comprehensions bind for themselves
    walrus: set[str] = set()
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is ast.Name:
            if isinstance(part.ctx, ast.Load):  # type: ignore[attr-defined]
                reads.append(part)  # type: ignore[arg-type]
            else:
                binds.add(part.id)  # type: ignore[attr-defined]
            continue
        if kind is ast.comprehension:
            own |= {one.id for one in walk(part.target) if isinstance(one, ast.Name)}  # type: ignore[attr-defined]
        elif kind is ast.NamedExpr:
            walrus.add(part.target.id)  # type: ignore[attr-defined]
        elif kind in _NAMED:
            binds |= _named(part)
        elif kind is ast.Lambda:
            continue  # runs later
        for name in _fields(kind):  # type: ignore[arg-type]  # a class has a hash
            value = getattr(part, name, None)
            if isinstance(value, list):
                waiting += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        reads.append(node.target)
    # A walrus is read to its right, a comprehension's variable anywhere in it.
    mine = own | walrus
    return Uses(tuple(n for n in reads if n.id not in mine), frozenset(binds - own))


_NAMED = (ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_SKIPPED = frozenset(
    ("body", "handlers", "cases", "orelse", "finalbody", "ctx", "op", "ops", "type_comment")
)


@functools.cache
def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node in which names may stand, those of its suites left out."""
    if kind is ast.IfExp:  # what is called a body there is an expression
        return ("test", "body", "orelse")
    return tuple(name for name in kind._fields if name not in _SKIPPED)


def _named(node: ast.AST) -> set[str]:
    """The name that a node binds without an :class:`ast.Name`."""
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
    return {name} if name else set()
