"""Placing runs: what was inserted and deleted between statements that ancestor and edited share.

The order: every run is prepared before any is looked for in the skeleton, since a block may stand
in several and is absorbed whole or not at all; and only when it is known what is absorbed is
anything placed, since that decides where the rest of a run may go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Role, Run, compound_of
from omni_codemods.functions.tree import Node
from omni_codemods.replay.already_upstream import Absorber
from omni_codemods.replay.clashes import clash, deleted_nodes, is_scattered
from omni_codemods.replay.deletions import is_gone, iter_freed
from omni_codemods.replay.doubled import warn_of_doubles
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.following import follow
from omni_codemods.replay.insertions import Inserter
from omni_codemods.replay.placement import Gap
from omni_codemods.replay.plan import Piece, Plan, Region
from omni_codemods.replay.prepared import Prepared, Preparer
from omni_codemods.replay.wraps import Wraps

_Parts = list[tuple[list[Piece], Gap]]


def place_runs(runs: Sequence[Run], facts: Facts, plan: Plan, inserter: Inserter) -> None:
    """Place *runs*, which come in the edited side's order."""
    placer = inserter.placer
    preparer = Preparer(facts, placer, Wraps(facts, runs))
    prepared = [one for run in runs for one in preparer.prepare(run)]
    plan.dissolved.update(node for run in runs for node in iter_freed(run, facts))

    absorber = Absorber(facts, plan, preparer.wrapped)
    for one in prepared:
        changed = [*(t for _, t in one.deleted.changed), *one.rivals(facts, plan)]
        absorber.look(one.pieces, one.gap, changed, one.beside(facts, plan, placer))
    absorber.settle()

    placing = _Placing(facts, plan, inserter)
    placed: list[Prepared] = []
    for one in prepared:
        rest = absorber.without_twins(absorber.rest(one.pieces), one.gap)
        placed.append(replace(one, pieces=rest))
        placing.place(placed[-1], absorber.narrowed(one.pieces, one.gap))
    _sweep_comments(plan)

    for one in placed:
        near = [*one.gap.newcomers, *one.beside(facts, plan, placer)]
        warn_of_doubles(one.pieces, one.gap, near, facts, plan)


class _Placing:
    """Places one run after the other."""

    def __init__(self, facts: Facts, plan: Plan, inserter: Inserter) -> None:
        self._facts = facts
        self._plan = plan
        self._inserter = inserter

    def place(self, one: Prepared, parts: _Parts) -> None:
        """Take out what *one* deletes and put in what it inserts, in *parts* with their gaps."""
        rivals = one.rivals(self._facts, self._plan)
        deleter, deleted = one.deleter, one.deleted
        loose = deleter is not None and not deleter.fenced
        scattered = loose and is_scattered(deleted.unchanged, one.pieces, self._facts)
        standing = [(b, t) for b, t in deleted.unchanged if not self._is_absorbed(t)]
        if not scattered:
            self._plan.gone.update(t for _, t in standing)
        if deleter is not None and not (deleted.changed or scattered or rivals):
            new = [p.node for p in one.pieces if p.is_whole]
            follow(deleter, [t for _, t in standing], new, self._facts, self._plan)
        # A block wins over what both changed; outside of blocks that is a person's to decide.
        if deleter is not None and deleter.fenced:
            self._overrule(one, rivals, deleter)
        elif deleter is not None and (deleted.changed or scattered):
            pairs = deleted.changed, standing
            clash(one.run, one.pieces, *pairs, deleter, self._facts, self._plan)
            return
        elif deleter is not None and rivals:
            self._contest(one, rivals)
            return
        self._keep_dropped(one)
        self._insert(one, parts)

    def _insert(self, one: Prepared, parts: _Parts) -> None:
        if one.pieces and len(parts) == 1:
            borders = one.borders(self._inserter.placer)
            self._inserter.insert(parts[0][1], one.pieces, borders)
        elif one.pieces:
            for pieces, gap in parts:
                self._inserter.insert(gap, [p for p in pieces if p in one.pieces])
        elif one.deleter is not None and one.deleted.unchanged:
            one.deleter.say(Outcome.CARRIED, Evidence.EXACT, "deleted there too")
        elif one.deleter is not None and is_gone(one.run, self._facts):
            why = f"{self._facts.words.skeleton} removed it too"
            one.deleter.say(Outcome.ABSORBED, Evidence.EXACT, why)

    def _is_absorbed(self, skeleton: Node) -> bool:
        """Whether *skeleton* stands in what absorbed edited code: both sides have it there."""
        return any(n in self._plan.absorbed for n in skeleton.upwards())

    def _overrule(self, one: Prepared, rivals: list[Node], item: Item) -> None:
        """A block wins over the skeleton's version of what it replaced, and says so."""
        before = {skeleton: ancestor.text() for ancestor, skeleton in one.deleted.changed}
        for skeleton in (*before, *rivals):
            self._plan.gone.add(skeleton)
            item.overrule(before.get(skeleton, ""), skeleton.text())
            item.say(Outcome.CARRIED, Evidence.EXACT, f"overrules {self._facts.words.change}")

    def _contest(self, one: Prepared, rivals: list[Node]) -> None:
        """Drift and the skeleton both put something in place of the same code."""
        reason = "both replaced this code"
        self._facts.say(one.pieces, Outcome.CONFLICT, (Evidence.EXACT, reason))
        start, end = rivals[0].index, rivals[-1].index + 1
        item, ancestor = one.pieces[0].item, deleted_nodes(one.run)
        region = Region(one.gap.parent, start, end, one.pieces, ancestor, reason, item)
        self._plan.regions.append(region)

    def _keep_dropped(self, one: Prepared) -> None:
        """A block keeps the ancestor's code that it holds, though the skeleton dropped it."""
        whole = [p.node for p in one.pieces if p.is_whole]
        fenced = [p.item for p in one.pieces if p.item.fenced]
        inner = [item for node in whole for item in self._facts.inner_items(node)]
        for item in dict.fromkeys([*fenced, *inner]):
            own = (n for node in whole for n in node.walk() if item.start <= n.line <= item.end)
            held = {n.code for n in own}
            opening = (p for p in one.pieces if p.item is item and p.entry.role is Role.OPEN)
            heads = {p.node.head for p in opening}
            for entry in one.run.deleted:
                node = entry.node if entry.role is Role.NODE else compound_of(entry)
                opens = entry.role is Role.OPEN and entry.node.head in heads
                if node in self._facts.to_skeleton.right or not (opens or node.code in held):
                    continue
                item.overrule("".join(entry.node.lines) if opens else node.text(), "")
                why = f"holds code that {self._facts.words.skeleton} removed"
                item.say(Outcome.CARRIED, Evidence.GUESSED, why)


def _sweep_comments(plan: Plan) -> None:
    """New comments of the skeleton that lead a statement which goes, go with it."""
    for skeleton in list(plan.gone):
        node = skeleton
        while node.parent is not None and node.index and not node.blanks:
            node = node.parent.children[node.index - 1]
            if node.is_code or not plan.is_new(node):
                break
            plan.gone.add(node)
