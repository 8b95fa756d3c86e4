"""Printed lines → a whole file, with the account of its edits and conflicts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Conflict, EditOutcome, Span
from omni_codemods.functions.account import Item
from omni_codemods.functions.tree import Tree, parse_function
from omni_codemods.replay.printing.lines import Printed, indented
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Located


def spliced(local: str, where: Located, printed: Sequence[Printed]) -> str:
    """*local* with the function at *where* replaced by *printed*, its line ends kept."""
    newline = "\r\n" if "\r\n" in where.text else "\n"
    lines = split_lines(local)
    new = [p.text.replace("\n", newline) if newline != "\n" else p.text for p in printed]
    if new and where.end == len(lines) and not lines[-1].endswith(("\n", "\r")):
        new[-1] = new[-1].rstrip("\r\n")
    return "".join([*lines[: where.start - 1], *new, *lines[where.end :]])


def margin(text: str) -> str:
    """The white space that *text* starts with."""
    return text[: len(text) - len(text.lstrip(" \t"))]


def parse(where: Located, side: str, name: str = "") -> Tree:
    """The tree of a function; *name* is what local calls it, whatever this side does."""
    text = where.text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.endswith("\n"):
        text += "\n"
    if name:
        text = re.sub(r"^(\s*(?:async\s+)?def\s+)\w+", rf"\g<1>{name}", text, count=1, flags=re.M)
    try:
        return parse_function(text)
    except SourceError as error:
        line = None if error.line is None else error.line + where.start - 1
        raise SourceError(error.message, hint=error.hint, line=line, side=side) from error


def outcomes(
    items: Sequence[Item], printed: Sequence[Printed], local_start: int, start: int
) -> tuple[EditOutcome, ...]:
    """The account; the function starts at *local_start* in local and *start* in the result."""
    lines: dict[int, list[tuple[int, str]]] = {}
    for number, line in enumerate(printed, start):
        if line.item is not None:
            lines.setdefault(id(line.item), []).append((number, line.text))
    out = []
    # What stood behind a line comes after what changed the line, on however many it stands.
    for item in sorted(items, key=lambda i: (i.start, i.end, i.change == "deletion")):
        if item.is_remark:
            continue
        out.append(item.outcome(local_start, _span(item, lines.get(id(item), []))))
    return tuple(out)


def _span(item: Item, lines: list[tuple[int, str]]) -> Span | None:
    """Where an edit stands; a block inside a statement is only the lines between its fences."""
    if not lines:
        return None
    first, last = item.markers or ("", "")
    starts = [n for n, text in lines if first in text]
    ends = [n for n, text in lines if last in text]
    if not starts or not ends:
        return Span(lines[0][0], lines[-1][0])
    return Span(starts[0], max(starts[0], ends[-1]))


def conflicts(printed: Sequence[Printed], start: int, indent: str) -> tuple[Conflict, ...]:
    """The hunks among *printed*, whose first line is line *start* of the result.

    *indent* is the function's; the sides are as they stand in the result.
    """
    out = []
    for number, line in enumerate(printed, start):
        if (hunk := line.hunk) is not None:
            own, ancestor, other = (
                "".join(indented(x, indent) for x in side)
                for side in (hunk.own, hunk.ancestor, hunk.other)
            )
            out.append(Conflict(number, own, ancestor, other, hunk.reason))
    return tuple(out)


def line_of(origin: int, printed: Sequence[Printed], start: int) -> int:
    """Return where line *origin* of the local function stands in the result.

    *printed* starts at line *start* of it. A line that is gone is where the next one of local is.
    """
    later = [(p.origin, n) for n, p in enumerate(printed) if p.origin >= origin]
    return start + (min(later)[1] if later else 0)
