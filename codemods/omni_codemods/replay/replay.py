"""Edits × skeleton → a plan: what goes into which gap of the target, what goes, what conflicts."""

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
        if not _is_under(pair.base, whole) and _is_lost(pair, scene):
            whole.add(pair.base)
            _place_whole(pair, scene)
    placer = PairPlacer(scene)
    pairs = [p for p in ledger.pairs if not _is_under(p.base, whole)]
    lost = [p for p in pairs if p.base not in scene.by_target.right]
    for pair in lost:
        placer.place(pair)
    RunPlacer(scene).place([r for r in ledger.runs if not _is_under(r.block, whole)])
    for pair in pairs:
        if pair.base in scene.by_target.right:
            placer.place(pair)
    scene.rescue()
    if scene.options.widen:
        _widen(scene)
    return scene.plan


def _is_under(node: Node, whole: set[Node]) -> bool:
    return any(n in whole for n in node.upwards())


def _is_lost(pair: Pair, scene: Scene) -> bool:
    """Whether the target has nothing left of a compound or clause that holds local edits."""
    base, local = pair.base, pair.local
    if base.kind not in (Kind.COMPOUND, Kind.CLAUSE):
        return False
    if any(n in scene.by_target.right for n in base.walk() if n.is_code):
        return False
    return local.code != base.code or scene.account.touches_block(local)


def _place_whole(pair: Pair, scene: Scene) -> None:
    """A compound that is gone from the target, with local edits in it, is one decision."""
    base, local = pair.base, pair.local
    gap = scene.placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
    items = scene.inner_items(local)
    if _has_drift(base, local, scene) or not items:
        drift = scene.account.drift([local], local.line)
        drift.modifies = True
        items.append(drift)
    for item in items:
        outcome = Outcome.ORPHAN if item.fenced else Outcome.CONFLICT
        item.say(outcome, Evidence.GUESSED, "the upstream removed the code around it")
    scene.contest(gap, [Piece(Entry(local), items[-1])], [base], "the upstream removed it")


def _has_drift(base: Node, local: Node, scene: Scene) -> bool:
    """Whether *local* differs from *base* outside its blocks."""
    unfenced = [n for n in local.walk() if n.is_code and scene.account.owner(n) is None]
    ours = [without_fenced(n) if n.tokens else n.key for n in unfenced]
    return ours != [n.key for n in base.walk() if n.is_code]


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


def _widen_to(target: Node, reason: str, item: Item, scene: Scene) -> None:
    base = scene.by_target.left.get(target)
    local = scene.by_local.right.get(base) if base is not None else None
    if base is None or local is None or target.parent is None:
        raise UnplaceableError
    piece = Piece(Entry(local), item)
    scene.say([piece], Outcome.CONFLICT, (Evidence.GUESSED, reason))
    start = target.index
    region = Region(target.parent, start, start + 1, [piece], [base], reason, item)
    scene.plan.regions.append(region)
