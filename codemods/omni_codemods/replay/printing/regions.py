"""Conflicts about neighbouring nodes, put together before they are printed."""

from __future__ import annotations

import sys
from dataclasses import replace

from omni_codemods.functions.diff import Role
from omni_codemods.functions.tree import Node
from omni_codemods.replay.plan import Piece, Plan, Region


def merge_regions(plan: Plan) -> list[Region]:
    """Regions that overlap become one, and take in what was to be put inside of them."""
    out: list[Region] = []
    for region in sorted(plan.regions, key=lambda r: (id(r.parent), r.start, r.end)):
        last = out[-1] if out else None
        if last is not None and _is_one(last, region, plan):
            last.end = max(last.end, region.end)
            last.pieces = sorted([*last.pieces, *region.pieces], key=edited_place)
            last.ancestor = sorted([*last.ancestor, *region.ancestor], key=lambda n: n.line)
        else:
            out.append(replace(region))
    for region in out:
        inside = [at for at in plan.gaps if _is_inside(at, region)]
        pieces = [piece for at in inside for piece in plan.gaps.pop(at)]
        region.pieces = sorted([*region.pieces, *pieces], key=edited_place)
    return out


def _is_one(last: Region, region: Region, plan: Plan) -> bool:
    """Whether two regions overlap, or touch with nothing of the edited side between them."""
    if last.parent is not region.parent:
        return False
    if region.start < last.end:
        return True
    if region.start != last.start:
        return False
    low, high = sorted((edited_place(last), edited_place(region)))
    between = plan.gaps.get((region.parent, region.start), [])
    return not any(low < edited_place(piece) < high for piece in between)


def _is_inside(at: tuple[Node, int], region: Region) -> bool:
    node: Node | None
    node, index = at
    if node is region.parent:
        return region.start < index < region.end
    while node is not None and node.parent is not region.parent:
        node = node.parent
    return node is not None and region.start <= node.index < region.end


def edited_place(thing: Piece | Region) -> tuple[int, int]:
    """Where a piece stands in the edited side: what shares a gap keeps the edited side's order."""
    if isinstance(thing, Region):
        return edited_place(thing.pieces[0]) if thing.pieces else (sys.maxsize, 0)
    node = thing.node
    return (node.end_line, 1) if thing.entry.role is Role.CLOSE else (node.line, 0)
