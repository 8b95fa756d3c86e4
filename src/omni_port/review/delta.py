"""Our own changes before and after: base to local beside target to result.

That is what a reviewer must read. What an upstream changed comes from it, and is its own; what
differs between the two deltas is what the upgrade did to ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from omni_port.review.rows import Cell


@dataclass(frozen=True, slots=True)
class Changed:
    """A line that one side lacks (``-``) or has more (``+``); *line* is that of its own file."""

    sign: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class DeltaRow:
    """A line of the delta before, and of the delta after; *same* where they say the same."""

    before: Changed | None
    after: Changed | None
    same: bool


@dataclass(frozen=True, slots=True)
class Delta:
    """Both deltas beside each other."""

    rows: tuple[DeltaRow, ...]

    @property
    def before(self) -> int:
        """How many lines our delta had."""
        return sum(row.before is not None for row in self.rows)

    @property
    def after(self) -> int:
        """How many lines it has."""
        return sum(row.after is not None for row in self.rows)

    @property
    def changed(self) -> int:
        """How many rows a reviewer has to read."""
        return sum(not row.same for row in self.rows)


def compare_deltas(
    base: Sequence[Cell], local: Sequence[Cell], target: Sequence[Cell], result: Sequence[Cell]
) -> Delta:
    """Return the delta from *base* to *local* beside that from *target* to *result*."""
    old, new = list(_delta(base, local)), list(_delta(target, result))
    return Delta(tuple(_beside(old, new)))


def _delta(some: Sequence[Cell], others: Sequence[Cell]) -> Iterator[Changed]:
    left, right = ([cell.text.strip() for cell in side] for side in (some, others))
    if left == right:
        return
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        yield from (Changed("-", x.line, x.text) for x in some[a:b] if x.text.strip())
        yield from (Changed("+", x.line, x.text) for x in others[c:d] if x.text.strip())


def _beside(old: Sequence[Changed], new: Sequence[Changed]) -> Iterator[DeltaRow]:
    left, right = ([(x.sign, x.text.strip()) for x in side] for side in (old, new))
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for n in range(max(b - a, d - c)):
            before = old[a + n] if a + n < b else None
            after = new[c + n] if c + n < d else None
            yield DeltaRow(before, after, tag == "equal")
