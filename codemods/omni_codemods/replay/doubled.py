"""Code that now runs twice: once beside an edit that stays, once in it.

The result is Python that runs, and no line of it is lost, so nothing else would say so. What may
run twice is not decided here; the account names it, and a person decides. See *What the result does
not show* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.functions.align import MOVED_SIZE
from omni_codemods.functions.likeness import likeness
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap
from omni_codemods.replay.plan import Piece, Plan

# A call beside the edit that is this alike to one in it, and calls the same, is the same call.
_SAME_CALL = 0.6
_BRANCHES = frozenset({"if", "elif", "else", "except", "case"})


def warn_of_doubles(
    pieces: Sequence[Piece], gap: Gap, near: Iterable[Node], facts: Facts, plan: Plan
) -> None:
    """Say where one of *pieces*, which stand in *gap*, has what the skeleton runs as well.

    *near* is the skeleton's new code in the gap and beside it: there the same call is enough;
    elsewhere it must be the same code, and long enough to mean something.
    """
    beside = {n for node in near for n in node.walk()}
    for piece in pieces:
        if piece.item.doubled or not piece.is_code:
            continue
        if (twin := _find_twin(piece, gap, beside, facts, plan)) is not None:
            facts.double(piece.item, twin)


def _find_twin(piece: Piece, gap: Gap, beside: set[Node], facts: Facts, plan: Plan) -> Node | None:
    mine = [n for n in piece.node.walk() if n.kind is Kind.STATEMENT and _is_own(n, facts)]
    calls = [n for n in mine if "(" in n.key]
    codes = {n.code for n in mine if n.size >= MOVED_SIZE}
    for skeleton in _running(piece.item.fenced, facts, plan):
        again = skeleton.code in codes
        again = again or (skeleton in beside and any(_is_same_call(n, skeleton) for n in calls))
        if again and not _are_alternatives(skeleton, gap.parent):
            return skeleton
    return None


def _is_own(edited: Node, facts: Facts) -> bool:
    """Whether *edited* is printed by the edit, and not by the skeleton as the ancestor's code."""
    return facts.versions.skeleton_of(edited) is None


def _running(fenced: bool, facts: Facts, plan: Plan) -> Iterator[Node]:
    """The skeleton's statements that are foreign to the edits, and will stand in the result."""
    known = facts.to_skeleton.left
    for skeleton in facts.foreign:
        loose = skeleton not in plan.taken if known.get(skeleton) is None else fenced
        if loose and not any(n in plan.gone or n in plan.absorbed for n in skeleton.upwards()):
            yield skeleton


def _is_same_call(mine: Node, skeleton: Node) -> bool:
    """Whether two statements call the same, whatever else they pass."""
    if "(" not in skeleton.key or mine.word != skeleton.word:
        return False
    if mine.code == skeleton.code:
        return True
    ours, theirs = (n.key[: n.key.index("(")] for n in (mine, skeleton))
    return ours == theirs and likeness(mine, skeleton) >= _SAME_CALL


def _are_alternatives(skeleton: Node, parent: Node) -> bool:
    """Whether only one of *skeleton* and what stands in *parent* runs: two arms of one compound."""
    around = {n.parent: n for n in parent.upwards() if n.kind is Kind.CLAUSE}
    for node in skeleton.upwards():
        if node.kind is Kind.CLAUSE and node.parent in around and node.parent is not None:
            other = around[node.parent]
            return other is not node and {other.word, node.word} <= _BRANCHES
    return False
