"""Where an edit goes in the skeleton, and what that rests on.

See *Where an insertion goes* in docs/internals/replay-rules.md. A place is a gap, and a gap is two
indices among the children of one skeleton node::

    ancestor      first  ┆  second            an edit stands between first and second
                         ┆
    skeleton      first  ┆ new_1  new_2 ┆ second
                        low            high   the gap: every place in it keeps the order
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Evidence
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.diff import Entry, Pair, Role, Run
from omni_codemods.functions.tree import Kind, Node


@dataclass(frozen=True, slots=True)
class Place:
    """A gap of the skeleton: before ``parent.children[index]``."""

    parent: Node
    index: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The places from *low* to *high* among the children of *parent* that an edit may take.

    What stands between them is new in the skeleton. *lost* says that neither direct neighbour
    of the edit is left, *orphaned* that the whole block of code around it is gone, and the gap
    is only the nearest surviving one. *early* says that its direct neighbour before it is known
    to stand right before *low*.
    """

    parent: Node
    low: int
    high: int
    evidence: Evidence
    reason: str
    lost: bool = False
    orphaned: bool = False
    early: bool = False

    @property
    def newcomers(self) -> list[Node]:
        """The skeleton's own new statements inside the gap."""
        return self.parent.children[self.low : self.high]


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a place: where it is in the skeleton, and how many statements off."""

    place: Place
    distance: int


class Prefer(enum.Enum):
    """Which neighbour decides where the two now stand apart: by default the one at home."""

    HOME = "home"
    BEFORE = "before"
    AFTER = "after"


class Placer:
    """Finds gaps of the skeleton for places of the ancestor."""

    def __init__(self, alignment: Alignment) -> None:
        self._alignment = alignment
        self._frees = False
        self._settled: dict[Node, tuple[Place, Place]] = {}

    def settle(self, ancestor: Node, before: Place, after: Place) -> None:
        """Say where a statement of the ancestor that the skeleton lacks will stand all the same."""
        self._settled[ancestor] = (before, after)

    def gap_of_run(self, run: Run, prefer: Prefer = Prefer.HOME, home: Node | None = None) -> Gap:
        """Return the gap for what stands in place of *run*; *home* as for :meth:`find_gap`."""
        # What a block put under a header is meant to stay under it; a wrap goes around the code.
        fenced = any(entry.node.fence for entry in run.inserted)
        self._frees = not fenced or any(entry.role is not Role.NODE for entry in run.inserted)
        gap = self.find_gap(run.block, run.entries, run.start, run.end, prefer, home)
        self._frees = False
        return gap

    def borders_of_run(self, run: Run) -> tuple[Gap, Gap]:
        """The gaps right after what stands before *run*, and right before what comes next."""
        return self.gap_of_run(run, Prefer.BEFORE), self.gap_of_run(run, Prefer.AFTER)

    def gap_of_pair(self, pair: Pair) -> Gap:
        """Return the gap for what stands in place of *pair*."""
        return self.find_gap(pair.block, pair.entries, pair.at, pair.at + 1)

    def find_gap(
        self,
        block: Node,
        entries: Sequence[Entry],
        start: int,
        end: int,
        prefer: Prefer = Prefer.HOME,
        home: Node | None = None,
    ) -> Gap:
        """Return the gap for what stands between ``entries[:start]`` and ``entries[end:]``.

        *home* is the skeleton's block that it belongs to, by default the partner of *block*.
        """
        home = home or self._alignment.right.get(block)
        if home is not None and not can_hold(home):
            home = None
        before = self._nearest(entries[:start][::-1], self._after)
        after = self._nearest(entries[end:], self._before)
        if before is None and after is None:
            return self._at_home(block, home)
        if before is None and home is not None:
            before = _Side(Place(home, 0), start)
        if after is None and home is not None:
            after = _Side(Place(home, len(home.children)), len(entries) - end)
        if before and after:
            low, high = before.place, after.place
            if low.parent is high.parent and low.index <= high.index:
                return _between(before, after, home)
        return self._beside(home, before, after, prefer)

    def _nearest(
        self, entries: Sequence[Entry], place: Callable[[Entry], Place | None]
    ) -> _Side | None:
        distance = 0
        for entry in entries:
            found = place(entry)
            if found is not None:
                return _Side(found, distance)
            distance += entry.node.is_code
        return None

    def _after(self, entry: Entry) -> Place | None:
        """The place right after *entry*."""
        if entry.node in self._settled and entry.role is Role.NODE:
            return self._settled[entry.node][1]
        partner = self._alignment.right.get(entry.node)
        if partner is None:
            freed = self._freed(entry)
            return Place(parent_of(freed[-1]), freed[-1].index + 1) if freed else None
        if entry.role in (Role.OPEN, Role.MIDDLE):
            return Place(partner, 0) if can_hold(partner) else None
        return Place(parent_of(partner), partner.index + 1)

    def _before(self, entry: Entry) -> Place | None:
        """The place right before *entry*."""
        node = entry.node
        if node in self._settled and entry.role is Role.NODE:
            return self._settled[node][0]
        if entry.role is Role.OPEN:
            node = parent_of(node)
        partner = self._alignment.right.get(node)
        if partner is None:
            freed = self._freed(entry)
            return Place(parent_of(freed[0]), freed[0].index) if freed else None
        if entry.role is Role.CLOSE:
            last = partner.children[-1]
            return Place(last, len(last.children)) if can_hold(last) else None
        if entry.role is Role.MIDDLE:
            previous = parent_of(partner).children[partner.index - 1]
            return Place(previous, len(previous.children)) if can_hold(previous) else None
        return Place(parent_of(partner), partner.index)

    def _freed(self, entry: Entry) -> list[Node] | None:
        """What the skeleton has left of a compound whose header it dropped, if in one suite."""
        whole = entry.role is Role.NODE and entry.node.kind is Kind.COMPOUND
        if not (self._frees and whole):
            return None
        known = self._alignment.right
        code = (n for clause in entry.node.children for n in clause.children if n.is_code)
        left = [known[n] for n in code if n in known]
        return left if left and len({n.parent for n in left}) == 1 else None

    def _beside(
        self, home: Node | None, before: _Side | None, after: _Side | None, prefer: Prefer
    ) -> Gap:
        """The gap next to one neighbour, the other being gone or elsewhere."""
        side = _preferred(home, before, after, prefer)
        place = side.place
        low = high = place.index
        children = place.parent.children
        if side is before:
            limit = _child_around(after, place.parent, len(children))
            while high < limit and self._is_new(children[high]):
                high += 1
        else:
            limit = _child_around(before, place.parent, -1) + 1
            while low > limit and self._is_new(children[low - 1]):
                low -= 1
        near = side.distance == 0
        moved = near and place.parent is not home
        kept = "its neighbour" if near else "the nearest statement that is left"
        return Gap(
            place.parent,
            low,
            high,
            Evidence.MOVED if moved else Evidence.GUESSED,
            f"{'after' if side is before else 'before'} {kept}",
            lost=not near,
        )

    def _is_new(self, node: Node) -> bool:
        return node not in self._alignment.left

    def _at_home(self, block: Node, home: Node | None) -> Gap:
        if home is not None:
            reason = "nothing around it is left; at the end of the same block"
            end = len(home.children)
            return Gap(home, 0, end, Evidence.GUESSED, reason)
        return self._outside(block)

    def _outside(self, block: Node) -> Gap:
        """The gap nearest to a block that is gone."""
        node: Node = block
        while node.parent is not None:
            siblings = [Entry(n) for n in node.parent.children]
            before = self._nearest(siblings[: node.index][::-1], self._after)
            after = self._nearest(siblings[node.index + 1 :], self._before)
            side = before or after
            place = side.place if side is not None else None
            if place is None and (home := self._alignment.right.get(node.parent)) is not None:
                place = Place(home, len(home.children)) if can_hold(home) else None
            if place is not None and place.parent.kind is Kind.CLAUSE:
                reason = "the code that it stood in is gone"
                return Gap(
                    place.parent, place.index, place.index, Evidence.GUESSED, reason, orphaned=True
                )
            node = node.parent
        raise AssertionError("a function always has a body")


def _between(before: _Side, after: _Side, home: Node | None) -> Gap:
    parent = before.place.parent
    moved = parent is not home
    exact = before.distance == after.distance == 0
    reason = "between the same neighbours" if exact else "between the nearest neighbours"
    if moved:
        reason += ", which moved"
    evidence = Evidence.MOVED if moved else (Evidence.EXACT if exact else Evidence.GUESSED)
    lost = before.distance > 0 and after.distance > 0
    return Gap(parent, before.place.index, after.place.index, evidence, reason, lost=lost)


def _preferred(
    home: Node | None, before: _Side | None, after: _Side | None, prefer: Prefer
) -> _Side:
    if before is None or after is None:
        side = before or after
        assert side is not None
        return side
    if prefer is not Prefer.HOME:
        return before if prefer is Prefer.BEFORE else after
    ranks = [(s.place.parent is home, -s.distance) for s in (before, after)]
    return before if ranks[0] >= ranks[1] else after


def _child_around(side: _Side | None, parent: Node, default: int) -> int:
    """The index of the child of *parent* that the place of *side* is inside of."""
    node = side.place.parent if side is not None else None
    while node is not None and node.parent is not parent:
        node = node.parent
    return default if node is None else node.index


def can_hold(node: Node) -> bool:
    """Whether statements can be put among the children of *node*."""
    return node.kind is Kind.COMPOUND or bool(node.children)


def parent_of(node: Node) -> Node:
    """What *node* stands in; it must not be the function itself."""
    assert node.parent is not None
    return node.parent
