"""What holds for every rebase, whatever went in; the golden and the property tests share it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from omni_codemods.findings.model import (
    Conflict,
    EditKind,
    EditOutcome,
    Outcome,
    RebaseResult,
    Span,
)
from omni_codemods.functions.fences import parse_fences

HELD = (
    "the upstream removed code that the block holds",
    "a block holds the code that changed",
)
Side = Literal["local", "base", "target"]

HUNK = re.compile(
    r"^<{7}[^\n]*\n(?P<local>.*?)^\|{7}[^\n]*\n(?P<base>.*?)^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Texts:
    """The three files that went in."""

    base: str
    local: str
    target: str


def resolve(text: str, side: Side) -> str:
    """*text* with each conflict hunk replaced by what it holds for *side*."""
    return HUNK.sub(lambda hunk: hunk[side], text)


def code_of(text: str) -> str:
    """The code of *text* alone: no comments, no layout."""
    return ast.unparse(ast.parse(text))


def assert_parses(result: RebaseResult, *, asks_little: bool = True) -> None:
    """The result is Python whichever side its conflicts are resolved to.

    With *asks_little*, none of them has a side that is base's own.
    """
    for side in ("local", "target"):
        resolved = resolve(result.text, side)
        try:
            ast.parse(resolved)
        except SyntaxError as error:
            raise AssertionError(f"resolved to {side}, {error}:\n{resolved}") from error
    hunks = list(HUNK.finditer(result.text))
    assert len(hunks) == len(result.conflicts)
    assert all(hunk["local"] != hunk["target"] for hunk in hunks), "nothing to decide"
    if asks_little:
        assert all(map(both_changed, result.conflicts)), "one side changed nothing"


def both_changed(conflict: Conflict) -> bool:
    """Whether neither side of *conflict* is base's own: then the other's change would do.

    Where base has nothing, local code lost its place. What a block holds is ours on purpose.
    """
    mine, old, theirs = (squeezed(x) for x in (conflict.local, conflict.base, conflict.target))
    return not old or old not in (mine, theirs) or conflict.reason in HELD


def assert_nothing_fenced_is_lost(texts: Texts, result: RebaseResult) -> None:
    """Each fenced line of local stands in the result, or the report says why it does not.

    A line inside a fence that is upstream's own code, and that upstream took out or changed, may
    go as it would without the fence; its block is in the report all the same.
    """
    blocks = [edit for edit in result.edits if edit.edit.kind is EditKind.BLOCK]
    gone = [edit.edit.span for edit in blocks if edit.outcome is Outcome.ABSORBED]
    lines = texts.local.splitlines()
    fenced = {
        number
        for block in parse_fences(texts.local).blocks
        for number in range(block.span.start, block.span.end + 1)
        if lines[number - 1].strip() and not any(covers(span, number) for span in gone)
    }
    want = Counter(_stripped(lines[number - 1]) for number in fenced)
    missing = want - _lines(result.text)
    lost = missing - (_lines(texts.base) - _lines(texts.target))
    assert not lost, f"fenced lines are gone: {dict(lost)}"
    for number in fenced:
        if _stripped(lines[number - 1]) in missing:
            assert any(covers(edit.edit.span, number) for edit in blocks), "gone, and not reported"


def covers(span: Span, number: int) -> bool:
    """Whether line *number* is in *span*."""
    return span.start <= number <= span.end


def _stripped(line: str) -> str:
    """*line* without indentation, and without a trailing comma: an element may cease to be last."""
    return re.sub(r",?\s*(#|$)", r" \1", line.strip(), count=1).strip()


def _lines(text: str) -> Counter[str]:
    return Counter(map(_stripped, text.splitlines()))


def assert_fences_balance(texts: Texts, result: RebaseResult) -> None:
    """The result has the blocks of *local*, less those absorbed, and no new oddity."""
    absorbed = sum(
        edit.edit.kind is EditKind.BLOCK and edit.outcome is Outcome.ABSORBED
        for edit in result.edits
    )
    before = parse_fences(texts.local)
    after = parse_fences(resolve(result.text, "local"))
    assert len(after.blocks) == len(before.blocks) - absorbed
    assert Counter(f.code for f in after.findings) <= Counter(f.code for f in before.findings)


def assert_carried_blocks_stand_where_reported(texts: Texts, result: RebaseResult) -> None:
    """A block that was carried has a place in the result, and its fence is there."""
    before, after = texts.local.splitlines(), result.text.splitlines()
    for edit in result.edits:
        if edit.edit.kind is EditKind.BLOCK and edit.outcome in (Outcome.CARRIED, Outcome.MOVED):
            assert edit.result is not None, edit
            place = map(_stripped, after[edit.result.start - 1 : edit.result.end])
            assert _stripped(before[edit.edit.span.start - 1]) in place, edit


def assert_edits_stand_where_reported(texts: Texts, result: RebaseResult) -> None:
    """Each edit's summary is a line of local inside its span, unless the edit is a gap."""
    lines = texts.local.splitlines()
    for edit in (outcome.edit for outcome in result.edits):
        assert 1 <= edit.span.start <= edit.span.end <= len(lines), edit
        if edit.change != "deletion" and edit.summary:
            assert edit.summary in {x.strip() for x in lines[edit.span.start - 1 : edit.span.end]}


def assert_invariants(texts: Texts, result: RebaseResult) -> None:
    """All that holds for one run on its own."""
    assert_parses(result)
    assert_nothing_fenced_is_lost(texts, result)
    assert_fences_balance(texts, result)
    assert_carried_blocks_stand_where_reported(texts, result)
    assert_edits_stand_where_reported(texts, result)
    assert_lines_are_traced(texts, result)


def assert_lines_are_traced(texts: Texts, result: RebaseResult) -> None:
    """Every line of a method comes from local, the target, or both.

    But for one that a merge spelled anew: neither has it.
    """
    mine, theirs = (text.split("\n") for text in (texts.local, texts.target))
    known = {line.strip() for line in (*mine, *theirs)}
    for trace in result.traces:
        in_base = False
        for line in trace.lines:
            text = line.text.strip()
            in_base = text.startswith("|||||||") or (in_base and not text.startswith("======="))
            marker = text[:7] in ("<" * 7, "|" * 7, "=" * 7, ">" * 7)
            if not (line.local or line.target):
                said = in_base or marker or text in ("", "pass")
                assert said or text not in known or len(text) < 9, line
            for number, side in ((line.local, mine), (line.target, theirs)):
                assert 0 <= number <= len(side), line


def statements_of(text: str) -> Counter[str]:
    """Each line of code with how often it stands there, wherever that is; ``pass`` says nothing.

    An ``else`` that holds an ``if`` alone is unparsed as ``elif``.
    """
    lines = (re.sub("^elif ", "if ", line.strip()) for line in code_of(text).splitlines())
    return Counter(line for line in lines if line not in ("pass", "else:"))


def wins(edit: EditOutcome) -> bool:
    """Whether the report says that a block kept code which would have gone without a fence."""
    return bool(edit.overruled) or "in one piece" in edit.reason or "runs twice" in edit.reason


def needs_a_person(result: RebaseResult) -> bool:
    """Whether something of *result* is left to decide."""
    return bool(result.conflicts) or any(e.outcome is Outcome.ORPHAN for e in result.edits)


def holds(edit: EditOutcome, other: EditOutcome) -> bool:
    """Whether *edit* is *other*, or code of local around it, which stays where that stays."""
    outer, inner = edit.edit.span, other.edit.span
    return outer.start <= inner.start and inner.end <= outer.end


def what_blocks_won(result: RebaseResult, local: str) -> str:
    """What the report names of blocks that win: their own lines, and the changes they overruled."""
    lines = local.splitlines()
    told: list[str] = []
    winning = [edit for edit in result.edits if wins(edit)]
    for edit in winning:
        told += (line[1:] for line in edit.overruled.splitlines() if not line.startswith("@@"))
    for edit in result.edits:
        if any(holds(edit, block) for block in winning):
            told += lines[edit.edit.span.start - 1 : edit.edit.span.end]
    return squeezed("\n".join(told))


def absorbed_by_likeness(result: RebaseResult, local: str) -> str:
    """The lines of *local* for which the report says that the upstream says much the same."""
    lines = local.splitlines()
    told: list[str] = []
    for edit in result.edits:
        if "much the same" in edit.reason:
            first = edit.edit.span.start
            numbers = [int(n) for n in re.findall(r"line (\d+): the upstream now", edit.reason)]
            told += (lines[n - 1] for n in numbers or range(first, edit.edit.span.end + 1))
    return squeezed("\n".join(told))


def squeezed(text: str) -> str:
    """*text* without what a formatter may change."""
    return re.sub(r"[\s()'\"\\]+", "", text.replace("\\n", ""))


def account(result: RebaseResult) -> list[tuple[str, str, str]]:
    """Kind, change and outcome of each edit."""
    return [(e.edit.kind.value, e.edit.change, e.outcome.value) for e in result.edits]


def assert_fences_change_no_code(
    without: RebaseResult, fenced: RebaseResult, plain_local: str, fenced_local: str
) -> None:
    """A rebase *without* the fences of local keeps the code that one with them keeps.

    Where a block won over an upstream change the report names what is different. Neither rebase
    left anything to a person.
    """
    one, other = statements_of(fenced.text), statements_of(without.text)
    differ = (one - other) + (other - one)
    if any("merged" in edit.reason for edit in without.edits):
        assert not differ or any(map(wins, fenced.edits))
        return  # a block that wins over an upstream change is not merged with it
    told = what_blocks_won(fenced, fenced_local)
    untold = {line for line in differ if squeezed(line) not in told}
    if any("in one piece" in edit.reason for edit in fenced.edits):
        # It stands elsewhere, and so does what is beside it: that meets other upstream code there.
        untold -= one.keys() & other.keys()
        alike = absorbed_by_likeness(without, plain_local)
        untold -= {line for line in untold if squeezed(line) in alike}
    assert not untold
