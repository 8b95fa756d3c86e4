"""A call or statement that both versions had once, and that now runs twice (OP312)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, Side
from omni_codemods.findings.audit_codes import RUNS_TWICE
from omni_codemods.findings.model import Finding
from omni_codemods.text.walks import TRIES, walk

_Met = dict[str, int]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_HEADS = (ast.If, ast.While, ast.With, ast.AsyncWith)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each statement with an effect that runs more often than in any input.

    How often is counted on the way through the function that meets it most often; a suite that
    ends with ``return`` or ``raise`` leads to nothing below it. What stands in a conflict is not
    counted.
    """
    yield from _repeated(audited)
    yield from _within_itself(audited)


def _within_itself(audited: Audited) -> Iterator[Finding]:
    """A header directly or deeper under the same header: the condition is asked twice."""
    for row in _nested(audited.result):
        if row.key not in {one.key for side in audited.inputs for one in _nested(side)}:
            yield found(
                RUNS_TWICE,
                audited.result.place(row),
                "this stands under the same header once more, and in no version that went in: "
                f"{row.source.strip().splitlines()[0]}",
                row.node.col_offset,  # type: ignore[attr-defined]
            )


def _nested(side: Side) -> list[Row]:
    """The headers under another of the same code, which leads to them."""
    doubled = {
        row.node: row
        for rows in side.by_key.values()
        if len(rows) > 1
        for row in rows
        if isinstance(row.node, _HEADS)
    }
    return [
        row
        for outer in doubled.values()
        for inner in walk(outer.node)
        if inner in doubled
        and (row := doubled[inner]) is not outer
        and row.key == outer.key
        and row.line > outer.line
        and not _is_in_else(outer.node, row.node)
    ]


def _is_in_else(outer: ast.AST, inner: ast.AST) -> bool:
    return any(inner in walk(node) for node in getattr(outer, "orelse", ()))


def _repeated(audited: Audited) -> Iterator[Finding]:
    """A statement with an effect on one way more than once."""
    result = audited.result
    rows = {key: rows for key, rows in result.by_key.items() if len(rows) > 1}
    rows = {key: found for key, found in rows.items() if _acts(found[0].node)}
    rows = {key: [r for r in found if not _in_hunk(result, r)] for key, found in rows.items()}
    times = {key: number for key, number in _runs(result, rows).items() if number > 1}
    if not times:
        return
    before = [_runs(s, {k: s.by_key.get(k, ()) for k in times}) for s in audited.inputs]
    for key, number in times.items():
        if number <= max(runs.get(key, 0) for runs in before):
            continue
        first, last = rows[key][0], rows[key][-1]
        head = last.source.strip().split("\n")[0]
        yield found(
            RUNS_TWICE,
            result.place(last),
            f"this runs {_times(number)} on one way through the function, and in no version that "
            f"went in: {head} (also at line {result.place(first)})",
            last.node.col_offset,  # type: ignore[attr-defined]
        )


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _in_hunk(side: Side, row: Row) -> bool:
    return any(line in side.hunks for line in range(row.line, row.end + 1))


def _acts(node: ast.AST) -> bool:
    """Whether a statement or header does something that running it again would do again."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(_calls(item.context_expr) for item in node.items)
    if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return isinstance(node, ast.AugAssign) or _calls(node)
    return False


def _calls(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Call) for inner in walk(node))


def _runs(side: Side, rows: Mapping[str, Sequence[Row]]) -> _Met:
    """How often each key of *rows* is met on the way through the function that meets it most."""
    nodes = {row.node: key for key, found in rows.items() for row in found}
    if not nodes:
        return {}
    ends = _Counter(nodes).suite(side.function.body)
    return _most(_most(ends.through, ends.left), ends.jumped) or {}


@dataclass(frozen=True, slots=True)
class _Ends:
    """The most that is met on the ways that go *through* a suite, leave the function, or the loop.

    ``None`` where no such way is.
    """

    through: _Met | None
    left: _Met | None = None
    jumped: _Met | None = None


class _Counter:
    """Counts the keys of *nodes* on the ways through suites."""

    def __init__(self, nodes: Mapping[ast.AST, str]) -> None:
        self.nodes = nodes

    def suite(self, suite: Sequence[ast.AST]) -> _Ends:
        through: _Met | None = {}
        left: _Met | None = None
        jumped: _Met | None = None
        for node in suite:
            ends = self._statement(node)
            left = _most(left, _sum(through, ends.left))
            jumped = _most(jumped, _sum(through, ends.jumped))
            through = _sum(through, ends.through)
            if through is None:
                break
        return _Ends(through, left, jumped)

    def _statement(self, node: ast.AST) -> _Ends:
        here = {self.nodes[node]: 1} if node in self.nodes else {}
        if isinstance(node, (ast.Return, ast.Raise)):
            return _Ends(None, here)
        if isinstance(node, (ast.Break, ast.Continue)):
            return _Ends(None, None, here)
        if isinstance(node, _SCOPES) or not hasattr(node, "body"):
            return self._match(node) if isinstance(node, ast.Match) else _Ends(here)
        ends = self._compound(node)
        return _Ends(*(_sum(here, met) for met in (ends.through, ends.left, ends.jumped)))

    def _match(self, node: ast.Match) -> _Ends:
        return _either(_Ends({}), *(self.suite(case.body) for case in node.cases))

    def _compound(self, node: ast.AST) -> _Ends:
        if isinstance(node, ast.If):
            return _either(self.suite(node.body), self.suite(node.orelse))
        if isinstance(node, _LOOPS):
            return self._loop(node)
        if isinstance(node, TRIES):
            return self._try(node)
        return self.suite(node.body)  # type: ignore[attr-defined]

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> _Ends:
        body, after = self.suite(node.body), self.suite(node.orelse)
        ended = _most(_most({}, body.through), body.jumped)
        return _Ends(
            _most(_sum(ended, after.through), body.jumped),
            _most(body.left, _sum(ended, after.left)),
            _sum(ended, after.jumped),
        )

    def _try(self, node: ast.Try) -> _Ends:
        # A handler is the way for where the body failed: what the body did may run again in it.
        body = self.suite([*node.body, *node.orelse])
        ways = _either(body, *(self.suite(handler.body) for handler in node.handlers))
        last = self.suite(node.finalbody)
        met = last.through
        return _Ends(
            _sum(met, ways.through),
            _most(_sum(met, ways.left), last.left),
            _most(_sum(met, ways.jumped), last.jumped),
        )


def _either(*ways: _Ends) -> _Ends:
    out = ways[0]
    for way in ways[1:]:
        out = _Ends(
            _most(out.through, way.through),
            _most(out.left, way.left),
            _most(out.jumped, way.jumped),
        )
    return out


def _sum(one: _Met | None, other: _Met | None) -> _Met | None:
    if one is None or other is None:
        return None
    if not one or not other:
        return one or other
    return {key: one.get(key, 0) + other.get(key, 0) for key in one.keys() | other.keys()}


def _most(one: _Met | None, other: _Met | None) -> _Met | None:
    if one is None or other is None:
        return other if one is None else one
    if not one or not other:
        return one or other
    return {key: max(one.get(key, 0), other.get(key, 0)) for key in one.keys() | other.keys()}


_BASE = "def f(self, n):\n    a = self.a(n)\n    return a\n"

RULE = Rule(
    RUNS_TWICE,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("    return", "    if self.mine:\n        self.dummy()\n    return"),
        target=_BASE.replace("    return", "    self.dummy()\n    return"),
        wrong=_BASE.replace(
            "    return", "    self.dummy()\n    if self.mine:\n        self.dummy()\n    return"
        ),
        right=_BASE.replace("    return", "    if self.mine:\n        self.dummy()\n    return"),
    ),
)
