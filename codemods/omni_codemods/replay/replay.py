"""Edits × skeleton → a plan: what is put into which gap, what goes away, what conflicts.

The order of the stages matters, for each looks at what those before it decided:

1. Compounds of which the skeleton has nothing left are one decision each, whatever is in them.
2. Statements that were changed and are gone become conflicts, whose places the runs next to them
   take for their neighbours.
3. Runs (:mod:`.runs`): insertions and deletions.
4. Statements that were changed and are there: by now it is known what of the skeleton goes, and
   which edit stands around them.
5. What was put into code that a block overruled afterwards is rescued.
"""

from __future__ import annotations

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Ledger, Pair
from omni_codemods.functions.statement_brackets import without_fenced
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.insertions import Inserter
from omni_codemods.replay.modifications import PairPlacer
from omni_codemods.replay.placement import Placer
from omni_codemods.replay.plan import Piece, Plan, Region
from omni_codemods.replay.runs import place_runs


class UnplaceableError(Exception):
    """A conflict that no hunk smaller than the function can hold."""


def replay(ledger: Ledger, facts: Facts) -> Plan:
    """Place everything in *ledger* and return the plan; outcomes are in the account of *facts*.

    Raises :class:`UnplaceableError` where a conflict is about the function's own header.
    """
    plan = Plan(facts.to_skeleton.left)
    inserter = Inserter(facts, plan, Placer(facts.to_skeleton))
    whole: set[Node] = set()
    for pair in ledger.pairs:
        if not _is_under(pair.ancestor, whole) and _is_lost(pair, facts):
            whole.add(pair.ancestor)
            _place_whole(pair, facts, inserter)
    pairs = [p for p in ledger.pairs if not _is_under(p.ancestor, whole)]
    runs = [r for r in ledger.runs if not _is_under(r.block, whole)]
    placer = PairPlacer(facts, plan, inserter)
    for pair in pairs:
        if pair.ancestor not in facts.to_skeleton.right:
            placer.place(pair)
    place_runs(runs, facts, plan, inserter)
    for pair in pairs:
        if pair.ancestor in facts.to_skeleton.right:
            placer.place(pair)
    inserter.rescue()
    if facts.options.widen:
        _widen(facts, plan)
    return plan


def _is_under(node: Node, whole: set[Node]) -> bool:
    return any(n in whole for n in node.upwards())


def _is_lost(pair: Pair, facts: Facts) -> bool:
    """Whether the skeleton has nothing left of a compound or clause that holds edits."""
    ancestor, edited = pair.ancestor, pair.edited
    if ancestor.kind not in (Kind.COMPOUND, Kind.CLAUSE):
        return False
    if any(n in facts.to_skeleton.right for n in ancestor.walk() if n.is_code):
        return False
    return edited.code != ancestor.code or facts.account.touches_block(edited)


def _place_whole(pair: Pair, facts: Facts, inserter: Inserter) -> None:
    """A compound that is gone from the skeleton, with edits in it, is one decision."""
    ancestor, edited, them = pair.ancestor, pair.edited, facts.words.skeleton
    gap = inserter.placer.gap_of_pair(pair)
    items = facts.inner_items(edited)
    if _has_drift(ancestor, edited, facts) or not items:
        drift = facts.account.drift([edited], edited.line)
        drift.modifies = True
        items.append(drift)
    for item in items:
        outcome = Outcome.ORPHAN if item.fenced else Outcome.CONFLICT
        item.say(outcome, Evidence.GUESSED, f"{them} removed the code around it")
    piece = Piece(Entry(edited), items[-1])
    inserter.contest(gap, [piece], [ancestor], f"{them} removed it")


def _has_drift(ancestor: Node, edited: Node, facts: Facts) -> bool:
    """Whether *edited* differs from *ancestor* outside its blocks."""
    unfenced = [n for n in edited.walk() if n.is_code and facts.account.owner(n) is None]
    ours = [without_fenced(n) if n.tokens else n.key for n in unfenced]
    return ours != [n.key for n in ancestor.walk() if n.is_code]


def _widen(facts: Facts, plan: Plan) -> None:
    """Make a conflict about a clause one about the statement that the clause belongs to.

    An ``else`` in a hunk may be cut from its ``if``; the whole compound cannot be.
    """
    for region in list(plan.regions):
        if region.parent.kind is Kind.COMPOUND:
            plan.regions.remove(region)
            plan.regions.append(_widened(region.parent, region.reason, region.item, facts))
    for node, clash in list(plan.heads.items()):
        if node.kind is Kind.CLAUSE and node.parent is not None:
            del plan.heads[node]
            plan.regions.append(_widened(node.parent, clash.reason, clash.item, facts))


def _widened(skeleton: Node, reason: str, item: Item, facts: Facts) -> Region:
    ancestor, edited = facts.to_skeleton.left.get(skeleton), facts.versions.edited_of(skeleton)
    if ancestor is None or edited is None or skeleton.parent is None:
        raise UnplaceableError
    piece, start = Piece(Entry(edited), item), skeleton.index
    facts.say([piece], Outcome.CONFLICT, (Evidence.GUESSED, reason))
    return Region(skeleton.parent, start, start + 1, [piece], [ancestor], reason, item)
