"""Nodes as lines at another indentation.

A node keeps its lines as they are in its file. To move it is to put other white space in front of
each line, but for those inside a string that goes over several lines, which are part of its value::

    Shift("········", "····")      ········call(x)      ->   ····call(x)
                                   ········text = (           ····text = (
                                   in a long string           in a long string   (fixed)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.functions.tree import Node, Tree
from omni_codemods.replay.printing.lines import Line, Shift
from omni_codemods.replay.versions import Versions


@dataclass(frozen=True, slots=True)
class NodeText:
    """Prints nodes of the three versions as they are; lines of the edited one know their origin."""

    versions: Versions

    def lines_of(self, node: Node, tree: Tree, shift: Shift) -> list[Line]:
        """The own lines of *node* at another indentation; inside a string nothing moves."""
        mine, frame = tree is self.versions.edited, tree is self.versions.skeleton
        out: list[Line] = []
        for number, text in enumerate(node.lines, node.line):
            fixed = number in tree.interior
            shown = text if fixed else shift.apply(text)
            here, there = number if mine else 0, number if frame else 0
            out.append(Line(shown, None, node.is_code, fixed, here, here, there))
        return out

    def whole(self, node: Node, tree: Tree, shift: Shift) -> list[Line]:
        """*node* with all below it, without the blank lines before it."""
        out = self.lines_of(node, tree, shift)
        for i, child in enumerate(node.children):
            if out or i:
                out += [Line(b, None, code=False) for b in child.blanks]
            out += self.whole(child, tree, shift)
        return out

    def side_by_side(
        self, nodes: Sequence[Node], tree: Tree, shifts: Sequence[Shift]
    ) -> list[Line]:
        """Neighbours with the blank lines between them, as one side of a hunk."""
        out: list[Line] = []
        for i, (node, shift) in enumerate(zip(nodes, shifts, strict=True)):
            out += [Line(b, None, code=False) for b in (node.blanks if i else ())]
            out += self.whole(node, tree, shift)
        return out
