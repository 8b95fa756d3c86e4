"""What the GPU sibling gained between two releases, replayed on the NPU copy."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import EditKind, Evidence, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.align import align
from omni_codemods.functions.diff import Ledger, make_ledger
from omni_codemods.functions.indentation import indent_unit
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.names.imports import module_imports
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
from omni_codemods.sync.ownership import Downstream, Sorted, Sorter, Upstreams

# In a sync the file is what the edits are put into.
WORDS = Words("the sibling", "the NPU copy", "a change of the NPU copy", "code of the NPU copy")


@dataclass(frozen=True, slots=True)
class Gained:
    """What the sibling's class gained and the NPU class has not: names of *bases* and *methods*."""

    bases: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


NOTHING_GAINED = Gained()


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
    fenced: frozenset[int],
    upstreams: Upstreams | None = None,
) -> Synced | None:
    """Replay the sibling's change from *before* to *after* on *copy*.

    All three come translated and at one indentation. *upstream* has the heads of the copy's own
    upstream function, where it is known, *fenced* the lines of its blocks. Returns ``None``
    where the sibling did not change. Where its changes cannot be put in, all are proposed.
    """
    if before.root.code == after.root.code:
        return None
    versions = Versions(before, after, copy, align(before, after), align(before, copy))
    ledger = make_ledger(before.root, after.root, versions.to_edited)
    if after.root.code == copy.root.code:
        return _all_absorbed(ledger)
    found = Sorter(versions, downstream, upstream, fenced, upstreams).sort(ledger)
    account = Account((), after)
    protected = frozenset(
        n for n in copy.root.walk() if any(x in fenced for x in range(n.line, n.end_line + 1))
    )
    options = Options(indent_unit(copy), WORDS, protected=protected)
    facts = Facts(versions, account, options)
    try:
        plan = replay(found.travels, facts)
        plan.gone -= _led_along(plan, protected)
        _propose_conflicts(plan, protected)
        changed = {pair.ancestor for pair in found.travels.pairs}
        rendered = Renderer(versions, plan, SkeletonFirst(versions, changed)).render()
    except (UnbalancedError, UnplaceableError):
        return _all_proposed(found)
    if not parses(rendered):
        return _all_proposed(found)
    if not _keeps(copy, fenced, side_text(rendered, Side.SKELETON, "")):
        return _all_proposed(found)
    for item in account.items:
        item.kind = EditKind.SIBLING
        if not item.outcomes and item.change == "deletion":
            item.say(Outcome.ABSORBED, Evidence.EXACT, "the NPU copy has it no more either")
    items = [*account.items, *(_item(nodes, why) for nodes, why in found.proposed)]
    return Synced(rendered, items)


def _keeps(copy: Tree, fenced: frozenset[int], text: str) -> bool:
    """Whether the *fenced* lines of *copy* stand in *text*, each as often as before."""
    mine = Counter(copy.lines[number - 1].strip() for number in fenced)
    return not mine - Counter(line.strip() for line in text.splitlines())


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
        if any(outcome in (Outcome.CARRIED, Outcome.MOVED) for outcome, _, _ in item.outcomes):
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
    return Synced(None, [*mine, *(_item(n, w) for n, w in found.proposed)], failed=True)


def _propose_conflicts(plan: Plan, protected: frozenset[Node]) -> None:
    """Where the copy has another version, the sibling's is proposed: the text stays.

    Inside a block a person decides: that stays a conflict.
    """
    clashing: list[tuple[Item, str]] = []
    for region in list(plan.regions):
        if not protected & set(region.parent.children[region.start : region.end]):
            plan.regions.remove(region)
            plan.gone -= _deleted_beside(plan, region)
            clashing.append((region.item, region.reason))
    for node, head in list(plan.heads.items()):
        if node not in protected:
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


def find_downstream(
    sibling: str,
    copy: str,
    package: str | None,
    upstream: str | None = None,
    inherited: frozenset[str] = frozenset(),
    before: str | None = None,
    gained: Gained = NOTHING_GAINED,
) -> Downstream:
    """Work out how to tell the downstream's own code in the *sibling* file.

    *package* is the dotted name of the downstream's top-level package. The words that tell are
    those of its name which none of the other imported packages has. *upstream* is the function
    that the NPU *copy*'s is made from, *inherited* what its class has from elsewhere. *gained* is
    what the sibling's class has since *before*, the sibling's older file, and the NPU class has
    not.
    """
    imports = module_imports(sibling)
    tops = {i.value.module.split(".")[0] for i in imports if not i.value.module.startswith(".")}
    other = {w for top in tops - {package} for w in top.split("_")}
    words = [w for w in (package or "").split("_") if w and w not in other]
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None
    own = {
        i.bound
        for i in imports
        if i.value.module.startswith(".") or i.value.module.split(".")[0] == package
    }
    known = {i.bound for i in module_imports(copy)}
    foreign = {i.bound for i in imports} - own - known
    attributes = None
    if upstream is not None:
        seen = {m for text in (copy, upstream) for m in _ATTRIBUTE.findall(text)}
        attributes = inherited | seen | set(_DEFINED.findall(sibling))
    seen_here = set(_ATTRIBUTE.findall(copy))
    lacking = {
        name: f"it needs self.{name}, which the sibling gained and the NPU class has not"
        for name in gained.methods
        if name not in seen_here
    }
    if gained.bases and before is not None:
        known_of_self = seen_here | set(_ATTRIBUTE.findall(before))
        defined = {m for text in (copy, before, sibling) for m in _DEFINED.findall(text)}
        bases = ", ".join(gained.bases)
        why = f"it needs {bases}, a base that the sibling gained and the NPU class has not"
        new = set(_ATTRIBUTE.findall(sibling)) - known_of_self - defined - inherited
        lacking |= dict.fromkeys(new, why)
    return Downstream(pattern, frozenset(own), frozenset(foreign), attributes, lacking)


_ATTRIBUTE = re.compile(r"\bself\.(\w+)")
# What the sibling's file defines itself: methods, and attributes that it sets.
_DEFINED = re.compile(r"(?:\bdef |\bself\.(?=\w+(?:\s*:[^=\n]+)?\s*=[^=]))(\w+)")
