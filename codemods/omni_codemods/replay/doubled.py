"""Code that now runs twice: once beside a local edit that stays, once in it.

The result is Python that runs, and no line of it is lost, so nothing else would say so. What may
run twice is not decided here; the account names it, and a person decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from omni_codemods.functions.align import MOVED_SIZE
from omni_codemods.functions.likeness import likeness
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.placement import Gap
from omni_codemods.replay.plan import Piece, Scene

# A call beside the edit that is this alike to one in it, and calls the same, is the same call.
_SAME_CALL = 0.6
_BRANCHES = frozenset({"if", "elif", "else", "except", "case"})


def warn_of_doubles(pieces: Sequence[Piece], gap: Gap, near: Iterable[Node], scene: Scene) -> None:
    """Say where one of *pieces*, which stand in *gap*, has what the skeleton runs as well.

    *near* is the target's new code in the gap and beside it: there the same call is enough;
    elsewhere it must be the same code, and long enough to mean something.
    """
    beside = {n for node in near for n in node.walk()}
    for piece in pieces:
        if piece.item.doubled or not piece.is_code:
            continue
        if (twin := _find_twin(piece, gap, beside, scene)) is not None:
            piece.item.double(twin)


def _find_twin(piece: Piece, gap: Gap, beside: set[Node], scene: Scene) -> Node | None:
    mine = [n for n in piece.node.walk() if n.kind is Kind.STATEMENT and _is_own(n, scene)]
    calls = [n for n in mine if "(" in n.key]
    codes = {n.code for n in mine if n.size >= MOVED_SIZE}
    for target in _running(scene, piece.item.fenced):
        again = target.code in codes
        again = again or (target in beside and any(_is_same_call(n, target) for n in calls))
        if again and not _are_alternatives(target, gap.parent):
            return target
    return None


def _is_own(local: Node, scene: Scene) -> bool:
    """Whether *local* is printed by the edit, and not by the skeleton as the base's code."""
    return scene.target_of(local) is None


def _running(scene: Scene, fenced: bool) -> Iterator[Node]:
    """The target's statements that local does not have, and that will stand in the result."""
    plan, known = scene.plan, scene.by_target.left
    for target in _foreign(scene):
        loose = target not in scene.taken if known.get(target) is None else fenced
        if loose and not any(n in plan.gone or n in plan.absorbed for n in target.upwards()):
            yield target


def _foreign(scene: Scene) -> Sequence[Node]:
    """The target's statements that local does not have: asked for by each edit, so remembered."""
    if scene.foreign is None:
        known, mine = scene.by_target.left, scene.by_local.right
        root = next(n for n in scene.by_target.right.values() if n.parent is None)
        statements = (n for n in root.walk() if n.kind is Kind.STATEMENT)
        scene.foreign = [n for n in statements if (b := known.get(n)) is None or b not in mine]
    return scene.foreign


def _is_same_call(mine: Node, target: Node) -> bool:
    """Whether two statements call the same, whatever else they pass."""
    if "(" not in target.key or mine.word != target.word:
        return False
    if mine.code == target.code:
        return True
    ours, theirs = (n.key[: n.key.index("(")] for n in (mine, target))
    return ours == theirs and likeness(mine, target) >= _SAME_CALL


def _are_alternatives(target: Node, parent: Node) -> bool:
    """Whether only one of *target* and what stands in *parent* runs: two arms of one compound."""
    around = {n.parent: n for n in parent.upwards() if n.kind is Kind.CLAUSE}
    for node in target.upwards():
        if node.kind is Kind.CLAUSE and node.parent in around and node.parent is not None:
            other = around[node.parent]
            return other is not node and {other.word, node.word} <= _BRANCHES
    return False
