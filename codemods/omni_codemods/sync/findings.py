"""What a person should look at in lines that came from the GPU sibling."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from omni_codemods.findings.model import EditOutcome, Finding, Outcome, Severity, Span
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.sources.classes import Function, same_code, shown_methods
from omni_codemods.text.dotted import owner_of
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.parsing import parse_module

SELF_CALL = re.compile(r"\bself\.(\w+)\(")
_PLACED = (Outcome.CARRIED, Outcome.MOVED, Outcome.FOLLOWED)


@dataclass(frozen=True, slots=True)
class Review:
    """The synced file, and the sibling's newer file, translated.

    *method* and *sibling_method* are qualified names. *downstream* are the names that the
    sibling imports from the downstream's package, *inherited* the methods that the NPU class
    has from bases in other files.
    """

    text: str
    method: str
    sibling: str
    sibling_method: str
    downstream: frozenset[str] = frozenset()
    inherited: frozenset[str] = frozenset()


def check_calls(review: Review, edits: Sequence[EditOutcome]) -> Iterator[Finding]:
    """Yield OP501 and OP503 for methods of its own that a synced line calls.

    *edits* are changes of the sibling, of which those that stand in the text count.
    """
    theirs = shown_methods(review.sibling, _owner(review.sibling_method))
    ours = shown_methods(blank_hunks(review.text), _owner(review.method))
    told: set[str] = set()
    for line, column, name in _self_calls(review.text, edits):
        finding = _judge(name, line, column, theirs, ours, review.inherited)
        if finding is not None and name not in told:
            told.add(name)
            yield finding


def _self_calls(text: str, edits: Sequence[EditOutcome]) -> Iterator[tuple[int, int, str]]:
    lines = split_lines(text)
    for edit in edits:
        if edit.outcome in _PLACED and edit.result is not None:
            for number in range(edit.result.start, edit.result.end + 1):
                for call in SELF_CALL.finditer(lines[number - 1].split("#")[0]):
                    yield number, call.start(), call[1]


def _judge(
    name: str,
    line: int,
    column: int,
    theirs: Mapping[str, Function],
    ours: Mapping[str, Function],
    inherited: Collection[str],
) -> Finding | None:
    if name not in theirs:
        return None
    if name not in ours:
        if name in inherited:
            return None
        return Finding(
            "OP501",
            line,
            column,
            f"a synced line calls self.{name}, which the sibling defines and this class does not",
            "check that a base class has it; otherwise bring it over too",
        )
    if same_code(theirs[name], ours[name]):
        return None
    return Finding(
        "OP503",
        line,
        column,
        f"a synced line calls self.{name}, and this class's {name} is not the sibling's",
        f"compare arguments and results with {name} at line {ours[name].lineno}",
        Severity.NOTE,
    )


def check_translation(
    edits: Sequence[EditOutcome], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield those *findings* of the sibling's translation that stand in lines which were synced.

    Both have lines of the sibling's newer file as it is; what comes out has lines of the result.
    """
    for edit in edits:
        if edit.outcome not in _PLACED or edit.result is None:
            continue
        for found in findings:
            if edit.edit.span.start <= found.line <= edit.edit.span.end:
                message = f"{found.message} (line {found.line} of the sibling)"
                yield replace(found, line=edit.result.start, column=0, message=message)


def check_keywords(review: Review, spans: Sequence[Span]) -> Iterator[Finding]:
    """Yield OP504 where a call of the downstream's code has other keywords in the sibling.

    *spans* are lines of the sibling's (translated) file that changed; only callees that are
    called there count. Calls with ``**`` say nothing.
    """
    text = blank_hunks(review.text)
    theirs, ours = (
        _keywords(body, method, review.downstream)
        for body, method in ((review.sibling, review.sibling_method), (text, review.method))
    )
    for callee, calls in theirs.items():
        changed = any(
            s.start <= c.line <= s.end or s.start <= c.end <= s.end for s in spans for c in calls
        )
        mine = ours.get(callee, [])
        if not changed or not mine or any(c.unpacks for c in (*calls, *mine)):
            continue
        sides = [frozenset().union(*(c.keywords for c in x)) for x in (calls, mine)]
        if sides[0] != sides[1]:
            yield _keyword_finding(callee, mine[0], sides[0] - sides[1], sides[1] - sides[0])


def _keyword_finding(
    callee: str, call: _Call, missing: frozenset[str], extra: frozenset[str]
) -> Finding:
    said = [
        f"{who} {', '.join(f'{n}=' for n in sorted(names))}"
        for who, names in (("the sibling passes", missing), ("this method passes", extra))
        if names
    ]
    return Finding(
        "OP504",
        call.line,
        call.column,
        f"calls of {callee} differ: only {' and only '.join(said)}",
        f"look at what {callee} takes, and choose for the NPU",
    )


@dataclass(frozen=True, slots=True)
class _Call:
    line: int
    end: int
    column: int
    keywords: frozenset[str]
    unpacks: bool


def _keywords(text: str, method: str, names: frozenset[str]) -> dict[str, list[_Call]]:
    owner, _, name = method.rpartition(".")
    found = shown_methods(text, owner).get(name) if owner else None
    out: dict[str, list[_Call]] = {}
    root = found if found is not None else parse_module(text) if not owner else None
    for node in ast.walk(root) if root is not None else ():
        if isinstance(node, ast.Call) and _root(node.func) in names:
            words = frozenset(k.arg for k in node.keywords if k.arg)
            unpacks = any(k.arg is None for k in node.keywords)
            end = node.end_lineno or node.lineno
            call = _Call(node.lineno, end, node.col_offset, words, unpacks)
            out.setdefault(ast.unparse(node.func), []).append(call)
    return out


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _owner(qualname: str) -> str:
    return owner_of(qualname)
