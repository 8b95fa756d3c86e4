"""What the GPU sibling gained between two releases, replayed on the NPU copy."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Block, EditKind, Evidence, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.align import align
from omni_codemods.functions.diff import Ledger, make_ledger
from omni_codemods.functions.indentation import indent_unit
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.rebuild.still_python import parses
from omni_codemods.replay.facts import Facts, Options
from omni_codemods.replay.plan import Plan, Region
from omni_codemods.replay.printing.lines import Rendered, Side, side_text
from omni_codemods.replay.printing.suite import UnbalancedError
from omni_codemods.replay.printing.text_choice import SkeletonFirst
from omni_codemods.replay.printing.tree import Renderer
from omni_codemods.replay.replay import UnplaceableError, replay
from omni_codemods.replay.versions import Versions
from omni_codemods.replay.words import Words
from omni_codemods.sync.causes import Proposed
from omni_codemods.sync.downstream import Downstream, Upstreams
from omni_codemods.sync.fenced import (
    NOTHING_AROUND,
    Around,
    drop_empty_blocks,
    find_held,
    keeps_blocks,
)
from omni_codemods.sync.outside_blocks import keep_outside
from omni_codemods.sync.ownership import Sorted, Sorter
from omni_codemods.sync.taken import NOTHING_TAKEN, Taken

# In a sync the file is what the edits are put into.
WORDS = Words("the sibling", "the NPU copy", "a change of the NPU copy", "code of the NPU copy")


@dataclass(frozen=True, slots=True)
class Synced:
    """The NPU copy with the sibling's changes in it, and the account of those changes.

    *rendered* is ``None`` where nothing is to be put in; *failed* says that it could not be.
    """

    rendered: Rendered | None
    items: list[Item]
    failed: bool = False


def sync_trees(
    before: Tree,
    after: Tree,
    copy: Tree,
    *,
    downstream: Downstream,
    upstream: frozenset[str] | None,
    blocks: Sequence[Block] = (),
    upstreams: Upstreams | None = None,
    taken: Taken = NOTHING_TAKEN,
    around: Around = NOTHING_AROUND,
    strict: bool = False,
) -> Synced | None:
    """Replay the sibling's change from *before* to *after* on *copy*.

    All three come translated and at one indentation. *upstream* has the heads of the copy's own
    upstream function, where it is known, *blocks* are its blocks. Returns ``None`` where the
    sibling did not change. Where its changes cannot be put in, all are proposed. *around* is
    the rest of the sibling's file. *strict* is the policy: nothing in a block follows the sibling.
    What a person has *taken* is put in whatever speaks against it.
    """
    if before.root.code == after.root.code:
        return None
    versions = Versions(before, after, copy, align(before, after), align(before, copy))
    ledger = make_ledger(before.root, after.root, versions.to_edited)
    if after.root.code == copy.root.code:
        return _all_absorbed(ledger)
    held = find_held(copy, blocks, versions.to_skeleton, around, strict=strict)
    sorter = Sorter(versions, downstream, upstream, held.lines, upstreams, taken)
    found = sorter.sort(ledger)
    account = Account((), after)
    options = Options(indent_unit(copy), WORDS, held=held)
    facts = Facts(versions, account, options)
    try:
        plan = replay(found.travels, facts)
        plan.gone -= _led_along(plan, held.protected)
        _propose_conflicts(plan, held.protected, after, taken)
        drop_empty_blocks(plan, blocks, copy)
        keep_outside(plan, blocks, copy, held)
        changed = {pair.ancestor for pair in found.travels.pairs}
        rendered = Renderer(versions, plan, SkeletonFirst(versions, changed, held.marks)).render()
    except (UnbalancedError, UnplaceableError):
        return _all_proposed(found)
    if not parses(rendered):
        return _all_proposed(found)
    if not keeps_blocks(copy, held.lines, plan, side_text(rendered, Side.SKELETON, "")):
        return _all_proposed(found)
    for item in account.items:
        item.kind = EditKind.SIBLING
        if not item.outcomes and item.change == "deletion":
            item.say(Outcome.ABSORBED, Evidence.EXACT, "the NPU copy has it no more either")
    for item in account.items:
        if taken.has(_code(after, item)):
            item.outcomes = [(o, e, f"taken; {why}") for o, e, why in item.outcomes]
    items = [*account.items, *map(_proposal, found.proposed)]
    return Synced(rendered, items)


def _led_along(plan: Plan, protected: frozenset[Node]) -> set[Node]:
    """Fences that would go because they lead code that goes: they are no comments of it."""
    decided = {
        n for r in plan.regions for c in r.parent.children[r.start : r.end] for n in c.walk()
    }
    return {n for n in protected if not n.is_code and n not in decided}


def all_proposed(synced: Synced | None) -> Synced | None:
    """*synced* with nothing of it put in: a second run would have changed the text again."""
    if synced is None:
        return None
    for item in synced.items:
        placed = (Outcome.CARRIED, Outcome.MOVED, Outcome.FOLLOWED)
        if any(outcome in placed for outcome, _, _ in item.outcomes):
            item.followed.clear()
            why = "put in with the others, a second sync would change the text again"
            item.outcomes = [(Outcome.PROPOSED, Evidence.GUESSED, why)]
    return Synced(None, synced.items, failed=True)


def _all_absorbed(ledger: Ledger) -> Synced:
    why = "the NPU copy has all the code of the newer sibling"
    runs = [[e.node for e in run.inserted if e.node.is_code] for run in ledger.runs]
    pairs = [
        [p.edited] for p in ledger.pairs if p.ancestor.head != p.edited.head and p.edited.is_code
    ]
    items = [_item(nodes, why, Outcome.ABSORBED) for nodes in (*runs, *pairs) if nodes]
    return Synced(None, items)


def _all_proposed(found: Sorted) -> Synced:
    why = "the sibling's changes could not be put in together"
    runs = [[e.node for e in run.inserted if e.node.is_code] for run in found.travels.runs]
    pairs = [[pair.edited] for pair in found.travels.pairs]
    mine = [_item(nodes, why) for nodes in (*runs, *pairs) if nodes]
    return Synced(None, [*mine, *map(_proposal, found.proposed)], failed=True)


def _code(after: Tree, item: Item) -> str:
    return "".join(after.lines[item.start - 1 : item.end])


def _proposal(one: Proposed) -> Item:
    item = _item(one.nodes, one.why)
    item.cause = one.cause
    return item


def _propose_conflicts(
    plan: Plan, protected: frozenset[Node], after: Tree, taken: Taken = NOTHING_TAKEN
) -> None:
    """Where the copy has another version, the sibling's is proposed: the text stays.

    Inside a block a person decides: that stays a conflict, and so does what was taken.
    """
    clashing: list[tuple[Item, str]] = []
    for region in list(plan.regions):
        if taken.has(_code(after, region.item)):
            continue
        if not protected & set(region.parent.children[region.start : region.end]):
            plan.regions.remove(region)
            beside = _deleted_beside(plan, region)
            plan.gone -= beside
            if plan.followed & beside:
                plan.followed -= beside
                region.item.followed.clear()
            clashing.append((region.item, region.reason))
    for node, head in list(plan.heads.items()):
        if node not in protected and not taken.has(_code(after, head.item)):
            del plan.heads[node]
            clashing.append((head.item, head.reason))
    for item, reason in clashing:
        why = f"the NPU copy has another version there: {reason}"
        item.outcomes = [x for x in item.outcomes if x[0] is not Outcome.CONFLICT]
        item.say(Outcome.PROPOSED, Evidence.GUESSED, why)


def _deleted_beside(plan: Plan, region: Region) -> set[Node]:
    """What the edit of *region* takes out beside it: of what is proposed, nothing is done."""
    children = region.parent.children
    out = set(children[region.start : region.end])
    for side in (reversed(children[: region.start]), children[region.end :]):
        out.update(itertools.takewhile(lambda n: n in plan.gone or not n.is_code, side))
    return out & plan.gone


def _item(nodes: Sequence[Node], why: str, outcome: Outcome = Outcome.PROPOSED) -> Item:
    item = Item(EditKind.SIBLING, "", nodes[0].line, nodes[-1].end_line, "")
    item.inserts = True
    item.describe(nodes[0])
    sure = Evidence.EXACT if outcome is Outcome.ABSORBED else Evidence.GUESSED
    item.say(outcome, sure, why)
    return item
