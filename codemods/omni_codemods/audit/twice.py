"""A call or statement that both versions had once, and that now runs twice (OP312)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, Side, suites_of
from omni_codemods.findings.audit_codes import RUNS_TWICE
from omni_codemods.findings.model import Finding
from omni_codemods.text.walks import TRIES, shape, walk

_Met = dict[str, int]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_HEADS = (ast.If, *_LOOPS, ast.With, ast.AsyncWith)
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
    """A header under the same header, or under its opposite: the condition is asked twice."""
    nested = list(_nested(audited.result))
    known = {how for side in audited.inputs for how, _ in _nested(side)} if nested else set()
    for how, row in nested:
        if how in known or audited.result.hunks.intersection(range(row.line, row.end + 1)):
            continue
        yield found(
            RUNS_TWICE,
            audited.result.place(row),
            f"this stands under {_OPPOSITE if how.opposite else _AGAIN}, and in no version that "
            f"went in: {row.source.strip().splitlines()[0]}",
            row.node.col_offset,  # type: ignore[attr-defined]
        )


_AGAIN, _OPPOSITE = "the same header once more", "its own opposite"


@dataclass(frozen=True, slots=True)
class _Nested:
    """How a header stands under another: what both ask, in which *arm*, and whether negated."""

    asked: str
    arm: str
    opposite: bool


def _nested(side: Side) -> Iterator[tuple[_Nested, Row]]:
    """The headers that stand under another of the same code, or of its negation."""
    heads = {
        row.key: _asked(row)
        for rows in side.by_key.values()
        for row in rows[:1]
        if isinstance(row.node, _HEADS)
    }
    for key, (asked, negated) in heads.items():
        for row in side.by_key[key]:
            for outer, arm in row.path:
                # Behind a loop, in its `else`, the same loop may well be tried again.
                if outer not in heads or (arm == "orelse" and not isinstance(row.node, ast.If)):
                    continue
                if heads[outer][0] == asked:
                    yield _Nested(asked, arm, heads[outer][1] != negated), row


def _asked(row: Row) -> tuple[str, bool]:
    """What a header says without its ``not``, and whether it has one."""
    test = row.node.test if isinstance(row.node, ast.If) else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        bare = row.key[len("ifnot") :].removesuffix(":")
        if bare.startswith("(") and bare.find(")") == len(bare) - 1:
            bare = bare[1:-1]
        return f"if{bare}:", True
    return row.key, False


def _repeated(audited: Audited) -> Iterator[Finding]:
    """A statement with an effect on one way more than once."""
    result = audited.result
    rows = {key: rows for key, rows in result.by_key.items() if len(rows) > 1}
    rows = {key: found for key, found in rows.items() if _acts(found[0].node)}
    rows = {key: [r for r in found if not _in_hunk(result, r)] for key, found in rows.items()}
    sides = {key: [side.by_key.get(key, ()) for side in audited.inputs] for key in rows}
    alone = list(_judge(audited, rows, sides))
    yield from alone
    yield from _grown(audited, rows, sides, {one.line for one in alone})
    # The same call once more in another statement: `self.sync()` beside `x = n and self.sync()`.
    said = dict(_said_in(audited))
    codes = {key: _code(result.by_key[key][0].node) for key in said}
    sides = {key: [_saying(key, codes[key], side) for side in audited.inputs] for key in said}
    lines = {one.line for one in alone}
    yield from (one for one in _judge(audited, said, sides) if one.line not in lines)


def _grown(
    audited: Audited,
    rows: Mapping[str, Sequence[Row]],
    sides: Mapping[str, Sequence[Sequence[Row]]],
    told: Set[int],
) -> Iterator[Finding]:
    """What stands more often than the changes of both sides make it, if in several arms.

    Not what base has not: that two sides may each have added.
    """
    for key, found_rows in rows.items():
        base, frame, edited = map(len, sides[key])
        number = len(found_rows)
        if not base or number <= max(frame, edited, frame + edited - base):
            continue
        last = found_rows[-1]
        line = audited.result.place(last)
        if line not in told:
            head = last.source.strip().split("\n")[0]
            also = ", ".join(str(audited.result.place(row)) for row in found_rows[:-1])
            yield found(
                RUNS_TWICE,
                line,
                f"this stands {_times(number)}, which neither side's changes make it: {head} "
                f"(also at line {also})",
                last.node.col_offset,  # type: ignore[attr-defined]
            )


def _judge(
    audited: Audited,
    rows: Mapping[str, Sequence[Row]],
    sides: Mapping[str, Sequence[Sequence[Row]]],
) -> Iterator[Finding]:
    """Count *rows* in the result, and those of each key in the *sides* that went in."""
    result = audited.result
    times = {key: number for key, number in _runs(result, rows).items() if number > 1}
    if not times:
        return
    before = [
        _runs(side, {key: sides[key][at] for key in times})
        for at, side in enumerate(audited.inputs)
    ]
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


def _said_in(audited: Audited) -> Iterator[tuple[str, list[Row]]]:
    """The calls that are statements of their own, with all rows of the result that make them.

    Only where one of those rows is new against base.
    """
    result, base = audited.result, audited.base
    for key, rows in result.by_key.items():
        if not (isinstance(rows[0].node, ast.Expr) and _calls(rows[0].node)):
            continue
        saying = _saying(key, _code(rows[0].node), result)
        saying = [row for row in saying if not _in_hunk(result, row)]
        if len(saying) > len(rows) and any(row.key not in base.by_key for row in saying):
            yield key, saying


def _code(statement: ast.AST) -> str:
    return shape(statement.value)  # type: ignore[attr-defined]


def _saying(key: str, code: str, side: Side) -> list[Row]:
    """The rows of *side* that are the call *key*, or make it among other things; in their order.

    *code* is the call's tree as text.
    """
    rows = [
        row
        for other, rows in side.by_key.items()
        if key == other or (key in other and _makes(rows[0].node, code))
        for row in rows
    ]
    return sorted(rows, key=lambda row: row.line)


def _makes(owner: ast.AST, code: str) -> bool:
    """Whether a statement or header makes a call, now and not when a lambda of it runs."""
    if isinstance(owner, _SCOPES):
        return False
    below = {id(inner) for _, suite in suites_of(owner) for inner in suite}
    waiting = [node for node in ast.iter_child_nodes(owner) if id(node) not in below]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Call, ast.Await)) and shape(node) == code:
            return True
        if not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _in_hunk(side: Side, row: Row) -> bool:
    return any(line in side.hunks for line in range(row.line, row.end + 1))


def _acts(node: ast.AST) -> bool:
    """Whether a statement or header does something that running it again would do again."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(_calls(item.context_expr) for item in node.items)
    if isinstance(node, ast.Expr):
        return _calls(node)
    return isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete))


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
