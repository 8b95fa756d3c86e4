"""The sibling's new code stays outside of the NPU copy's blocks.

What stands in a block is the copy's own. Code that the sibling gained next to a statement which the
copy has in a block goes before or behind the whole block; and where its place would be in the midst
of one, and is not sure, it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omni_codemods.findings.model import Block, Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import compound_of
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.replay.held import Held
from omni_codemods.replay.plan import Piece, Plan

_Ends = tuple[Node, Node]  # the opening and the closing fence of a block
_WHY = "its place would be in the midst of a block of the NPU copy"


def keep_outside(plan: Plan, blocks: Sequence[Block], copy: Tree, held: Held) -> None:
    """Move what *plan* puts behind an opening fence before it, and so at the closing one.

    Where the block's code next to it is the sibling's own, as *held* says, it stays. What is left
    inside, and is not exactly placed, is proposed with all that belongs to it.
    """
    ends = list(_ends(blocks, copy))
    for opening, closing in ends:
        _move_out(plan, opening, closing, held)
    inside = {p.item for pieces in _inside(plan, ends) for p in pieces}
    unsure = {i for i in inside if not (i.deletes or i.modifies) and not _is_exact(i)}
    if unsure:
        _propose(plan, unsure)


def _ends(blocks: Sequence[Block], copy: Tree) -> Iterator[_Ends]:
    fences = {n.line: n for n in copy.root.walk() if n.fence}
    for block in blocks:
        opening, closing = fences.get(block.span.start), fences.get(block.span.end)
        if opening is None or closing is None or opening is closing:
            continue
        if opening.parent is closing.parent is not None:
            yield opening, closing


def _move_out(plan: Plan, opening: Node, closing: Node, held: Held) -> None:
    parent = opening.parent
    assert parent is not None
    low, high = opening.index, closing.index
    code = [n for n in parent.children[low + 1 : high] if n.is_code and n not in plan.gone]
    before = code and code[0] not in held.followers
    behind = code and code[-1] not in held.followers
    for at in range(low + 1, high + 1):
        if not (pieces := plan.gaps.get((parent, at))):
            continue
        if any(region.parent is parent and low < region.start <= high for region in plan.regions):
            return
        if before and at <= code[0].index:
            del plan.gaps[parent, at]
            plan.gaps.setdefault((parent, low), []).extend(pieces)
        elif behind and at > code[-1].index:
            del plan.gaps[parent, at]
            outside = plan.gaps.setdefault((parent, high + 1), [])
            outside[:0] = pieces


def _inside(plan: Plan, ends: Sequence[_Ends]) -> Iterator[list[Piece]]:
    """What *plan* puts into blocks: between their fences, at any depth."""
    for (parent, index), pieces in plan.gaps.items():
        around = {*parent.upwards()}
        for opening, closing in ends:
            home = opening.parent
            if home is parent:
                within = opening.index < index <= closing.index
            else:
                held = home.children[opening.index : closing.index] if home is not None else ()
                within = any(node in around for node in held)
            if within and pieces:
                yield pieces
                break


def _is_exact(item: Item) -> bool:
    return all(evidence is Evidence.EXACT for _, evidence, _ in item.outcomes)


def _propose(plan: Plan, items: set[Item]) -> None:
    """Take *items* out of *plan*, with what stands in the compounds that they put around code."""
    placed = [piece for pieces in plan.gaps.values() for piece in pieces]
    wraps = {compound_of(p.entry) for p in placed if p.item in items and not p.is_whole}
    items |= {p.item for p in placed if p.is_whole and not wraps.isdisjoint(p.node.upwards())}
    for place, pieces in plan.gaps.items():
        plan.gaps[place] = [piece for piece in pieces if piece.item not in items]
    for item in items:
        item.outcomes = [(Outcome.PROPOSED, Evidence.GUESSED, _WHY)]
