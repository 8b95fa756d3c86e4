"""The lines of a result, and conflict hunks in diff3 style."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.account import Item
from omni_codemods.functions.tree import Node
from omni_codemods.text.lexer import lex, split_lines

MARKER = 7


class Side(enum.Enum):
    """One of the three versions that a replay compares."""

    ANCESTOR = "ancestor"
    EDITED = "edited"
    SKELETON = "skeleton"


@dataclass(frozen=True, slots=True)
class Labels:
    """What stands behind the markers of a conflict hunk: the file's own side, base, the other."""

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
    origin: int = 0  # the line of the edited side, in whichever side's words
    edited: int = 0  # the very line of the edited side that it stands for
    skeleton: int = 0  # the very line of the skeleton

    def of(self, item: Item | None) -> Line:
        """The same line, put there by *item*."""
        lines = self.origin, self.edited, self.skeleton
        return Line(self.text, item, self.code, self.fixed, *lines)


@dataclass(frozen=True, slots=True)
class Hunk:
    """A conflict in the result, its three sides rendered."""

    edited: list[Line]
    ancestor: list[Line]
    skeleton: list[Line]
    reason: str
    item: Item

    def side(self, side: Side) -> list[Line]:
        """The lines of one side."""
        return {
            Side.EDITED: self.edited,
            Side.ANCESTOR: self.ancestor,
            Side.SKELETON: self.skeleton,
        }[side]


@dataclass(slots=True)
class Rendered:
    """The lines of the result in order, hunks among them, and the statements merged in it.

    *own* is the side that the file itself is: a hunk shows it first. A rebase writes the file
    whose edits it carries, a sync the one that they are carried to.
    """

    out: list[Line | Hunk] = field(default_factory=list)
    merged: dict[Node, str] = field(default_factory=dict)
    own: Side = Side.EDITED

    @property
    def order(self) -> tuple[Side, Side, Side]:
        """The sides in the order in which a hunk shows them."""
        other = Side.EDITED if self.own is Side.SKELETON else Side.SKELETON
        return self.own, Side.ANCESTOR, other


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
class Shown:
    """A hunk as it is printed: the file's own side first, the ancestor, the side that comes in."""

    own: list[Line]
    ancestor: list[Line]
    other: list[Line]
    reason: str


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed line: its text, the edit it belongs to, and the hunk that starts there.

    *origin* is the line of the edited side that its statement is, 0 where it is none. *edited*
    and *skeleton* are the very lines that it stands for.
    """

    text: str
    item: Item | None = None
    hunk: Shown | None = None
    origin: int = 0
    edited: int = 0
    skeleton: int = 0


def print_lines(
    rendered: Rendered, labels: Labels, margin: str, owners: dict[int, Item]
) -> list[Printed]:
    """Indent by *margin* and write the hunks out in diff3 style.

    *owners* says which line of the edited side belongs to which edit.
    """
    out: list[Printed] = []
    for entry in rendered.out:
        if isinstance(entry, Line):
            owner = _owner(entry, owners.get(entry.origin))
            out.append(_printed(entry, owner, margin))
        else:
            out += _print_hunk(entry, rendered, labels, margin)
    return out


def _print_hunk(hunk: Hunk, rendered: Rendered, labels: Labels, margin: str) -> Iterator[Printed]:
    own, old, new = (hunk.side(side) for side in rendered.order)
    shown = Shown(own, old, new, hunk.reason)
    yield Printed(f"{'<' * MARKER} {labels.local}\n", None, shown)
    for line in own:
        yield _printed(line, line.item or hunk.item, margin)
    yield Printed(f"{'|' * MARKER} {labels.base}\n")
    yield from (Printed(indented(x, margin)) for x in old)
    yield Printed("=" * MARKER + "\n")
    for line in new:
        yield Printed(indented(line, margin), edited=line.edited, skeleton=line.skeleton)
    yield Printed(f"{'>' * MARKER} {labels.target}\n")


def _printed(line: Line, owner: Item | None, margin: str) -> Printed:
    text = indented(line, margin)
    return Printed(text, owner, None, line.origin, line.edited, line.skeleton)


def _owner(line: Line, owner: Item | None) -> Item | None:
    """The edit that *line* belongs to: the innermost block, or what put it there.

    *owner* is the edit to which its line of the edited side belongs.
    """
    blocks = [item for item in (owner, line.item) if item is not None and item.fenced]
    return min(blocks, key=lambda i: i.end - i.start) if blocks else line.item or owner


def side_text(rendered: Rendered, side: Side, margin: str) -> str:
    """The result with every hunk resolved to *side*."""
    out: list[str] = []
    for entry in rendered.out:
        lines = [entry] if isinstance(entry, Line) else entry.side(side)
        out += [indented(x, margin) for x in lines]
    return "".join(out)


def both_texts(rendered: Rendered, margin: str = "") -> tuple[str, str]:
    """The result with every hunk resolved to the file's own side, and to the other."""
    own, _, other = rendered.order
    return side_text(rendered, own, margin), side_text(rendered, other, margin)


def indented(line: Line, margin: str) -> str:
    """The text of *line* behind *margin*, unless it is blank or inside a string."""
    return line.text if line.fixed or not line.text.strip() else margin + line.text
