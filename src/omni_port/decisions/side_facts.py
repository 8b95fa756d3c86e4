"""What a side of a question would leave in its function: unread, run twice, or called wrongly."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.sources.classes import own_methods
from omni_codemods.sources.parameters import Function, is_plain, read_parameters
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.outline import locate
from omni_codemods.text.parsing import find_tree

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Left:
    """What a function has: names that nothing *unread* reads, statements that run *twice*, and
    calls that do not fit (*wrong*), each in words."""

    unread: frozenset[str] = frozenset()
    twice: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()

    def beyond(self, other: Left) -> Left:
        """Return what this has and the *other* has not."""
        return Left(self.unread - other.unread, self.twice - other.twice, self.wrong - other.wrong)


def find_left(text: str, method: str, upstream: Mapping[str, Function] | None = None) -> Left:
    """Return what is left over in *method* (qualified) of *text*, a file of which other hunks stand
    as their target's side.

    *upstream* are methods that the class has from its upstream. Nothing where it is not Python.
    """
    plain = blank_hunks(text)
    owner = owner_of(method) or None
    try:
        found = locate(plain, last_part(method), owner)
    except OmniCodemodsError:
        return Left()
    tree = find_tree(textwrap.dedent(found.text))
    function = next((n for n in tree.body if isinstance(n, _FUNCTIONS)), None) if tree else None
    if function is None:
        return Left()
    known: dict[str, Function] = dict(upstream or {})
    if owner is not None:
        try:
            known |= own_methods(plain, owner)
        except OmniCodemodsError:
            return Left()
    return Left(
        frozenset(_unread(function)),
        frozenset(_twice(function)),
        frozenset(_wrong(function, known)),
    )


def _unread(function: Function) -> set[str]:
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
    stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return {
        x for x in stored - {n.id for n in names if not isinstance(n.ctx, ast.Store)} if x != "_"
    }


def _twice(function: Function) -> Iterator[str]:
    """Statements that call something and stand more than once in one suite."""
    for node in ast.walk(function):
        for _, suite in ast.iter_fields(node):
            if not isinstance(suite, list):
                continue
            calls = [ast.unparse(s) for s in suite if isinstance(s, ast.stmt) and _calls(s)]
            yield from (said for said, number in Counter(calls).items() if number > 1)


def _calls(node: ast.stmt) -> bool:
    plain = isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign)
    return plain and any(isinstance(n, ast.Call) for n in ast.walk(node))


def _wrong(function: Function, known: Mapping[str, Function]) -> Iterator[str]:
    me = function.args.args[0].arg if function.args.args else ""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        target, name = node.func.value, node.func.attr
        called = known.get(name)
        if called is None or not (isinstance(target, ast.Name) and target.id == me):
            continue
        if is_plain(called):
            for misfit in read_parameters(called, bound=True).misfits(node):
                yield f"self.{name} {misfit}"
