"""Placing pairs: what ancestor and edited share, changed or held by a block.

See *What both changed* in docs/internals/replay-rules.md.
"""

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
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.following import follow
from omni_codemods.replay.insertions import Inserter
from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import merge_statement
from omni_codemods.replay.plan import HeadConflict, Merged, Piece, Plan, Region
from omni_codemods.replay.within_gap import choose_place


class PairPlacer:
    """Places all pairs of a ledger."""

    def __init__(self, facts: Facts, plan: Plan, inserter: Inserter) -> None:
        self._facts = facts
        self._plan = plan
        self._inserter = inserter
        self._words = facts.words
        self._absorbed: set[Item] = set()

    def place(self, pair: Pair) -> None:
        """Place one pair."""
        ancestor, edited = pair.ancestor, pair.edited
        if ancestor.kind is Kind.COMPOUND or ancestor.kind is Kind.COMMENT:
            return
        if same_head(ancestor, edited):
            self._keep_held(pair)
            self._warn_of_versions(pair)
            return
        item, others = self._changer(ancestor, edited)
        said = len(item.outcomes)
        self._place_change(pair, item)
        for other in others:
            if other in self._absorbed:
                self._say_absorbed(other)
            else:
                other.outcomes += item.outcomes[said:]

    def _say_absorbed(self, item: Item) -> None:
        why = f"{self._words.skeleton} now says the same"
        item.say(Outcome.ABSORBED, Evidence.EXACT, why)

    def _keep_held(self, pair: Pair) -> None:
        """A block holds the ancestor's statement; where the skeleton lacks it a person decides."""
        item = self._facts.account.owner(pair.edited)
        if item is None or pair.ancestor in self._facts.to_skeleton.right:
            return
        if pair.ancestor.kind is not Kind.STATEMENT:
            return
        reason = f"{self._words.skeleton} removed code that the block holds"
        gap = self._inserter.placer.gap_of_pair(pair)
        item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
        piece = Piece(Entry(pair.edited), item)
        at, _ = choose_place(gap, self._facts.names(pair.edited), self._facts.names, self._words)
        self._inserter.add_region(
            Region(gap.parent, at, at, [piece], [pair.ancestor], reason, item)
        )

    def _warn_of_versions(self, pair: Pair) -> None:
        """Code of the ancestor was wrapped, and a version of it written beside it, in another arm.

        What the skeleton changed about the code then comes to the one, and not to the other.
        """
        skeleton = self._facts.to_skeleton.right.get(pair.ancestor)
        if (
            pair.ancestor.kind is not Kind.STATEMENT
            or skeleton is None
            or skeleton.head == pair.ancestor.head
        ):
            return
        known = self._facts.to_edited.left
        inside = [n for n in pair.edited.upwards() if n.kind is Kind.COMPOUND]
        wraps = list(itertools.takewhile(lambda n: n not in known, inside))
        own = (n for n in (wraps[-1].walk() if wraps else ()) if n.kind is Kind.STATEMENT)
        for node in own:
            alike = node not in known and likeness(pair.ancestor, node) >= THRESHOLD
            if alike and node.head != skeleton.head and (item := self._holder(node)) is not None:
                item.overrule(pair.ancestor.text(), skeleton.text())
                why = f"has a version of a statement that {self._words.skeleton} changed beside it"
                item.say(Outcome.CARRIED, Evidence.EXACT, why)

    def _holder(self, edited: Node) -> Item | None:
        """The edit that put *edited* where it is."""
        if (item := self._facts.account.owner(edited)) is not None:
            return item
        around = set(edited.upwards())
        placed = (p for pieces in self._plan.gaps.values() for p in pieces if p.node in around)
        return next((p.item for p in placed), None)

    def _place_change(self, pair: Pair, item: Item) -> None:
        ancestor, edited = pair.ancestor, pair.edited
        skeleton = self._facts.to_skeleton.right.get(ancestor)
        if skeleton is None:
            self._place_lost(pair, item)
        elif self._facts.options.held.asks(skeleton) and skeleton.head != edited.head:
            self._place_held(pair, skeleton, item)
        elif skeleton in self._facts.options.held.followers and skeleton.head != edited.head:
            follow(item, [skeleton], [edited], self._facts, self._plan)
        elif same_head(skeleton, ancestor):
            item.say(*self._settled(pair, skeleton), "the same statement")
        elif same_head(skeleton, edited):
            why = f"{self._words.skeleton} made the same change"
            item.say(Outcome.ABSORBED, Evidence.EXACT, why)
        else:
            self._merge(pair, skeleton, item)

    def _changer(self, ancestor: Node, edited: Node) -> tuple[Item, list[Item]]:
        """The edit that changed *ancestor* into *edited*: a block around or inside it, or drift.

        The second value are further blocks inside the statement.
        """
        account = self._facts.account
        inside = account.inside(edited)
        item = account.owner(edited)
        if inside and without_fenced(edited) == ancestor.key:
            item = inside[0]
        item = item or account.drift([edited], edited.line)
        if not item.fenced:
            item.end = edited.line + len(edited.lines) - 1
        item.modifies |= item not in inside
        for other in inside:
            other.inserts = True
        return item, [i for i in inside if i is not item]

    def _settled(self, pair: Pair, skeleton: Node) -> tuple[Outcome, Evidence]:
        home = self._facts.to_skeleton.right.get(pair.block)
        if skeleton.parent is home or pair.ancestor.parent is None:
            return Outcome.CARRIED, Evidence.EXACT
        return Outcome.MOVED, Evidence.MOVED

    def _place_lost(self, pair: Pair, item: Item) -> None:
        """The edited side changed a statement that the skeleton no longer has."""
        reason = f"{self._words.skeleton} removed the statement"
        if pair.ancestor.kind is not Kind.STATEMENT:
            why = f"{self._words.skeleton} removed the line it changes"
            item.say(Outcome.ORPHAN, Evidence.GUESSED, why)
            return
        gap = self._inserter.placer.gap_of_pair(pair)
        piece = Piece(Entry(pair.edited), item)
        if item.fenced and self._facts.account.owns(pair.edited, item):
            item.overrule(pair.ancestor.text(), "")
            self._inserter.insert(gap, [piece])
            return
        absorber = Absorber(self._facts, self._plan)
        absorber.look([piece], gap, [])
        absorber.settle()
        if absorber.rest([piece]):
            item.say(Outcome.CONFLICT, Evidence.GUESSED, reason)
            self._inserter.contest(gap, [piece], [pair.ancestor], reason)

    def _place_held(self, pair: Pair, skeleton: Node, item: Item) -> None:
        """The skeleton's block holds the statement, or elements of it: those stay as they are."""
        held, merge = self._facts.options.held, Merge(self._facts.options.unit, self._words)
        text = None
        if skeleton in held.elements:
            text = merge_statement(pair.ancestor, pair.edited, skeleton, merge)
        if text is None or not held.keeps_elements(skeleton, text):
            self._decide(pair, skeleton, item, "the change is in a block")
            return
        self._plan.merged[skeleton] = Merged(text, item, ())
        self._say_merged(pair, skeleton, item, merge)

    def _say_merged(self, pair: Pair, skeleton: Node, item: Item, merge: Merge) -> None:
        outcome, evidence = self._settled(pair, skeleton)
        if merge.moved:
            why = f"both sides changed one list of positions: {', '.join(merge.moved)}"
            item.say(outcome, Evidence.GUESSED, why)
        else:
            item.say(outcome, evidence, f"merged with {self._words.change} of the statement")

    def _merge(self, pair: Pair, skeleton: Node, item: Item) -> None:
        options = self._facts.options
        owned = item.fenced and self._facts.account.owns(pair.edited, item)
        merge = Merge(options.unit, self._words)
        refused = skeleton in options.unmerged or owned or options.strict
        text = None if refused else merge_statement(pair.ancestor, pair.edited, skeleton, merge)
        if text is not None:
            inside = self._facts.account.inside(pair.edited)
            lines = [e.tokens[0].line for e in merge.absorbed]
            self._absorbed |= {i for i in inside if any(i.start <= n <= i.end for n in lines)}
            blocks = tuple(i for i in inside if i not in self._absorbed)
            self._plan.merged[skeleton] = Merged(text, item, blocks)
            if item in self._absorbed:
                self._say_absorbed(item)
            else:
                self._say_merged(pair, skeleton, item, merge)
            if merge.overruled:
                item.overrule("".join(pair.ancestor.lines), "".join(skeleton.lines))
        elif owned:
            self._plan.edited_wins[skeleton] = pair.edited
            item.overrule("".join(pair.ancestor.lines), "".join(skeleton.lines))
            item.say(Outcome.CARRIED, Evidence.EXACT, f"overrules {self._words.change}")
        else:
            self._decide(pair, skeleton, item, "both changed this statement")

    def _decide(self, pair: Pair, skeleton: Node, item: Item, reason: str) -> None:
        """Leave the statement to a person."""
        item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
        self._plan.heads[skeleton] = HeadConflict(pair.edited, pair.ancestor, reason, item)
