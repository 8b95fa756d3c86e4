"""All rules on one rebuilt function."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.audit.model import REBASE, Audited, Job
from omni_codemods.audit.reading import Side, read_side
from omni_codemods.audit.rules import RULES
from omni_codemods.findings.model import EditOutcome, Finding
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_codemods.text.lexer import split_lines


@dataclass(frozen=True, slots=True)
class Part:
    """The text of a function, and the line of its file that it starts on."""

    text: str
    start: int


def part_of(text: str, start: int, size: int) -> Part:
    """The *size* lines of *text* from line *start*."""
    return Part("".join(split_lines(text)[start - 1 : start - 1 + size]), start)


def audit(
    base: Part,
    frame: Part,
    edited: Part,
    result: Part,
    edits: Sequence[EditOutcome],
    *,
    module: str = "",
    origin: str = "",
    told: Sequence[Finding] = (),
    job: Job = REBASE,
) -> tuple[Finding, ...]:
    """Hold *result*, a function that may have conflicts in it, against what it was made of.

    The *frame* is what the result keeps where nothing says otherwise, *edited* the version whose
    edits against *base* are in *edits*, with the lines of their files. *module* is the file of the
    result, *origin* that of the target or of the newer sibling, *told* what was found before.

    Returns a finding for each thing that does not hold, in lines of the result's file; nothing
    where one of the four is not Python for the running one.
    """
    if (result.text, base.text) in ((frame.text, edited.text), (edited.text, frame.text)):
        return ()
    hunks = _hunk_lines(result.text)

    @functools.cache
    def resolved(side: str) -> Side | None:
        return read_side(
            blank_hunks(result.text, side) if hunks else result.text, result.start, hunks
        )

    sides = [read_side(part.text, part.start) for part in (base, frame, edited)]
    known = [side for side in (*sides, resolved("target")) if side is not None]
    if len(known) < 4:
        return ()
    audited = Audited(
        known[0],
        known[1],
        known[2],
        known[3],
        lambda: resolved("local"),
        edits,
        module,
        origin,
        told,
        job,
    )
    return tuple(finding for rule in RULES for finding in rule.check(audited))


def _hunk_lines(text: str) -> frozenset[int]:
    """The lines of *text* that stand in conflicts, their markers among them."""
    if "<<<<<<<" not in text:
        return frozenset()
    return frozenset(
        line
        for hunk in HUNK.finditer(text)
        for line in range(
            text.count("\n", 0, hunk.start()) + 1, text.count("\n", 0, hunk.end()) + 1
        )
    )
