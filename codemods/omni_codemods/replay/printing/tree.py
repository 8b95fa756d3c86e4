"""A plan and its skeleton → the lines of the result.

Where all three sides have the same code the text is local's, unless upstream changed its
comments; the skeleton's own changes come in the skeleton's text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from omni_codemods.functions.account import Item, own_comments
from omni_codemods.functions.alignment import Alignment, same_head
from omni_codemods.functions.diff import Role, compound_of
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.replay.plan import HeadConflict, Merged, Piece, Plan, Region
from omni_codemods.replay.printing.lines import (
    Hunk,
    Line,
    Rendered,
    Shift,
    pair_up,
    shift_text,
)


class UnbalancedError(Exception):
    """The parts of a wrap came apart; *items* are the edits that they belong to."""

    def __init__(self, items: list[Item]) -> None:
        super().__init__("a wrap came apart")
        self.items = items


class Renderer:
    """Writes the result of one function."""

    def __init__(
        self,
        base: Tree,
        local: Tree,
        target: Tree,
        by_local: Alignment,
        by_target: Alignment,
        plan: Plan,
    ) -> None:
        self._trees = {id(base): base, id(local): local, id(target): target}
        self._base, self._local, self._target = base, local, target
        self._by_local, self._by_target = by_local, by_target
        self._plan = plan
        self._regions: dict[Node, list[Region]] = {}
        for region in _merge_regions(plan):
            self._regions.setdefault(region.parent, []).append(region)

    def render(self) -> Rendered:
        """Return the whole function, dedented."""
        out = Rendered()
        self._node(self._target.root, Shift(), out.out)
        out.merged = {node: merged.text for node, merged in self._plan.merged.items()}
        return out

    # -- skeleton ---------------------------------------------------------------------------

    def _node(self, node: Node, shift: Shift, out: list[Line | Hunk]) -> None:
        """Write one node; the lines that say what an edit said are put down to that edit."""
        if node in self._plan.dissolved:
            self._dissolve(node, shift, out)
            return
        out.extend(Line(shift.apply(b), code=False) for b in self._blanks(node))
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
        writer = _Writer(self, parent, shift, body)
        regions = self._regions.get(parent, [])
        index = 0
        while index <= len(parent.children):
            here = [r for r in regions if r.start == index]
            things: list[Piece | Region] = [*self._plan.gaps.get((parent, index), []), *here]
            for thing in sorted(things, key=_local_place):
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
            _order_arms(body, writer.indent)
        if filled and parent.kind is Kind.CLAUSE and parent.children and parent.word != "@":
            _fill_empty(body, Line(shift.apply(parent.body_indent + "pass\n")))
        out.extend(body)

    def _own_lines(self, node: Node, shift: Shift, out: list[Line | Hunk]) -> None:
        if not node.lines:
            return
        if (clash := self._plan.heads.get(node)) is not None:
            out.append(self._head_hunk(node, clash, shift))
        elif node in self._plan.merged:
            merged = _merged_lines(self._plan.merged[node], self._origin(node), shift)
            _trace(merged, theirs=node, mine=self._local_of(node))
            out.extend(merged)
        else:
            chosen, tree = self._choose(node)
            moved = Shift(chosen.indent, shift.apply(node.indent + "x")[:-1])
            lines = self.lines_of(chosen, tree, moved)
            if tree is self._target and (origin := self._origin(node)):
                for line in lines:
                    line.origin = origin
                _trace(lines, mine=self._local_of(node))
            elif tree is self._local:
                _trace(lines, theirs=node)
                self._reword(lines, chosen, node)
            out.extend(lines)

    def _reword(self, lines: list[Line], local: Node, target: Node) -> None:
        """Local's code takes the target's wording of the comment behind it, if local had base's."""
        base = self._by_target.left.get(target)
        if base is None or base.head == local.head or not target.is_code:
            return
        old, mine, new = (_comments(n) for n in (base, local, target))
        if old == mine and len(old) == len(new) == 1 and old != new:
            lines[-1].text = lines[-1].text.replace(old[0], new[0])

    def _head_hunk(self, node: Node, clash: HeadConflict, shift: Shift) -> Hunk:
        new = shift.apply(node.indent + "x")[:-1]
        mine, old, theirs = (
            self.lines_of(n, tree, Shift(n.indent, new))
            for n, tree in (
                (clash.local, self._local),
                (clash.base, self._base),
                (node, self._target),
            )
        )
        return Hunk(mine, old, theirs, clash.reason, clash.item)

    def _origin(self, node: Node) -> int:
        """The line of local of which *node* is the upstream's version."""
        local = self._local_of(node)
        return local.line if local is not None else 0

    def _local_of(self, node: Node) -> Node | None:
        base = self._by_target.left.get(node)
        return self._by_local.right.get(base) if base is not None else None

    def _choose(self, node: Node) -> tuple[Node, Tree]:
        """Whose text to print for a statement that no plan changes."""
        if node in self._plan.local_wins:
            return self._plan.local_wins[node], self._local
        base = self._by_target.left.get(node)
        local = self._by_local.right.get(base) if base is not None else None
        if base is None or local is None:
            return node, self._target
        theirs, old, mine = (_bare(n) for n in (node, base, local))
        if local.head == base.head == node.head and theirs != old and mine != old:
            same_comments = _comments(node) == _comments(base)
            return (local, self._local) if same_comments else (node, self._target)
        if theirs == old or (same_head(node, base) and not same_head(local, base)):
            return local, self._local
        return node, self._target

    def _blanks(self, node: Node) -> Sequence[str]:
        base = self._by_target.left.get(node)
        local = self._by_local.right.get(base) if base is not None else None
        if base is None or local is None or node.blanks != base.blanks:
            return node.blanks
        return local.blanks

    # -- local ------------------------------------------------------------------------------

    def lines_of(self, node: Node, tree: Tree, shift: Shift) -> list[Line]:
        """The own lines of *node* at another indentation; inside a string nothing moves."""
        mine, theirs = tree is self._local, tree is self._target
        out: list[Line] = []
        for number, text in enumerate(node.lines, node.line):
            fixed = number in tree.interior
            shown = text if fixed else shift.apply(text)
            here, there = number if mine else 0, number if theirs else 0
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

    def piece(self, piece: Piece, shift: Shift) -> list[Line | Hunk]:
        """A local entry; code that local moved takes the upstream's changes along."""
        node = piece.entry.node
        base = self._by_local.left.get(node)
        target = self._by_target.right.get(base) if base is not None else None
        if target is not None and target in self._plan.gone and piece.entry.role is Role.NODE:
            moved: list[Line | Hunk] = []
            at = Shift(target.indent, shift.apply(node.indent + "x")[:-1])
            self._node(target, at, moved)
            while moved and isinstance(moved[0], Line) and not moved[0].text.strip():
                moved.pop(0)
            return [x.of(piece.item) if isinstance(x, Line) else x for x in moved]
        return [x.of(piece.item) for x in self.whole(node, self._local, shift)]

    @property
    def local(self) -> Tree:
        """The tree of the local function."""
        return self._local

    @property
    def base(self) -> Tree:
        """The tree of the base function."""
        return self._base

    def skeleton(self, nodes: Sequence[Node], shift: Shift) -> list[Line]:
        """Target nodes as the target side of a hunk."""
        out: list[Line | Hunk] = []
        for i, node in enumerate(nodes):
            out += [Line(b, None, code=False) for b in (node.blanks if i else ())]
            out += self.whole(node, self._target, shift)
        return [x for x in out if isinstance(x, Line)]


@dataclass(frozen=True, slots=True)
class _Open:
    """A suite of a local *compound* that is being written: what it holds comes after *start*.

    *shift* is that of the compound itself.
    """

    compound: Node
    shift: Shift
    item: Item
    start: int


class _Writer:
    """Writes the children of one node, keeping track of the wraps that are open."""

    def __init__(
        self, renderer: Renderer, parent: Node, shift: Shift, out: list[Line | Hunk]
    ) -> None:
        self._renderer = renderer
        self._out = out
        self._base_indent = parent.body_indent if parent.kind is Kind.CLAUSE else parent.indent
        self._stack: list[_Open] = []
        self.shift = shift

    @property
    def indent(self) -> str:
        """The white space before what is written at the moment."""
        return self._indent_of(self.shift)

    @property
    def _indent(self) -> str:
        return self.indent

    def _indent_of(self, shift: Shift) -> str:
        return shift.apply(self._base_indent + "x")[:-1]

    def piece(self, piece: Piece) -> None:
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
            indent = self._indent_of(self._stack[-1].shift) if between else self._indent
            self._out.extend(self._renderer.piece(piece, Shift(node.indent, indent)))
            return
        at = Shift(node.indent, self._indent)
        lines = self._renderer.lines_of(node, self._renderer.local, at)
        self._out.extend(x.of(piece.item) for x in lines)
        self._stack.append(_Open(compound_of(piece.entry), self.shift, piece.item, len(self._out)))
        deeper = node.body_indent[len(node.indent) :] or "    "
        self.shift = Shift(self._base_indent, self._indent + deeper)

    def _pop(self, piece: Piece) -> None:
        if not self._stack:
            raise UnbalancedError([piece.item])
        self._fill(piece.item)
        self.shift = self._stack.pop().shift

    def _fill(self, item: Item) -> None:
        """Put a ``pass`` into the innermost open suite, where it is empty."""
        start = self._stack[-1].start
        body = self._out[start:]
        _fill_empty(body, Line(f"{self._indent}pass\n", item))
        self._out[start:] = body

    def region(self, region: Region) -> None:
        indent = self._indent
        local: list[Line] = []
        for i, piece in enumerate(region.pieces):
            node = piece.entry.node
            if piece.entry.role is not Role.NODE:
                raise UnbalancedError([piece.item])
            if i:
                local += [Line(b, piece.item, code=False) for b in node.blanks]
            shift = Shift(node.indent, indent)
            whole = self._renderer.whole(node, self._renderer.local, shift)
            local += [x.of(piece.item) for x in whole]
        base: list[Line] = []
        for i, node in enumerate(region.base):
            base += [Line(b, None, code=False) for b in (node.blanks if i else ())]
            base += self._renderer.whole(node, self._renderer.base, Shift(node.indent, indent))
        nodes = region.parent.children[region.start : region.end]
        target = self._renderer.skeleton(nodes, Shift(self._base_indent, indent))
        blanks = (
            nodes[0].blanks
            if nodes
            else region.pieces[0].entry.node.blanks
            if region.pieces
            else ()
        )
        self._out.extend(Line(b, None, code=False) for b in blanks)
        self._out.append(Hunk(local, base, target, region.reason, region.item))

    def finish(self) -> None:
        if self._stack:
            raise UnbalancedError([opened.item for opened in self._stack])


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


def _trace(lines: Sequence[Line], *, theirs: Node | None = None, mine: Node | None = None) -> None:
    """Let the *lines* of a statement know those of its version in the target, and in local."""
    for node, side in ((theirs, "theirs"), (mine, "mine")):
        if node is not None:
            for here, there in pair_up([x.text for x in lines], node.lines):
                setattr(lines[here], side, node.line + there)


def _order_arms(body: list[Line | Hunk], indent: str) -> None:
    """The first arm of an ``if`` says so and the others ``elif``, whichever side they are of."""
    seen = False
    for entry in body:
        sides = ([entry],) if isinstance(entry, Line) else (entry.local, entry.base, entry.target)
        any_here = False
        for side in sides:
            first = not seen
            for line in side:
                text = line.text.removeprefix(indent)
                word = text.split("(")[0].split(" ")[0]
                if line.fixed or not line.code or word not in ("if", "elif"):
                    continue
                if line.text.startswith(indent):
                    line.text = indent + ("if" if first else "elif") + text[len(word) :]
                    first, any_here = False, True
        seen = seen or any_here


def _is_code(entry: Line | Hunk) -> bool:
    return isinstance(entry, Line) and entry.code and bool(entry.text.strip())


def _fill_empty(body: list[Line | Hunk], filler: Line) -> None:
    """A block needs a statement, whichever way its hunks are resolved.

    Nobody resolves one to its base, which says what was there: nothing, or code shown elsewhere.
    """
    if any(_is_code(x) for x in body):
        return
    hunks = [x for x in body if isinstance(x, Hunk)]
    if not hunks:
        body.append(filler)
        return
    for side in (hunks[0].local, hunks[0].target):
        if not any(_is_code(x) for x in side):
            side.append(filler)


def _merge_regions(plan: Plan) -> list[Region]:
    """Regions that overlap become one, and take in what was to be put inside of them."""
    out: list[Region] = []
    for region in sorted(plan.regions, key=lambda r: (id(r.parent), r.start, r.end)):
        last = out[-1] if out else None
        if last is not None and _is_one(last, region, plan):
            last.end = max(last.end, region.end)
            last.pieces = sorted([*last.pieces, *region.pieces], key=_local_place)
            last.base = sorted([*last.base, *region.base], key=lambda n: n.line)
        else:
            out.append(replace(region))
    for region in out:
        inside = [at for at in plan.gaps if _is_inside(at, region)]
        pieces = [piece for at in inside for piece in plan.gaps.pop(at)]
        region.pieces = sorted([*region.pieces, *pieces], key=_local_place)
    return out


def _is_one(last: Region, region: Region, plan: Plan) -> bool:
    """Whether two regions overlap, or touch with nothing of local between them."""
    if last.parent is not region.parent:
        return False
    if region.start < last.end:
        return True
    if region.start != last.start:
        return False
    low, high = sorted((_local_place(last), _local_place(region)))
    between = plan.gaps.get((region.parent, region.start), [])
    return not any(low < _local_place(piece) < high for piece in between)


def _is_inside(at: tuple[Node, int], region: Region) -> bool:
    node: Node | None
    node, index = at
    if node is region.parent:
        return region.start < index < region.end
    while node is not None and node.parent is not region.parent:
        node = node.parent
    return node is not None and region.start <= node.index < region.end


def _local_place(thing: Piece | Region) -> tuple[int, int]:
    """Where a piece stands in local: what shares a gap keeps local's order."""
    if isinstance(thing, Region):
        return _local_place(thing.pieces[0]) if thing.pieces else (sys.maxsize, 0)
    node = thing.node
    return (node.end_line, 1) if thing.entry.role is Role.CLOSE else (node.line, 0)


def _bare(node: Node) -> tuple[str, ...]:
    """The own lines without the indentation of the first."""
    return tuple(x.removeprefix(node.indent) for x in node.lines)


def _comments(node: Node) -> list[str]:
    return [t.text for t in own_comments(node)] if node.is_code else list(node.key)
