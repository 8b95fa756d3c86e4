"""Edits × skeleton → a plan: what is put into which gap, what goes away, what conflicts."""

from __future__ import annotations

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Ledger, Pair
from omni_codemods.functions.statement_brackets import without_fenced
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.insertions import RunPlacer
from omni_codemods.replay.modifications import PairPlacer
from omni_codemods.replay.plan import Piece, Plan, Region, Scene


class UnplaceableError(Exception):
    """A conflict that no hunk smaller than the function can hold."""


def replay(ledger: Ledger, scene: Scene) -> Plan:
    """Place everything in *ledger* and return the plan.

    Raises :class:`UnplaceableError` where a conflict is about the function's own header.
    """
    whole: set[Node] = set()
    for pair in ledger.pairs:
        if not _is_under(pair.ancestor, whole) and _is_lost(pair, scene):
            whole.add(pair.ancestor)
            _place_whole(pair, scene)
    placer = PairPlacer(scene)
    pairs = [p for p in ledger.pairs if not _is_under(p.ancestor, whole)]
    lost = [p for p in pairs if p.ancestor not in scene.to_skeleton.right]
    for pair in lost:
        placer.place(pair)
    RunPlacer(scene).place([r for r in ledger.runs if not _is_under(r.block, whole)])
    for pair in pairs:
        if pair.ancestor in scene.to_skeleton.right:
            placer.place(pair)
    scene.rescue()
    if scene.options.widen:
        _widen(scene)
    return scene.plan


def _is_under(node: Node, whole: set[Node]) -> bool:
    return any(n in whole for n in node.upwards())


def _is_lost(pair: Pair, scene: Scene) -> bool:
    """Whether the skeleton has nothing left of a compound or clause that holds edits."""
    ancestor, edited = pair.ancestor, pair.edited
    if ancestor.kind not in (Kind.COMPOUND, Kind.CLAUSE):
        return False
    if any(n in scene.to_skeleton.right for n in ancestor.walk() if n.is_code):
        return False
    return edited.code != ancestor.code or scene.account.touches_block(edited)


def _place_whole(pair: Pair, scene: Scene) -> None:
    """A compound that is gone from the skeleton, with edits in it, is one decision."""
    ancestor, edited = pair.ancestor, pair.edited
    gap = scene.placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
    items, them = scene.inner_items(edited), scene.options.words.skeleton
    if _has_drift(ancestor, edited, scene) or not items:
        drift = scene.account.drift([edited], edited.line)
        drift.modifies = True
        items.append(drift)
    for item in items:
        outcome = Outcome.ORPHAN if item.fenced else Outcome.CONFLICT
        item.say(outcome, Evidence.GUESSED, f"{them} removed the code around it")
    scene.contest(gap, [Piece(Entry(edited), items[-1])], [ancestor], f"{them} removed it")


def _has_drift(ancestor: Node, edited: Node, scene: Scene) -> bool:
    """Whether *edited* differs from *ancestor* outside its blocks."""
    unfenced = [n for n in edited.walk() if n.is_code and scene.account.owner(n) is None]
    ours = [without_fenced(n) if n.tokens else n.key for n in unfenced]
    return ours != [n.key for n in ancestor.walk() if n.is_code]


def _widen(scene: Scene) -> None:
    """Make a conflict about a clause one about the statement that the clause belongs to."""
    plan = scene.plan
    for region in list(plan.regions):
        if region.parent.kind is Kind.COMPOUND:
            plan.regions.remove(region)
            _widen_to(region.parent, region.reason, region.item, scene)
    for node, clash in list(plan.heads.items()):
        if node.kind is Kind.CLAUSE and node.parent is not None:
            del plan.heads[node]
            _widen_to(node.parent, clash.reason, clash.item, scene)


def _widen_to(skeleton: Node, reason: str, item: Item, scene: Scene) -> None:
    ancestor = scene.to_skeleton.left.get(skeleton)
    edited = scene.to_edited.right.get(ancestor) if ancestor is not None else None
    if ancestor is None or edited is None or skeleton.parent is None:
        raise UnplaceableError
    piece = Piece(Entry(edited), item)
    scene.say([piece], Outcome.CONFLICT, (Evidence.GUESSED, reason))
    start = skeleton.index
    region = Region(skeleton.parent, start, start + 1, [piece], [ancestor], reason, item)
    scene.plan.regions.append(region)
