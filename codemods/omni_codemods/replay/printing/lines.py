"""The lines of a result, and conflict hunks in diff3 style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.account import Item
from omni_codemods.functions.tree import Node
from omni_codemods.text.lexer import lex, split_lines

MARKER = 7


@dataclass(frozen=True, slots=True)
class Labels:
    """What stands behind the markers of a conflict hunk."""

    local: str = "local"
    base: str = "base"
    target: str = "target"


@dataclass(frozen=True, slots=True)
class Shift:
    """Indentation to replace, and by what."""

    old: str = ""
    new: str = ""

    def apply(self, line: str) -> str:
        """Return *line* at its new indentation; a blank line, or one outside, as it is."""
        if not line.strip() or not line.startswith(self.old):
            return line
        return self.new + line[len(self.old) :]


@dataclass(slots=True)
class Line:
    """One line of the result, and the edit that put it there."""

    text: str
    item: Item | None = None
    code: bool = True
    fixed: bool = False  # inside a string: never indented
    origin: int = 0  # the line of local that it is, in the upstream's words or in local's
    mine: int = 0  # the very line of local that stands here, or stood
    theirs: int = 0  # the very line of the target

    def of(self, item: Item | None) -> Line:
        """The same line, put there by *item*."""
        return Line(self.text, item, self.code, self.fixed, self.origin, self.mine, self.theirs)


@dataclass(slots=True)
class Hunk:
    """A conflict in the result, its three sides rendered."""

    local: list[Line]
    base: list[Line]
    target: list[Line]
    reason: str
    item: Item


@dataclass(slots=True)
class Rendered:
    """The lines of the result in order, hunks among them, and the statements merged in it."""

    out: list[Line | Hunk] = field(default_factory=list)
    merged: dict[Node, str] = field(default_factory=dict)


def shift_text(text: str, shift: Shift) -> list[Line]:
    """Shift the lines of one statement; lines inside a string stay."""
    try:
        interior = lex("if 1:\n" + text).string_interior
    except SourceError:
        interior = frozenset()
    return [
        Line(x, fixed=True) if i + 2 in interior else Line(shift.apply(x))
        for i, x in enumerate(split_lines(text))
    ]


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed line: its text, the edit it belongs to, and the hunk that starts there.

    *origin* is the line of local that its statement is, 0 where it is none. *mine* and *theirs*
    are the very lines of local and of the target that it stands for: what a reader compares.
    """

    text: str
    item: Item | None = None
    hunk: Hunk | None = None
    origin: int = 0
    mine: int = 0
    theirs: int = 0


def print_lines(
    rendered: Rendered, labels: Labels, margin: str, owners: dict[int, Item]
) -> list[Printed]:
    """Indent by *margin* and write the hunks out in diff3 style.

    *owners* says which line of local belongs to which edit.
    """
    out: list[Printed] = []
    for entry in rendered.out:
        if isinstance(entry, Line):
            owner = _owner(entry, owners.get(entry.origin))
            out.append(_printed(entry, owner, margin))
            continue
        out.append(Printed(f"{'<' * MARKER} {labels.local}\n", None, entry))
        for line in entry.local:
            owner = line.item or entry.item
            out.append(_printed(line, owner, margin))
        out.append(Printed(f"{'|' * MARKER} {labels.base}\n"))
        out += [Printed(indented(x, margin)) for x in entry.base]
        out.append(Printed("=" * MARKER + "\n"))
        out += [_printed(x, None, margin) for x in entry.target]
        out.append(Printed(f"{'>' * MARKER} {labels.target}\n"))
    return out


def _printed(line: Line, owner: Item | None, margin: str) -> Printed:
    return Printed(indented(line, margin), owner, None, line.origin, line.mine, line.theirs)


def pair_up(some: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield which of the lines *some* stands beside which of *others*, counted from 0.

    The two are versions of one statement: as many lines go one by one, else by what they say.
    """
    if len(some) == len(others):
        yield from ((n, n) for n in range(len(some)))
        return
    left, right = ([line.strip() for line in side] for side in (some, others))
    for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        yield from ((block.a + n, block.b + n) for n in range(block.size))


def _owner(line: Line, owner: Item | None) -> Item | None:
    """The edit that *line* belongs to: the innermost block, or what put it there.

    *owner* is the edit to which its line of local belongs.
    """
    blocks = [item for item in (owner, line.item) if item is not None and item.fenced]
    return min(blocks, key=lambda i: i.end - i.start) if blocks else line.item or owner


def side_text(rendered: Rendered, side: str, margin: str) -> str:
    """The result with every hunk resolved to ``local``, ``base`` or ``target``."""
    out: list[str] = []
    for entry in rendered.out:
        lines = [entry] if isinstance(entry, Line) else getattr(entry, side)
        out += [indented(x, margin) for x in lines]
    return "".join(out)


def indented(line: Line, margin: str) -> str:
    """The text of *line* behind *margin*, unless it is blank or inside a string."""
    return line.text if line.fixed or not line.text.strip() else margin + line.text
