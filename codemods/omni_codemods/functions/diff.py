"""Ancestor × edited → edits: what was changed, as runs between statements that both have.

Where the edited side put the ancestor's code under a new compound (or freed it from one) the
compound is taken apart into an opening and a closing entry, so that what it wraps stays in place
and comparable.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.tree import Kind, Node


class Role(enum.Enum):
    """What an entry of a flattened block is: a whole node, or a part of one taken apart."""

    NODE = "node"
    OPEN = "open"
    MIDDLE = "middle"
    CLOSE = "close"


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One entry of a flattened block.

    For the parts of a compound *node* is the clause that starts there, for the closing part
    the compound itself.
    """

    node: Node
    role: Role = Role.NODE


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What was deleted and inserted between two statements that ancestor and edited share.

    *block* is the ancestor's node whose flattened children are *entries*; ``entries[start:end]``
    are those that were deleted.
    """

    block: Node
    entries: Sequence[Entry]
    start: int
    end: int
    inserted: tuple[Entry, ...]

    @property
    def deleted(self) -> Sequence[Entry]:
        """The ancestor's entries that the edited side lacks here."""
        return self.entries[self.start : self.end]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A statement, clause header or comment that both have, perhaps changed.

    It stands at ``entries[at]`` of the flattened children of *block*.
    """

    ancestor: Node
    edited: Node
    block: Node
    entries: Sequence[Entry]
    at: int


@dataclass(slots=True)
class Ledger:
    """All runs and pairs of a function, in the order of the edited text."""

    runs: list[Run] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)


def make_ledger(base: Node, local: Node, alignment: Alignment) -> Ledger:
    """Compare two functions (their root nodes) under *alignment* (base left, local right)."""
    ledger = Ledger()
    _compare(base, local, alignment, ledger)
    return ledger


def _compare(base: Node, local: Node, alignment: Alignment, ledger: Ledger) -> None:
    left = list(flatten(base.children, alignment.right))
    right = list(flatten(local.children, alignment.left))
    at_l = at_r = 0
    for i, j in [*_in_order(left, right, alignment), (len(left), len(right))]:
        run = Run(base, left, at_l, i, tuple(right[at_r:j]))
        if run.start < run.end or run.inserted:
            ledger.runs.append(run)
        for entry in run.inserted:
            moved = alignment.left.get(entry.node)
            if moved is not None and entry.role is Role.NODE and moved.parent is not None:
                entries = [Entry(n) for n in moved.parent.children]
                pair = Pair(moved, entry.node, moved.parent, entries, moved.index)
                _compare_pair(pair, alignment, ledger)
        if i < len(left):
            pair = Pair(left[i].node, right[j].node, base, left, i)
            _compare_pair(pair, alignment, ledger)
        at_l, at_r = i + 1, j + 1


def _compare_pair(pair: Pair, alignment: Alignment, ledger: Ledger) -> None:
    ledger.pairs.append(pair)
    if pair.ancestor.kind in (Kind.COMPOUND, Kind.CLAUSE):
        _compare(pair.ancestor, pair.edited, alignment, ledger)


def flatten(nodes: Sequence[Node], paired: dict[Node, Node]) -> Iterator[Entry]:
    """Yield the entries of a block; an unpaired compound that holds paired code is taken apart."""
    for node in nodes:
        if node.kind is Kind.COMPOUND and node not in paired and _holds_paired(node, paired):
            first = True
            for part in node.children:
                if part.kind is Kind.CLAUSE:
                    yield Entry(part, Role.OPEN if first else Role.MIDDLE)
                    first = False
                    yield from flatten(part.children, paired)
                else:
                    yield Entry(part)
            yield Entry(node, Role.CLOSE)
        else:
            yield Entry(node)


def _holds_paired(node: Node, paired: dict[Node, Node]) -> bool:
    return any(n in paired for n in node.walk() if n.is_code)


def _in_order(left: list[Entry], right: list[Entry], alignment: Alignment) -> list[tuple[int, int]]:
    """Index pairs of the entries that both have: the heaviest run of them that keeps the order."""
    where = {e.node: j for j, e in enumerate(right) if e.role is Role.NODE}
    found = [
        (i, where[alignment.right[e.node]])
        for i, e in enumerate(left)
        if e.role is Role.NODE and alignment.right.get(e.node) in where
    ]
    if all(a[1] < b[1] for a, b in itertools.pairwise(found)):
        return found
    return _heaviest_increasing(found, [left[i].node.size + 1 for i, _ in found])


def _heaviest_increasing(found: list[tuple[int, int]], weights: list[int]) -> list[tuple[int, int]]:
    """The weighted longest increasing subsequence, with a Fenwick tree of running maxima."""
    width = max(j for _, j in found) + 2
    tree: list[tuple[int, int]] = [(0, -1)] * width  # weight, index of the last pair
    back: list[int] = []
    for k, (_, j) in enumerate(found):
        best = (0, -1)
        at = j
        while at > 0:
            best = max(best, tree[at])
            at -= at & -at
        back.append(best[1])
        mine, at = (best[0] + weights[k], k), j + 1
        while at < width:
            tree[at] = max(tree[at], mine)
            at += at & -at
    k = max(tree)[1]
    out: list[tuple[int, int]] = []
    while k >= 0:
        out.append(found[k])
        k = back[k]
    return out[::-1]


def compound_of(entry: Entry) -> Node:
    """The compound that *entry* is a part of."""
    compound = entry.node if entry.role is Role.CLOSE else entry.node.parent
    assert compound is not None
    return compound
