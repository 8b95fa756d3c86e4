"""What a run deleted, and what the skeleton has in its place.

See *What local deleted* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.model import Evidence
from omni_codemods.functions.diff import Role, Run
from omni_codemods.functions.tree import Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap, Placer
from omni_codemods.replay.plan import Plan

Pairs = list[tuple[Node, Node]]  # a statement of the ancestor, and what the skeleton has of it


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted and the skeleton still has: *changed* there, or *unchanged*."""

    changed: Pairs
    unchanged: Pairs

    @property
    def left(self) -> list[Node]:
        """What the skeleton has of it."""
        return [skeleton for _, skeleton in (*self.unchanged, *self.changed)]

    def __bool__(self) -> bool:
        return bool(self.changed or self.unchanged)


NOTHING = Deleted([], [])


def find_deleted(run: Run, facts: Facts) -> Deleted:
    """What *run* deleted and the skeleton still has."""
    changed: Pairs = []
    unchanged: Pairs = []
    replaced = any(e.node.is_code for e in run.inserted)
    for entry in run.deleted:
        if entry.role is not Role.NODE or entry.node in facts.to_edited.right:
            continue
        for old, skeleton in _left_of(entry.node, facts):
            same = skeleton.code == old.code or not old.is_code
            same = same and facts.options.held.may_go(skeleton, replaced=replaced)
            (unchanged if same else changed).append((old, skeleton))
    return Deleted(changed, unchanged)


def _left_of(ancestor: Node, facts: Facts) -> Pairs:
    """What the skeleton has left of deleted code: all of it, or what stood in it."""
    skeleton = facts.to_skeleton.right.get(ancestor)
    if skeleton is not None:
        return [(ancestor, skeleton)]
    return [pair for node in ancestor.children for pair in _left_of(node, facts)]


def iter_freed(run: Run, facts: Facts) -> Iterator[Node]:
    """Yield the skeleton's compounds from which *run* freed what stands in them."""
    for entry in run.deleted:
        if entry.role is Role.OPEN and entry.node.parent is not None:
            compound = facts.to_skeleton.right.get(entry.node.parent)
            if compound is not None:
                yield compound


def is_gone(run: Run, facts: Facts) -> bool:
    """Whether the skeleton has nothing left of what *run* deletes."""
    known = facts.to_skeleton.right
    return all(
        e.role is Role.NODE and not any(n in known for n in e.node.walk()) for e in run.deleted
    )


def is_stub(run: Run) -> bool:
    """Whether nothing was deleted in *run* but what stands for no code."""
    return all(e.node.code in ("pass", "...") for e in run.deleted if e.node.is_code)


def gap_of(run: Run, left: list[Node], home: Node | None, facts: Facts, placer: Placer) -> Gap:
    """The gap of *run*: in place of what is *left* of the code that it replaces, if anything is.

    *home* is the skeleton's block for it where that is known.
    """
    if not left or (home is not None and all(t.parent is not home for t in left)):
        return placer.gap_of_run(run, home=home)
    # Where the edits hold some of the code, they stand for that; else for the first of it.
    held = {n.code for e in run.inserted for n in e.node.walk()}
    first = next((t for t in left if t.code in held), left[0])
    parent = first.parent
    assert parent is not None
    index = min(t.index for t in left if t.parent is parent)
    moved = facts.to_skeleton.right.get(run.block) is not parent
    evidence = Evidence.MOVED if moved else Evidence.EXACT
    return Gap(parent, index, index, evidence, "in place of the code that it replaces")


def replaced_range(run: Run, deleted: Deleted, gap: Gap, facts: Facts) -> tuple[int, int]:
    """The children of ``gap.parent`` that stand where the deleted code stood.

    New code next to what is left of it is in the range where the deleted code beside is gone::

        ancestor    a   OLD_1 OLD_2   b         both deleted by the run
        skeleton    a   new   OLD_2   b         OLD_1 is gone: new stands in its place
                       └─────────┘
    """
    nodes = [e.node for e in run.deleted if e.role is Role.NODE and e.node.is_code]
    solid = [n for n in nodes if n not in facts.to_edited.right]
    if not solid:
        return gap.low, gap.low
    inside = [t.index for t in deleted.left if t.parent is gap.parent]
    if not inside:
        return gap.low, gap.high
    low, high = min(inside), max(inside) + 1
    children, known = gap.parent.children, facts.to_skeleton
    if solid[0] not in known.right:
        while low > 0 and children[low - 1] not in known.left:
            low -= 1
    if solid[-1] not in known.right:
        while high < len(children) and children[high] not in known.left:
            high += 1
    return low, high


def new_around(span: tuple[int, int], parent: Node, plan: Plan) -> Iterator[Node]:
    """The skeleton's news right before and right after the children *span* of *parent*."""
    low, high = span
    before = list(itertools.takewhile(plan.is_new, reversed(parent.children[:low])))
    yield from reversed(before)
    yield from itertools.takewhile(plan.is_new, parent.children[high:])
