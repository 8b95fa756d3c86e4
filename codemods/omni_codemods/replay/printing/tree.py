"""A plan and its skeleton → the lines of the result.

The skeleton is walked; ``text_choice`` says in whose text a statement is written that no edit is
about, and every line knows the edit that put it there.
"""

from __future__ import annotations

from omni_codemods.functions.diff import Role
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.replay.plan import HeadConflict, Merged, Piece, Plan, Region
from omni_codemods.replay.printing.arms import fill_empty, order_arms
from omni_codemods.replay.printing.lines import Hunk, Line, Rendered, Shift, shift_text
from omni_codemods.replay.printing.node_text import NodeText
from omni_codemods.replay.printing.regions import edited_place, merge_regions
from omni_codemods.replay.printing.suite import SuiteWriter
from omni_codemods.replay.printing.text_choice import TextChoice
from omni_codemods.replay.printing.tracing import trace_lines
from omni_codemods.replay.versions import Versions


class Renderer:
    """Writes the result of one function."""

    def __init__(self, versions: Versions, plan: Plan, choice: TextChoice) -> None:
        self._versions, self._choice = versions, choice
        self._text = NodeText(versions)
        self._plan = plan
        self._regions: dict[Node, list[Region]] = {}
        for region in merge_regions(plan):
            self._regions.setdefault(region.parent, []).append(region)

    def render(self) -> Rendered:
        """Return the whole function, dedented."""
        out = Rendered(own=self._choice.own)
        self._node(self._versions.skeleton.root, Shift(), out.out)
        out.merged = {node: merged.text for node, merged in self._plan.merged.items()}
        return out

    # -- skeleton ---------------------------------------------------------------------------

    def _node(self, node: Node, shift: Shift, out: list[Line | Hunk]) -> None:
        """Write one node; the lines that say what an edit said are put down to that edit."""
        if node in self._plan.dissolved:
            self._dissolve(node, shift, out)
            return
        out.extend(Line(shift.apply(b), code=False) for b in self._choice.blanks(node))
        start = len(out)
        self._own_lines(node, shift, out)
        if node.kind in (Kind.COMPOUND, Kind.CLAUSE):
            self._children(node, shift, out)
        if node in self._plan.absorbed:
            for line in out[start:]:
                if isinstance(line, Line) and line.item is None:
                    line.item = self._plan.absorbed[node]

    def _dissolve(self, node: Node, shift: Shift, out: list[Line | Hunk]) -> None:
        for clause in node.children:
            if clause.kind is Kind.CLAUSE and clause.children:
                freed = Shift(clause.body_indent, shift.apply(node.indent + "x")[:-1])
                self._children(clause, freed, out, filled=False)

    def _children(
        self, parent: Node, shift: Shift, out: list[Line | Hunk], *, filled: bool = True
    ) -> None:
        body: list[Line | Hunk] = []
        writer = SuiteWriter(self._text, self._piece, parent, shift, body)
        regions = self._regions.get(parent, [])
        index = 0
        while index <= len(parent.children):
            here = [r for r in regions if r.start == index]
            things: list[Piece | Region] = [*self._plan.gaps.get((parent, index), []), *here]
            for thing in sorted(things, key=edited_place):
                if isinstance(thing, Region):
                    writer.region(thing)
                else:
                    writer.piece(thing)
            end = max((r.end for r in here), default=index)
            if end > index:
                index = end
                continue
            if index < len(parent.children) and parent.children[index] not in self._plan.gone:
                self._node(parent.children[index], writer.shift, body)
            index += 1
        writer.finish()
        if parent.kind is Kind.COMPOUND:
            order_arms(body, writer.indent)
        if filled and parent.kind is Kind.CLAUSE and parent.children and parent.word != "@":
            fill_empty(body, Line(shift.apply(parent.body_indent + "pass\n")))
        out.extend(body)

    def _own_lines(self, node: Node, shift: Shift, out: list[Line | Hunk]) -> None:
        if not node.lines:
            return
        if (clash := self._plan.heads.get(node)) is not None:
            out.append(self._head_hunk(node, clash, shift))
        elif node in self._plan.merged:
            lines = _merged_lines(self._plan.merged[node], self._origin(node), shift)
            trace_lines(lines, skeleton=node, edited=self._versions.edited_of(node))
            out.extend(lines)
        else:
            chosen, tree = self._text_of(node)
            moved = Shift(chosen.indent, shift.apply(node.indent + "x")[:-1])
            lines = self._text.lines_of(chosen, tree, moved)
            if tree is self._versions.skeleton and (origin := self._origin(node)):
                for line in lines:
                    line.origin = origin
                trace_lines(lines, edited=self._versions.edited_of(node))
            elif tree is self._versions.edited:
                trace_lines(lines, skeleton=node)
                self._choice.reword(lines, chosen, node)
            out.extend(lines)

    def _text_of(self, node: Node) -> tuple[Node, Tree]:
        """The node that is printed in place of *node*, and its tree."""
        if (edited := self._plan.edited_wins.get(node)) is not None:
            return edited, self._versions.edited
        return self._choice.choose(node)

    def _origin(self, node: Node) -> int:
        """The line of the edited side of which *node* is the skeleton's version."""
        edited = self._versions.edited_of(node)
        return edited.line if edited is not None else 0

    def _head_hunk(self, node: Node, clash: HeadConflict, shift: Shift) -> Hunk:
        new = shift.apply(node.indent + "x")[:-1]
        mine, old, theirs = (
            self._text.lines_of(n, tree, Shift(n.indent, new))
            for n, tree in (
                (clash.edited, self._versions.edited),
                (clash.ancestor, self._versions.ancestor),
                (node, self._versions.skeleton),
            )
        )
        return Hunk(mine, old, theirs, clash.reason, clash.item)

    # -- the edited side ----------------------------------------------------------------------

    def _piece(self, piece: Piece, shift: Shift) -> list[Line | Hunk]:
        """An edited entry; code that the edited side moved takes the skeleton's changes along."""
        node = piece.entry.node
        skeleton = self._versions.skeleton_of(node)
        if skeleton is not None and skeleton in self._plan.gone and piece.entry.role is Role.NODE:
            moved: list[Line | Hunk] = []
            at = Shift(skeleton.indent, shift.apply(node.indent + "x")[:-1])
            self._node(skeleton, at, moved)
            while moved and isinstance(moved[0], Line) and not moved[0].text.strip():
                moved.pop(0)
            return [x.of(piece.item) if isinstance(x, Line) else x for x in moved]
        return [x.of(piece.item) for x in self._text.whole(node, self._versions.edited, shift)]


def _merged_lines(merged: Merged, origin: int, shift: Shift) -> list[Line]:
    """The lines of a merged statement, each with the edit that it belongs to."""
    lines = [Line(x.text, None, True, x.fixed, origin) for x in shift_text(merged.text, shift)]
    for block in merged.blocks:
        first, last = block.markers or ("", "")
        free = [n for n, x in enumerate(lines) if x.item is None]
        start = next((n for n in free if first in lines[n].text), None)
        end = next((n for n in free if n >= (start or 0) and last in lines[n].text), None)
        if start is not None and end is not None:
            for line in lines[start : end + 1]:
                line.item = block
    return [x.of(x.item or merged.item) for x in lines]
