"""The children of one skeleton node, with the pieces and hunks between them.

A wrap that was put around the ancestor's code is written as an opening piece, what it holds, and a
closing piece. What stands in between, the skeleton's own new code too, moves in by one level::

    with mine():          piece OPEN       shift: 4 -> 8
        first()           skeleton node
        added()           piece NODE
    last()                piece CLOSE      shift: 4 -> 4
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Role, compound_of
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.plan import Piece, Region
from omni_codemods.replay.printing.arms import fill_empty
from omni_codemods.replay.printing.lines import Hunk, Line, Shift
from omni_codemods.replay.printing.node_text import NodeText

PrintPiece = Callable[[Piece, Shift], list[Line | Hunk]]


class UnbalancedError(Exception):
    """The parts of a wrap came apart; *items* are the edits that they belong to."""

    def __init__(self, items: list[Item]) -> None:
        super().__init__("a wrap came apart")
        self.items = items


@dataclass(frozen=True, slots=True)
class _Open:
    """A suite of an edited *compound* that is being written: what it holds comes after *start*.

    *shift* is that of the compound itself.
    """

    compound: Node
    shift: Shift
    item: Item
    start: int


class SuiteWriter:
    """Writes the children of one node, keeping track of the wraps that are open."""

    def __init__(
        self,
        text: NodeText,
        print_piece: PrintPiece,
        parent: Node,
        shift: Shift,
        out: list[Line | Hunk],
    ) -> None:
        """What is written goes to *out*; *print_piece* prints the piece of a whole node."""
        self._text = text
        self._print_piece = print_piece
        self._out = out
        self._parent_indent = parent.body_indent if parent.kind is Kind.CLAUSE else parent.indent
        self._stack: list[_Open] = []
        self.shift = shift

    @property
    def indent(self) -> str:
        """The white space before what is written at the moment."""
        return self._indent_of(self.shift)

    def _indent_of(self, shift: Shift) -> str:
        return shift.apply(self._parent_indent + "x")[:-1]

    def piece(self, piece: Piece) -> None:
        """Write a piece: a whole node, or the header or the end of a wrap."""
        node, role = piece.entry.node, piece.entry.role
        if role in (Role.MIDDLE, Role.CLOSE):
            self._pop(piece)
        if role is Role.CLOSE:
            return
        blanks = node.blanks
        if role is Role.OPEN and node.parent is not None:
            blanks = node.parent.blanks
        between = bool(self._stack) and node.parent is self._stack[-1].compound
        if role is Role.NODE and between:
            self._fill(piece.item)
        self._out.extend(Line(b, piece.item, code=False) for b in blanks)
        if role is Role.NODE:
            indent = self._indent_of(self._stack[-1].shift) if between else self.indent
            self._out.extend(self._print_piece(piece, Shift(node.indent, indent)))
            return
        at = Shift(node.indent, self.indent)
        lines = self._text.lines_of(node, self._text.versions.edited, at)
        self._out.extend(x.of(piece.item) for x in lines)
        self._stack.append(_Open(compound_of(piece.entry), self.shift, piece.item, len(self._out)))
        deeper = node.body_indent[len(node.indent) :] or "    "
        self.shift = Shift(self._parent_indent, self.indent + deeper)

    def _pop(self, piece: Piece) -> None:
        if not self._stack:
            raise UnbalancedError([piece.item])
        self._fill(piece.item)
        self.shift = self._stack.pop().shift

    def _fill(self, item: Item) -> None:
        """Put a ``pass`` into the innermost open suite, where it is empty."""
        start = self._stack[-1].start
        body = self._out[start:]
        fill_empty(body, Line(f"{self.indent}pass\n", item))
        self._out[start:] = body

    def region(self, region: Region) -> None:
        """Write a hunk about whole nodes."""
        text, versions, indent = self._text, self._text.versions, self.indent
        edited: list[Line] = []
        for i, piece in enumerate(region.pieces):
            node = piece.entry.node
            if piece.entry.role is not Role.NODE:
                raise UnbalancedError([piece.item])
            if i:
                edited += [Line(b, piece.item, code=False) for b in node.blanks]
            whole = text.whole(node, versions.edited, Shift(node.indent, indent))
            edited += [x.of(piece.item) for x in whole]
        shifts = [Shift(node.indent, indent) for node in region.ancestor]
        ancestor = text.side_by_side(region.ancestor, versions.ancestor, shifts)
        nodes = region.parent.children[region.start : region.end]
        shifts = [Shift(self._parent_indent, indent)] * len(nodes)
        skeleton = text.side_by_side(nodes, versions.skeleton, shifts)
        first = next(iter([*nodes, *(p.entry.node for p in region.pieces)]), None)
        blanks = first.blanks if first is not None else ()
        self._out.extend(Line(b, None, code=False) for b in blanks)
        self._out.append(Hunk(edited, ancestor, skeleton, region.reason, region.item))

    def finish(self) -> None:
        """Say that no more comes. Raises :class:`UnbalancedError` where a wrap is still open."""
        if self._stack:
            raise UnbalancedError([opened.item for opened in self._stack])
