"""Placing pairs: statements and headers that local shares with base, changed or held by a block."""

from __future__ import annotations

import itertools

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.alignment import same_head
from omni_codemods.functions.diff import Entry, Pair
from omni_codemods.functions.likeness import THRESHOLD, likeness
from omni_codemods.functions.statement_brackets import without_fenced
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.already_upstream import Absorber
from omni_codemods.replay.clashes import HELD
from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import merge_statement
from omni_codemods.replay.placement import choose_place
from omni_codemods.replay.plan import HeadConflict, Merged, Piece, Region, Scene

_ABSORBED = (Outcome.ABSORBED, Evidence.EXACT, "the upstream now says the same")


class PairPlacer:
    """Places all pairs of a ledger."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._plan = scene.plan
        self._absorbed: set[Item] = set()

    def place(self, pair: Pair) -> None:
        """Place one pair."""
        base, local = pair.base, pair.local
        if base.kind is Kind.COMPOUND or base.kind is Kind.COMMENT:
            return
        if same_head(base, local):
            self._keep_held(pair)
            self._warn_of_versions(pair)
            return
        item, others = self._changer(base, local)
        said = len(item.outcomes)
        self._place_change(pair, item)
        for other in others:
            if other in self._absorbed:
                other.say(*_ABSORBED)
            else:
                other.outcomes += item.outcomes[said:]

    def _keep_held(self, pair: Pair) -> None:
        """A block holds a statement of base; where the target dropped it a person decides."""
        item = self._scene.account.owner(pair.local)
        if item is None or pair.base in self._scene.by_target.right:
            return
        if pair.base.kind is not Kind.STATEMENT:
            return
        reason = HELD
        gap = self._scene.placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
        item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        piece = Piece(Entry(pair.local), item)
        at, _ = choose_place(gap, self._scene.names(pair.local), self._scene.names)
        self._scene.add_region(Region(gap.parent, at, at, [piece], [pair.base], reason, item))

    def _warn_of_versions(self, pair: Pair) -> None:
        """Local wrapped code of base and wrote a version of it beside it, in another arm.

        What the upstream changed about the code then comes to the one, and not to the other.
        """
        target = self._scene.by_target.right.get(pair.base)
        if pair.base.kind is not Kind.STATEMENT or target is None or target.head == pair.base.head:
            return
        known = self._scene.by_local.left
        inside = [n for n in pair.local.upwards() if n.kind is Kind.COMPOUND]
        wraps = list(itertools.takewhile(lambda n: n not in known, inside))
        own = (n for n in (wraps[-1].walk() if wraps else ()) if n.kind is Kind.STATEMENT)
        for node in own:
            alike = node not in known and likeness(pair.base, node) >= THRESHOLD
            if alike and node.head != target.head and (item := self._holder(node)) is not None:
                item.overrule(pair.base.text(), target.text())
                why = "has a version of a statement that the upstream changed beside it"
                item.say(Outcome.CARRIED, Evidence.EXACT, why)

    def _holder(self, local: Node) -> Item | None:
        """The edit that put *local* where it is."""
        if (item := self._scene.account.owner(local)) is not None:
            return item
        around = set(local.upwards())
        placed = (p for pieces in self._plan.gaps.values() for p in pieces if p.node in around)
        return next((p.item for p in placed), None)

    def _place_change(self, pair: Pair, item: Item) -> None:
        base, local = pair.base, pair.local
        target = self._scene.by_target.right.get(base)
        if target is None:
            self._place_lost(pair, item)
        elif target in self._scene.options.protected and target.head != local.head:
            self._decide(pair, target, item, "the change is in a block")
        elif same_head(target, base):
            item.say(*self._settled(pair, target), "the same statement")
        elif same_head(target, local):
            item.say(Outcome.ABSORBED, Evidence.EXACT, "the upstream made the same change")
        else:
            self._merge(pair, target, item)

    def _changer(self, base: Node, local: Node) -> tuple[Item, list[Item]]:
        """The edit that changed *base* into *local*: a block around or inside it, or drift.

        The second value are further blocks inside the statement.
        """
        account = self._scene.account
        inside = account.inside(local)
        item = account.owner(local)
        if inside and without_fenced(local) == base.key:
            item = inside[0]
        item = item or account.drift([local], local.line)
        if not item.fenced:
            item.end = local.line + len(local.lines) - 1
        item.modifies |= item not in inside
        for other in inside:
            other.inserts = True
        return item, [i for i in inside if i is not item]

    def _settled(self, pair: Pair, target: Node) -> tuple[Outcome, Evidence]:
        home = self._scene.by_target.right.get(pair.block)
        if target.parent is home or pair.base.parent is None:
            return Outcome.CARRIED, Evidence.EXACT
        return Outcome.MOVED, Evidence.MOVED

    def _place_lost(self, pair: Pair, item: Item) -> None:
        """Local changed a statement that the target no longer has."""
        reason = "the upstream removed the statement"
        if pair.base.kind is not Kind.STATEMENT:
            item.say(Outcome.ORPHAN, Evidence.GUESSED, "the upstream removed the line it changes")
            return
        gap = self._scene.placer.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)
        piece = Piece(Entry(pair.local), item)
        if item.fenced:
            item.overrule(pair.base.text(), "")
            self._scene.insert(gap, [piece])
            return
        absorber = Absorber(self._scene)
        absorber.look([piece], gap, [])
        absorber.settle()
        if absorber.rest([piece]):
            item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
            self._scene.contest(gap, [piece], [pair.base], reason)

    def _merge(self, pair: Pair, target: Node, item: Item) -> None:
        options = self._scene.options
        owned = item.fenced and self._scene.account.owns(pair.local, item)
        merge = Merge(options.unit)
        refused = target in options.unmerged or owned or options.strict
        text = None if refused else merge_statement(pair.base, pair.local, target, merge)
        if text is not None:
            inside = self._scene.account.inside(pair.local)
            lines = [e.tokens[0].line for e in merge.absorbed]
            self._absorbed |= {i for i in inside if any(i.start <= n <= i.end for n in lines)}
            blocks = tuple(i for i in inside if i not in self._absorbed)
            self._plan.merged[target] = Merged(text, item, blocks)
            outcome, evidence = self._settled(pair, target)
            if item in self._absorbed:
                item.say(*_ABSORBED)
            elif merge.moved:
                why = f"both sides changed one list of positions: {', '.join(merge.moved)}"
                item.say(outcome, Evidence.GUESSED, why)
            else:
                item.say(outcome, evidence, "merged with an upstream change of the statement")
            if merge.overruled:
                item.overrule("".join(pair.base.lines), "".join(target.lines))
        elif owned:
            self._plan.local_wins[target] = pair.local
            item.overrule("".join(pair.base.lines), "".join(target.lines))
            item.say(Outcome.CARRIED, Evidence.EXACT, "overrules an upstream change")
        else:
            self._decide(pair, target, item, "both changed this statement")

    def _decide(self, pair: Pair, target: Node, item: Item, reason: str) -> None:
        """Leave the statement to a person."""
        item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
        self._plan.heads[target] = HeadConflict(pair.local, pair.base, reason, item)
