"""Where both sides changed the same run of code: the hunks that say so, and no others.

See *What local deleted* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Role, Run
from omni_codemods.functions.tree import Node
from omni_codemods.replay.deletions import Pairs
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.following import follow
from omni_codemods.replay.plan import Piece, Plan, Region

# Where the skeleton has blocks of its own, as the copy of a sync has.
HOLDS = "a block holds the code that changed"


def is_scattered(unchanged: Pairs, pieces: Sequence[Piece], facts: Facts) -> bool:
    """Whether the skeleton took apart what the edited side replaced, so that it stands in pieces.

    What stood in two suites of the ancestor already is not taken apart by standing there still.
    """
    code = [(old, skeleton) for old, skeleton in unchanged if old.is_code]
    moved = any(_partner(old.parent, facts) is not skeleton.parent for old, skeleton in code)
    places = {skeleton.parent for _, skeleton in code}
    return moved and len(places) > 1 and any(p.is_code for p in pieces)


def _partner(node: Node | None, facts: Facts) -> Node | None:
    return None if node is None else facts.to_skeleton.right.get(node)


def clash(
    run: Run,
    pieces: list[Piece],
    changed: Pairs,
    unchanged: Pairs,
    item: Item,
    facts: Facts,
    plan: Plan,
) -> None:
    """Leave to a person what the edited side replaced or deleted, and the skeleton changed.

    A replacement is one decision over all that the skeleton has of it, so that either side of its
    hunk is whole. Where the edited side only deleted, what the skeleton left alone is deleted
    without asking.
    """
    reason = HOLDS if _is_held(changed) else "both changed this code"
    facts.say(pieces, Outcome.CONFLICT, (Evidence.EXACT, reason))
    item.say(Outcome.CONFLICT, Evidence.EXACT, reason)
    deletion = not any(p.is_code for p in pieces)
    groups = _neighbours(changed if deletion else [*changed, *unchanged])
    around = None if deletion or len(groups) == 1 else _around(groups, facts)
    if around is not None:
        groups = [around]
    # The pieces go where code stands that changed, if it is not all in one place.
    home = next((k for k, group in enumerate(groups) if _has(group, changed)), 0)
    for k, group in enumerate(groups):
        parent, start, end, pairs = group
        first = k == home
        ancestor = deleted_nodes(run) if first and not deletion else [old for old, _ in pairs]
        if not first and not deletion and not _has(group, changed):
            # Unchanged there: that the edited side deleted it is no conflict.
            plan.gone.update(skeleton for _, skeleton in pairs)
            follow(item, [skeleton for _, skeleton in pairs], (), facts, plan)
            continue
        plan.gone.difference_update(parent.children[start:end])
        mine = pieces if first else []
        plan.regions.append(Region(parent, start, end, mine, ancestor, reason, item))


def _is_held(changed: Pairs) -> bool:
    """Whether the skeleton has the ancestor's own code there: it is a block of the skeleton's.

    So it is in a sync, where a block of the copy has the code as it was.
    """
    return bool(changed) and all(old.key == skeleton.key for old, skeleton in changed)


_Group = tuple[Node, int, int, list[tuple[Node, Node]]]  # children of a node, and what they are


def _has(group: _Group, changed: Pairs) -> bool:
    return any(pair in changed for pair in group[3])


def _neighbours(pairs: Pairs) -> list[_Group]:
    """Pairs whose skeletons stand side by side, in the order of the skeleton's text."""
    out: list[_Group] = []
    for old, skeleton in sorted(pairs, key=lambda pair: pair[1].line):
        parent = skeleton.parent
        assert parent is not None
        if out and out[-1][0] is parent and not _is_apart(parent, out[-1][2], skeleton.index):
            last = out.pop()
            out.append((parent, last[1], skeleton.index + 1, [*last[3], (old, skeleton)]))
        else:
            out.append((parent, skeleton.index, skeleton.index + 1, [(old, skeleton)]))
    return out


def _is_apart(parent: Node, end: int, start: int) -> bool:
    return any(n.is_code for n in parent.children[end:start])


def _around(groups: Sequence[_Group], facts: Facts) -> _Group | None:
    """The smallest run of neighbours that holds all *groups*.

    ``None`` if the edited side kept code in it: a hunk would ask about what nobody changed.
    """
    parent = groups[0][0]
    while not all(parent in group[0].upwards() for group in groups):
        assert parent.parent is not None
        parent = parent.parent
    places = [_place(group, parent) for group in groups]
    start, end = min(p.start for p in places), max(p.stop for p in places)
    held = itertools.chain.from_iterable(n.walk() for n in parent.children[start:end])
    if _is_kept(held, facts):
        return None
    return parent, start, end, [pair for group in groups for pair in group[3]]


def _place(group: _Group, parent: Node) -> range:
    """Which children of *parent* the group is, or stands in."""
    node, start, end, _ = group
    if node is parent:
        return range(start, end)
    while node.parent is not None and node.parent is not parent:
        node = node.parent
    return range(node.index, node.index + 1)


def _is_kept(nodes: Iterable[Node], facts: Facts) -> bool:
    partners = (facts.to_skeleton.left.get(n) for n in nodes if n.is_code)
    return any(ancestor in facts.to_edited.right for ancestor in partners if ancestor is not None)


def deleted_nodes(run: Run) -> list[Node]:
    """The whole statements of the ancestor that the edited side lacks in *run*."""
    return [e.node for e in run.deleted if e.role is Role.NODE]
