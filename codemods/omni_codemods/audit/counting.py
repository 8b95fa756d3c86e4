"""Which rows of one version a result does not have, and what may have become of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.audit.model import Audited
from omni_codemods.audit.reading import Row, Side, canonical
from omni_codemods.findings.model import EditOutcome, Outcome

_LINE = re.compile(r"\bline (\d+):")


@dataclass(frozen=True, slots=True)
class Lost:
    """A *row* that a result has less often than its side, which has it *lacks* times more."""

    row: Row
    lacks: int


def lost_rows(side: Side, audited: Audited) -> list[Lost]:
    """The rows of *side* that the result has too few of, the last ones of each code.

    A row that one way to resolve the conflicts keeps is before a person's eyes.
    """
    lost = _lost_in(side, audited.result)
    for other in audited.either()[1:] if lost else ():
        there = _lost_in(side, other)
        lost = {row: min(lacks, there[row]) for row, lacks in lost.items() if row in there}
    return [Lost(row, lacks) for row, lacks in lost.items()]


def _lost_in(side: Side, result: Side) -> dict[Row, int]:
    lacking = [
        (rows, len(rows) - len(result.by_key.get(key, ())))
        for key, rows in side.by_key.items()
        if len(rows) > len(result.by_key.get(key, ()))
    ]
    if not lacking:
        return {}
    # The same code may be laid out otherwise: compare what is left over on both sides by tokens.
    spare: Counter[tuple[str, ...]] = Counter()
    for flat in {rows[0].flat for rows, _ in lacking}:
        for row in {row.key: row for row in result.by_flat.get(flat, ())}.values():
            more = len(result.by_key[row.key]) - len(side.by_key.get(row.key, ()))
            if more > 0:
                spare[canonical(row.source)] += more
    out: dict[Row, int] = {}
    for rows, less in lacking:
        code = canonical(rows[0].source) if spare else ()
        used = min(less, spare[code])
        spare[code] -= used
        if less > used:
            out |= dict.fromkeys(rows[used - less :], less - used)
    return out


def count(side: Side, row: Row) -> int:
    """How often *side* has the code of *row*."""
    alike = side.by_flat.get(row.flat, ())
    if all(other.key == row.key for other in alike):
        return len(alike)
    code = canonical(row.source)
    return sum(other.key == row.key or canonical(other.source) == code for other in alike)


def was_dropped(lost: Lost, base: Side, other: Side) -> bool:
    """Whether *other* has the code less often than *base*, by as much as the result lacks."""
    return count(base, lost.row) - count(other, lost.row) >= lost.lacks


def merged_rows(audited: Audited) -> tuple[Row, ...]:
    """The rows of the result that stand in none of the inputs, by their tokens."""
    fresh = [
        rows[0]
        for key, rows in audited.result.by_key.items()
        if not any(key in side.by_key for side in audited.inputs)
    ]
    return tuple(row for row in fresh if not any(count(side, row) for side in audited.inputs))


@dataclass(frozen=True, slots=True)
class Others:
    """The rows of the result that are not a version's own, and the words that were taken out.

    A statement that two versions changed is one of *rows*, put together from their parts; of what
    a version says, only the words that another took *out* of base may be missing there.
    """

    rows: tuple[Counter[str], ...]
    out: Counter[str]

    def hold(self, row: Row) -> bool:
        """Whether one of them says what *row* says."""
        want = _words(row)
        for other in self.rows:
            missing = want - other
            if sum(missing.values()) * 2 <= sum(want.values()) and not missing - self.out:
                return True
        return False


def other_rows(audited: Audited, side: Side) -> Others:
    """The rows of the result that *side* has not, and what its counterpart took out of base."""
    counterpart = audited.edited if side is audited.frame else audited.frame
    rows = [found[0] for key, found in audited.result.by_key.items() if key not in side.by_key]
    out: Counter[str] = Counter()
    for key, found in audited.base.by_key.items():
        if len(found) > len(counterpart.by_key.get(key, ())):
            out.update(_words(found[0]))
    return Others(tuple(map(_words, rows)), out)


def _words(row: Row) -> Counter[str]:
    return Counter(token for token in canonical(row.source) if token not in ("(", ")", ","))


def covering(audited: Audited, row: Row) -> Iterator[EditOutcome]:
    """The edits whose lines *row* of the edited version is in."""
    first, last = audited.edited.place(row), audited.edited.place(row) + row.end - row.line
    for one in audited.edits:
        if one.edit.span.start <= last and first <= one.edit.span.end:
            yield one


def is_told(audited: Audited, row: Row) -> bool:
    """Whether the account says of *row*, of the edited version, that it is not in the text."""
    untold = (Outcome.CARRIED, Outcome.MOVED)
    for one in covering(audited, row):
        if one.outcome not in untold:
            return True
        lines = [int(number) for number in _LINE.findall(one.reason)]
        if any(line <= audited.edited.place(row) + row.end - row.line for line in lines):
            return True
    return False
