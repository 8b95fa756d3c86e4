"""Where an edit goes in the skeleton, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omni_codemods.align import Alignment
from omni_codemods.bindings import Names
from omni_codemods.ledger import Entry, Role
from omni_codemods.model import Evidence
from omni_codemods.tree import Kind, Node

_TERMINATORS = frozenset({"return", "raise", "break", "continue"})


@dataclass(frozen=True, slots=True)
class Place:
    """A gap of the skeleton: before ``parent.children[index]``."""

    parent: Node
    index: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The places from *low* to *high* among the children of *parent* that an edit may take.

    What stands between them is new in the target. *orphaned* says that the code around the
    edit is gone, and the gap is only the nearest surviving one.
    """

    parent: Node
    low: int
    high: int
    evidence: Evidence
    reason: str
    orphaned: bool = False

    @property
    def newcomers(self) -> list[Node]:
        """The target's own new statements inside the gap."""
        return self.parent.children[self.low : self.high]


class Placer:
    """Finds gaps of the target for places of base."""

    def __init__(self, alignment: Alignment) -> None:
        self._alignment = alignment

    def find_gap(self, block: Node, entries: Sequence[Entry], start: int, end: int) -> Gap:
        """Return the gap for what stands between ``entries[:start]`` and ``entries[end:]``."""
        home = self._alignment.right.get(block)
        if home is not None and not can_hold(home):
            home = None
        before, far_before = self._nearest(entries[:start][::-1], self._after)
        after, far_after = self._nearest(entries[end:], self._before)
        if before is None and after is None:
            return self._at_home(block, home)
        if before is None and home is not None:
            before, far_before = Place(home, 0), start
        if after is None and home is not None:
            after, far_after = Place(home, len(home.children)), len(entries) - end
        return self._between(block, home, before, far_before, after, far_after)

    def _nearest(
        self, entries: Sequence[Entry], place: Callable[[Entry], Place | None]
    ) -> tuple[Place | None, int]:
        distance = 0
        for entry in entries:
            found = place(entry)
            if found is not None:
                return found, distance
            distance += entry.node.is_code
        return None, distance

    def _after(self, entry: Entry) -> Place | None:
        """The place right after *entry*."""
        partner = self._alignment.right.get(entry.node)
        if partner is None:
            return None
        if entry.role in (Role.OPEN, Role.MIDDLE):
            return Place(partner, 0) if can_hold(partner) else None
        return Place(_parent(partner), partner.index + 1)

    def _before(self, entry: Entry) -> Place | None:
        """The place right before *entry*."""
        node = entry.node
        if entry.role is Role.OPEN:
            node = _parent(node)
        partner = self._alignment.right.get(node)
        if partner is None:
            return None
        if entry.role is Role.CLOSE:
            last = partner.children[-1]
            return Place(last, len(last.children)) if can_hold(last) else None
        if entry.role is Role.MIDDLE:
            previous = _parent(partner).children[partner.index - 1]
            return Place(previous, len(previous.children)) if can_hold(previous) else None
        return Place(_parent(partner), partner.index)

    def _between(
        self,
        block: Node,
        home: Node | None,
        before: Place | None,
        far_before: int,
        after: Place | None,
        far_after: int,
    ) -> Gap:
        if before and after and before.parent is after.parent and before.index <= after.index:
            moved = before.parent is not home
            exact = far_before == far_after == 0
            reason = "between the same neighbours" if exact else "between the nearest neighbours"
            if moved:
                reason += ", which moved"
            evidence = Evidence.MOVED if moved else (Evidence.EXACT if exact else Evidence.GUESSED)
            return Gap(before.parent, before.index, after.index, evidence, reason)
        take_before = after is None or (
            before is not None
            and (before.parent is home, -far_before) >= (after.parent is home, -far_after)
        )
        place = before if take_before else after
        assert place is not None
        far = far_before if take_before else far_after
        side = "after" if take_before else "before"
        kept = "its neighbour" if far == 0 else "the nearest statement that is left"
        moved = place.parent is not home
        low = high = place.index
        children = place.parent.children
        if take_before:
            limit = _child_around(after, place.parent, len(children))
            while high < limit and self._is_new(children[high]):
                high += 1
        else:
            limit = _child_around(before, place.parent, -1) + 1
            while low > limit and self._is_new(children[low - 1]):
                low -= 1
        evidence = Evidence.MOVED if moved and far == 0 else Evidence.GUESSED
        return Gap(place.parent, low, high, evidence, f"{side} {kept}")

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
            before, _ = self._nearest(siblings[: node.index][::-1], self._after)
            after, _ = self._nearest(siblings[node.index + 1 :], self._before)
            place = before or after
            if place is None and (home := self._alignment.right.get(node.parent)) is not None:
                place = Place(home, len(home.children)) if can_hold(home) else None
            if place is not None and place.parent.kind is Kind.CLAUSE:
                reason = "the code that it stood in is gone"
                return Gap(
                    place.parent, place.index, place.index, Evidence.GUESSED, reason, orphaned=True
                )
            node = node.parent
        raise AssertionError("a function always has a body")


def _child_around(place: Place | None, parent: Node, default: int) -> int:
    """The index of the child of *parent* that *place* is inside of."""
    node = place.parent if place is not None else None
    while node is not None and node.parent is not parent:
        node = node.parent
    return default if node is None else node.index


def can_hold(node: Node) -> bool:
    """Whether statements can be put among the children of *node*."""
    return node.kind is Kind.COMPOUND or bool(node.children)


def _parent(node: Node) -> Node:
    assert node.parent is not None
    return node.parent


def choose_place(gap: Gap, inserted: Names, names: Callable[[Node], Names]) -> tuple[int, str]:
    """Choose among the places of *gap* for code with the names *inserted*.

    Code goes after what binds a name that it reads, and before what reads a name that it
    binds; else after the target's own new statements, but never behind a ``return``. The
    second value says which of these decided, empty where there was no choice.
    """
    newcomers = [n for n in gap.newcomers if n.is_code]
    if not newcomers:
        return gap.high, ""
    place, reason = gap.high, "after the upstream's new statements there; the order is a guess"
    for node in newcomers:
        theirs = names(node)
        if inserted.binds & theirs.reads and not inserted.reads & theirs.binds:
            place, reason = node.index, "before the upstream's new statement that reads its names"
            break
    for node in reversed(newcomers):
        theirs = names(node)
        if node.index < place and inserted.reads & theirs.binds:
            if place == gap.high:
                reason = "after the upstream's new statement that binds its names"
            break
    while place > gap.low and _ends_block(gap.parent.children[place - 1]):
        place -= 1
    return place, reason


def _ends_block(node: Node) -> bool:
    return node.kind is Kind.STATEMENT and node.word in _TERMINATORS
