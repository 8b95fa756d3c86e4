"""Placing runs: what was inserted and deleted between statements that ancestor and edited share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Role, Run, compound_of
from omni_codemods.functions.tree import Node
from omni_codemods.replay.already_upstream import Absorber
from omni_codemods.replay.clashes import clash, deleted_nodes, is_scattered
from omni_codemods.replay.doubled import warn_of_doubles
from omni_codemods.replay.placement import Gap, Prefer
from omni_codemods.replay.plan import Piece, Region, Scene
from omni_codemods.replay.wraps import Wraps

_Pairs = list[tuple[Node, Node]]


@dataclass(slots=True)
class _Prepared:
    """A run with its pieces, the edit that deletes, the skeleton's versions of what is deleted.

    *whole* is false for a part of a run that stands on one side of a header.
    """

    run: Run
    pieces: list[Piece]
    deleter: Item | None
    changed: _Pairs
    unchanged: _Pairs
    gap: Gap
    whole: bool = True


class RunPlacer:
    """Places all runs of a ledger."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._plan = scene.plan
        self._words = scene.options.words
        self._wrap_items: dict[Node, Item] = {}
        self._wraps = Wraps(scene, ())
        self._shared: list[Piece] = []

    def place(self, runs: Sequence[Run]) -> None:
        """Place *runs*, which come in the edited side's order."""
        self._wraps = Wraps(self._scene, runs)
        self._shared = []
        prepared = [one for run in runs for one in self._prepare(run)]
        absorber = Absorber(self._scene, [piece.item for piece in self._shared])
        for one in prepared:
            changed = [*(t for _, t in one.changed), *self._rivals(one)]
            absorber.look(one.pieces, one.gap, changed, self._beside(one))
        absorber.settle()
        for one in prepared:
            whole = one.pieces
            one.pieces = absorber.without_twins(absorber.rest(whole), one.gap)
            self._place(one, absorber.narrowed(whole, one.gap))
        self._sweep_comments()
        for one in prepared:
            near = [*one.gap.newcomers, *self._beside(one)]
            warn_of_doubles(one.pieces, one.gap, near, self._scene)

    def _prepare(self, run: Run) -> list[_Prepared]:
        parts: list[list[Piece]] = [[]]
        headers: list[Piece] = []
        for piece in self._pieces(run):
            if self._wraps.is_emptied(piece):
                why = f"{self._words.skeleton} removed the code in it"
                piece.item.say(Outcome.ABSORBED, Evidence.EXACT, why)
            elif self._is_wrapped_already(piece):
                headers.append(piece)
                self._shared.append(piece)
                parts.append([])
            else:
                parts[-1].append(piece)
        if headers and all(e.role is Role.NODE for e in run.deleted):
            split = self._split(run, parts, headers)
            if split is not None:
                return split
        changed, unchanged = self._deleted(run)
        pieces = [p for part in parts for p in part]
        gap = self._gap_of(run, [t for _, t in (*unchanged, *changed)], self._wraps.home_of(pieces))
        return [_Prepared(run, pieces, self._deleter(run, pieces), changed, unchanged, gap)]

    def _split(
        self, run: Run, parts: Sequence[list[Piece]], headers: Sequence[Piece]
    ) -> list[_Prepared] | None:
        """The skeleton has the *headers* too: what stood between two goes between its own.

        What was deleted belongs to the part that stands where the skeleton has it; nothing where
        that is none.
        """
        changed, unchanged = self._deleted(run)
        left = [t for _, t in (*unchanged, *changed)]
        before, after = self._borders_of(run)
        gaps = [
            before,
            *itertools.starmap(self._wraps.between, itertools.pairwise(headers)),
            after,
        ]
        homes = [k for k, gap in enumerate(gaps) if all(t.parent is gap.parent for t in left)]
        if not homes:
            return None
        split = [
            _Prepared(run, pieces, None, [], [], gap, whole=False)
            for pieces, gap in zip(parts, gaps, strict=True)
        ]
        deleter = self._deleter(run, parts[homes[0]] if left else [])
        if left:
            mine = split[homes[0]]
            mine.deleter, mine.changed, mine.unchanged = deleter, changed, unchanged
            mine.gap = self._gap_of(run, left, None)
        elif deleter is not None and self._is_gone(run):
            deleter.say(Outcome.ABSORBED, Evidence.EXACT, self._removed_too)
        return split

    def _place(self, one: _Prepared, parts: list[tuple[list[Piece], Gap]]) -> None:
        rivals = self._rivals(one)
        deleter = one.deleter
        loose = deleter is not None and not deleter.fenced
        scattered = loose and is_scattered(one.unchanged, one.pieces, self._scene)
        standing = [(b, t) for b, t in one.unchanged if not self._is_absorbed(t)]
        if not scattered:
            self._plan.gone.update(t for _, t in standing)
        if deleter is not None and not one.changed and not scattered and not rivals:
            new = [p.node for p in one.pieces if p.is_whole]
            self._scene.follow(deleter, [t for _, t in standing], *new)
        if deleter is not None and deleter.fenced:
            self._overrule(one.changed, rivals, deleter)
        elif deleter is not None and (one.changed or scattered):
            clash(one.run, one.pieces, one.changed, standing, deleter, self._scene)
            return
        elif deleter is not None and rivals:
            self._contest(one, rivals)
            return
        self._keep_dropped(one)
        if one.pieces and len(parts) == 1:
            self._scene.insert(parts[0][1], one.pieces, self._borders(one))
        elif one.pieces:
            for pieces, gap in parts:
                left = [p for p in pieces if p in one.pieces]
                self._scene.insert(gap, left)
        elif deleter is not None and one.unchanged:
            deleter.say(Outcome.CARRIED, Evidence.EXACT, "deleted there too")
        elif deleter is not None and self._is_gone(one.run):
            deleter.say(Outcome.ABSORBED, Evidence.EXACT, self._removed_too)

    def _is_absorbed(self, skeleton: Node) -> bool:
        """Whether *skeleton* stands in what absorbed edited code: both sides have it there."""
        return any(n in self._plan.absorbed for n in skeleton.upwards())

    def _is_gone(self, run: Run) -> bool:
        """Whether the skeleton has nothing left of what *run* deletes."""
        known = self._scene.to_skeleton.right
        return all(
            e.role is Role.NODE and not any(n in known for n in e.node.walk()) for e in run.deleted
        )

    def _borders(self, one: _Prepared) -> tuple[Gap, Gap] | None:
        """The gaps for what closes here and what opens here: each stays with what it holds."""
        replaces = (one.changed or one.unchanged) and any(p.is_code for p in one.pieces)
        if replaces or not one.whole:
            return None
        return self._borders_of(one.run)

    def _borders_of(self, run: Run) -> tuple[Gap, Gap]:
        """The gaps right after what stands before *run*, and right before what comes next."""
        placer = self._scene.placer
        before, after = (
            placer.find_gap(run.block, run.entries, run.start, run.end, prefer)
            for prefer in (Prefer.BEFORE, Prefer.AFTER)
        )
        return before, after

    @property
    def _removed_too(self) -> str:
        return f"{self._words.skeleton} removed it too"

    # -- what a run holds -------------------------------------------------------------------

    def _pieces(self, run: Run) -> list[Piece]:
        out: list[Piece] = []
        account = self._scene.account
        loose = [
            e.node for e in run.inserted if e.role is Role.NODE and account.owner(e.node) is None
        ]
        drift: Item | None = None
        for entry in run.inserted:
            item = account.owner(entry.node)
            if item is None and entry.role is not Role.NODE:
                item = self._wrap_item(entry)
            if item is None:
                drift = drift or account.drift(loose, entry.node.line)
                item = drift
            if entry.role is Role.NODE:
                item.inserts |= entry.node.is_code
            else:
                item.wraps = True
            out.append(Piece(entry, item))
        return out

    def _wrap_item(self, entry: Entry) -> Item:
        """One edit for all parts of a compound that was put around the ancestor's code."""
        compound = compound_of(entry)
        if compound not in self._wrap_items:
            self._wrap_items[compound] = self._scene.account.drift([compound], compound.line)
        return self._wrap_items[compound]

    def _is_wrapped_already(self, piece: Piece) -> bool:
        """Whether the skeleton has put the same compound around the same code."""
        if piece.is_whole or self._wraps.around(compound_of(piece.entry)) is None:
            return False
        why = f"{self._words.skeleton} has the same around it"
        piece.item.say(Outcome.ABSORBED, Evidence.EXACT, why)
        return True

    def _deleter(self, run: Run, pieces: list[Piece]) -> Item | None:
        """The edit to which the deletions of *run* belong; a block next to them owns them."""
        deleted = [e.node for e in run.deleted if e.node.is_code]
        if not deleted:
            return None
        owners = [p.item for p in pieces]
        fenced = [p for p in pieces if p.item.fenced]
        codes = {n.code for n in deleted}
        holder = next((p for p in fenced if codes & {n.code for n in p.node.walk()}), None)
        first = holder or next(iter(fenced), None)
        item = first.item if first is not None else owners[0] if owners else None
        if item is None:
            item = self._scene.account.drift([], self._line_near(run))
            item.describe(deleted[0])
        item.deletes = True
        if not item.summary:
            item.describe(deleted[0])
        return item

    def _line_near(self, run: Run) -> int:
        for entry in reversed(run.entries[: run.start]):
            partner = self._scene.to_edited.right.get(entry.node)
            if partner is not None:
                return partner.end_line
        partner = self._scene.to_edited.right.get(run.block)
        return partner.line + max(0, len(partner.lines) - 1) if partner is not None else 1

    def _deleted(self, run: Run) -> tuple[_Pairs, _Pairs]:
        """What was deleted and the skeleton still has: (changed there, the same there)."""
        changed: _Pairs = []
        unchanged: _Pairs = []
        replaced = any(e.node.is_code for e in run.inserted)
        for entry in run.deleted:
            ancestor = entry.node
            if entry.role is Role.OPEN and ancestor.parent is not None:
                compound = self._scene.to_skeleton.right.get(ancestor.parent)
                if compound is not None:
                    self._plan.dissolved.add(compound)
                continue
            if entry.role is not Role.NODE or ancestor in self._scene.to_edited.right:
                continue
            for old, skeleton in self._left_of(ancestor):
                same = skeleton.code == old.code or not old.is_code
                same = same and self._scene.options.held.may_go(skeleton, replaced=replaced)
                (unchanged if same else changed).append((old, skeleton))
        return changed, unchanged

    def _left_of(self, ancestor: Node) -> _Pairs:
        """What the skeleton has left of deleted code: all of it, or what stood in it."""
        skeleton = self._scene.to_skeleton.right.get(ancestor)
        if skeleton is not None:
            return [(ancestor, skeleton)]
        return [pair for node in ancestor.children for pair in self._left_of(node)]

    def _gap_of(self, run: Run, deleted: list[Node], home: Node | None) -> Gap:
        if not deleted or (home is not None and all(t.parent is not home for t in deleted)):
            placer = self._scene.placer
            return placer.find_gap(run.block, run.entries, run.start, run.end, home=home)
        held = {n.code for e in run.inserted for n in e.node.walk()}
        first = next((t for t in deleted if t.code in held), deleted[0])
        parent = first.parent
        assert parent is not None
        index = min(t.index for t in deleted if t.parent is parent)
        moved = self._scene.to_skeleton.right.get(run.block) is not parent
        evidence = Evidence.MOVED if moved else Evidence.EXACT
        return Gap(parent, index, index, evidence, "in place of the code that it replaces")

    # -- where both sides changed the same --------------------------------------------------

    def _overrule(self, changed: _Pairs, rivals: list[Node], item: Item) -> None:
        """A block wins over the skeleton's version of what it replaced, and says so."""
        before = {skeleton: ancestor.text() for ancestor, skeleton in changed}
        for skeleton in (*before, *rivals):
            self._plan.gone.add(skeleton)
            item.overrule(before.get(skeleton, ""), skeleton.text())
            item.say(Outcome.CARRIED, Evidence.EXACT, f"overrules {self._words.change}")

    def _keep_dropped(self, one: _Prepared) -> None:
        """A block keeps the ancestor's code that it holds, though the skeleton dropped it."""
        whole = [p.node for p in one.pieces if p.is_whole]
        fenced = [p.item for p in one.pieces if p.item.fenced]
        inner = [item for node in whole for item in self._scene.inner_items(node)]
        for item in dict.fromkeys([*fenced, *inner]):
            own = (n for node in whole for n in node.walk() if item.start <= n.line <= item.end)
            held = {n.code for n in own}
            opening = (p for p in one.pieces if p.item is item and p.entry.role is Role.OPEN)
            heads = {p.node.head for p in opening}
            for entry in one.run.deleted:
                node = entry.node if entry.role is Role.NODE else compound_of(entry)
                opens = entry.role is Role.OPEN and entry.node.head in heads
                if node not in self._scene.to_skeleton.right and (opens or node.code in held):
                    item.overrule("".join(entry.node.lines) if opens else node.text(), "")
                    why = f"holds code that {self._words.skeleton} removed"
                    item.say(Outcome.CARRIED, Evidence.GUESSED, why)

    def _rivals(self, one: _Prepared) -> list[Node]:
        """The skeleton's own new code in place of what the edited side replaced."""
        if not any(p.node.is_code for p in one.pieces):
            return []
        if one.deleter is not None and one.deleter.fenced and _is_stub(one.run):
            return []  # a block in place of nothing: what the skeleton wrote there stands too
        low, high = self._replaced_range(one)
        new = (n for n in one.gap.parent.children[low:high] if n.is_code and self._scene.is_new(n))
        return [n for n in new if not self._scene.may_hold_kept(n)]

    def _beside(self, one: _Prepared) -> list[Node]:
        """The skeleton's own new code next to a run, outside of its gap.

        That is next to its neighbours, and before and after what the edited side replaced.
        """
        if not one.whole:
            return []
        beside = dict.fromkeys(n for gap in self._borders_of(one.run) for n in gap.newcomers)
        if not one.gap.newcomers and (one.changed or one.unchanged):
            children = one.gap.parent.children
            low, high = self._replaced_range(one)
            before = itertools.takewhile(self._scene.is_new, reversed(children[:low]))
            after = itertools.takewhile(self._scene.is_new, children[high:])
            beside |= dict.fromkeys([*reversed(list(before)), *after])
        return [n for n in beside if self._scene.is_new(n)]

    def _replaced_range(self, one: _Prepared) -> tuple[int, int]:
        """The children of ``gap.parent`` that stand where the deleted code stood."""
        gap = one.gap
        nodes = [e.node for e in one.run.deleted if e.role is Role.NODE and e.node.is_code]
        solid = [n for n in nodes if n not in self._scene.to_edited.right]
        if not solid:
            return gap.low, gap.low
        known = [t for _, t in (*one.unchanged, *one.changed)]
        inside = [t.index for t in known if t.parent is gap.parent]
        if not inside:
            return gap.low, gap.high
        low, high = min(inside), max(inside) + 1
        children, right = gap.parent.children, self._scene.to_skeleton
        if solid[0] not in right.right:
            while low > 0 and children[low - 1] not in right.left:
                low -= 1
        if solid[-1] not in right.right:
            while high < len(children) and children[high] not in right.left:
                high += 1
        return low, high

    def _contest(self, one: _Prepared, rivals: list[Node]) -> None:
        reason = "both replaced this code"
        self._scene.say(one.pieces, Outcome.CONFLICT, (Evidence.EXACT, reason))
        start, end = rivals[0].index, rivals[-1].index + 1
        item, ancestor = one.pieces[0].item, deleted_nodes(one.run)
        region = Region(one.gap.parent, start, end, one.pieces, ancestor, reason, item)
        self._plan.regions.append(region)

    def _sweep_comments(self) -> None:
        """New comments of the skeleton that lead a statement which goes, go with it."""
        for skeleton in list(self._plan.gone):
            node = skeleton
            while node.parent is not None and node.index and not node.blanks:
                node = node.parent.children[node.index - 1]
                if node.is_code or not self._scene.is_new(node):
                    break
                self._plan.gone.add(node)


def _is_stub(run: Run) -> bool:
    """Whether the edited side deleted nothing in *run* but what stands for no code."""
    return all(e.node.code in ("pass", "...") for e in run.deleted if e.node.is_code)
