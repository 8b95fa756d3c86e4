"""*Old local | new upstream | result*, a line of each beside those that it came from.

    local    target   result
    a        a        a         all three have it
    b        c        b         ours, in the place of what the upstream has there
             d        d         the upstream's, new
    e                           gone with the upstream's own change

Which line is which is not guessed from the texts: the engine kept it when it wrote the result.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

Side = Literal["local", "target", "result"]
MARKERS = ("<" * 7, "|" * 7, "=" * 7, ">" * 7)


class Look(enum.Enum):
    """What a row is: the same on all sides, or whose doing."""

    SAME = "same"
    UPSTREAM = "upstream"
    BLOCK = "block"
    DRIFT = "drift"
    SYNC = "sync"
    CONFLICT = "conflict"
    DECIDED = "decided"
    HAND = "hand"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Cell:
    """A line of one side, by its number in the file (0: not known), without its line end."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Up to one line of each side; *kept* says that local's and the result's are one line."""

    look: Look
    local: Cell | None = None
    target: Cell | None = None
    result: Cell | None = None

    @property
    def kept(self) -> bool:
        """Whether what stands here stood so in the local file before."""
        return _says(self.local) is not None and _says(self.local) == _says(self.result)


@dataclass(frozen=True, slots=True)
class Traced:
    """A line of the result with the lines that it stands for (0: none), and whose doing it is."""

    cell: Cell
    local: int = 0
    target: int = 0
    look: Look | None = None


def _says(cell: Cell | None) -> str | None:
    return None if cell is None else cell.text.strip()


def make_cells(lines: Sequence[str], start: int) -> list[Cell]:
    """Return *lines* as cells, the first of which is line *start* of its file."""
    return [Cell(number, line.rstrip("\r\n")) for number, line in enumerate(lines, start)]


def align_rows(
    local: Sequence[Cell], target: Sequence[Cell], result: Sequence[Traced]
) -> list[Row]:
    """Return the rows in the order of *result*; what is not in it stands where it stood."""
    result = _with_blanks(local, target, result)
    used = {"local": {x.local for x in result}, "target": {x.target for x in result}}
    waiting = {
        "local": [cell for cell in local if cell.line not in used["local"]],
        "target": [cell for cell in target if cell.line not in used["target"]],
    }
    mine, theirs = ({cell.line: cell for cell in side} for side in (local, target))
    rows: list[Row] = []
    for one in _with_looks(result):
        for side, line in (("target", one.target), ("local", one.local)):
            rows += _gone_before(side, line, waiting[side])
        here, there = mine.get(one.local), theirs.get(one.target)
        row = Row(one.look or Look.SAME, here, there, one.cell)
        rows.append(replace(row, look=_look(row, one.look)))
    rows += [Row(Look.GONE, target=cell) for cell in waiting["target"]]
    rows += [Row(Look.GONE, local=cell) for cell in waiting["local"]]
    return _beside(rows)


def _gone_before(side: str, line: int, waiting: list[Cell]) -> Iterator[Row]:
    """Yield, and take out of *waiting*, what stood before *line* and is not in the result."""
    while line and waiting and waiting[0].line < line:
        cell = waiting.pop(0)
        yield Row(Look.GONE, local=cell) if side == "local" else Row(Look.GONE, target=cell)


def _look(row: Row, given: Look | None) -> Look:
    here, there, now = _says(row.local), _says(row.target), _says(row.result)
    # An edit's lines need not all be its own: what a side has as well is that side's.
    of_edit = (given is Look.SYNC and now != here) or (given is Look.DRIFT and now != there)
    if given is not None and (of_edit or given not in (Look.SYNC, Look.DRIFT)):
        return given
    if here == there == now or (not now and (here is None or there is None)):
        return Look.SAME
    if there is None:
        return Look.SYNC if here is None else Look.DRIFT
    return Look.UPSTREAM if there == now else Look.DRIFT


def _with_blanks(
    local: Sequence[Cell], target: Sequence[Cell], result: Sequence[Traced]
) -> list[Traced]:
    """Let blank lines stand beside the blank lines before the same lines: nobody traces them."""
    found = list(result)
    blank = {
        "local": {cell.line for cell in local if not cell.text.strip()},
        "target": {cell.line for cell in target if not cell.text.strip()},
    }
    for n in range(len(found) - 2, -1, -1):
        one, after = found[n], found[n + 1]
        if one.cell.text.strip():
            continue
        here, there = after.local - 1, after.target - 1
        found[n] = replace(
            one,
            local=one.local or (here if here in blank["local"] else 0),
            target=one.target or (there if there in blank["target"] else 0),
        )
    return found


def _with_looks(result: Sequence[Traced]) -> Iterator[Traced]:
    """Let the lines of a hunk be a conflict's, its markers and base with them."""
    inside = False
    for one in result:
        marker = one.cell.text[:7]
        inside = inside or marker == MARKERS[0]
        yield replace(one, look=Look.CONFLICT) if inside else one
        if marker == MARKERS[3]:
            inside = False


def _beside(rows: Sequence[Row]) -> list[Row]:
    """Put what is gone beside what stands in its place, where that has nothing on its side."""
    out: list[Row] = []
    for row in rows:
        place = _free_place(out, row) if row.look is Look.GONE else None
        if place is None:
            out.append(row)
        elif row.local is not None:
            out[place] = replace(out[place], local=row.local)
        else:
            out[place] = replace(out[place], target=row.target)
    return out


def _free_place(out: Sequence[Row], row: Row) -> int | None:
    """The first of the last rows that lack the side of *row*, nothing of that side after them."""
    side: Side = "local" if row.local is not None else "target"
    place = len(out)
    while place and getattr(out[place - 1], side) is None and out[place - 1].look is not Look.SAME:
        place -= 1
    return place if place < len(out) else None


def match_lines(some: Sequence[str], others: Sequence[str]) -> Mapping[int, int]:
    """Return which of *some* are which of *others*, both counted from 0: equal lines alone."""
    if list(some) == list(others):
        return {n: n for n in range(len(some))}
    blocks = SequenceMatcher(None, some, others, autojunk=False).get_matching_blocks()
    return {block.a + n: block.b + n for block in blocks for n in range(block.size)}
