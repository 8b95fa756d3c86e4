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
    running: dict[bool, _Running] = {}
    for piece in pieces:
        if piece.item.doubled or not piece.is_code:
            continue
        fenced = piece.item.fenced
        if fenced not in running:
            running[fenced] = _Running(_iter_running(fenced, facts, plan), beside)
        if (twin := _find_twin(piece, gap, running[fenced], facts)) is not None:
            facts.double(piece.item, twin)


class _Running:
    """The skeleton's statements that run beside the edits: by their code, and by what they call."""

    def __init__(self, nodes: Iterable[Node], beside: set[Node]) -> None:
        self._places: dict[Node, int] = {}
        self._by_code: dict[str, list[Node]] = {}
        self._by_call: dict[tuple[str, ...], list[Node]] = {}
        for node in nodes:
            self._places[node] = len(self._places)
            self._by_code.setdefault(node.code, []).append(node)
            if node in beside and "(" in node.key:
                self._by_call.setdefault(_callee(node), []).append(node)

    def like(self, calls: Iterable[Node], codes: Iterable[str]) -> list[Node]:
        """What has one of *codes*, or calls what one of *calls* does, in the skeleton's order."""
        found = {n for code in codes for n in self._by_code.get(code, ())}
        for call in calls:
            found.update(n for n in self._by_call.get(_callee(call), ()) if _is_same_call(call, n))
        return sorted(found, key=self._places.__getitem__)


def _find_twin(piece: Piece, gap: Gap, running: _Running, facts: Facts) -> Node | None:
    mine = [n for n in piece.node.walk() if n.kind is Kind.STATEMENT and _is_own(n, facts)]
    codes = dict.fromkeys(n.code for n in mine if n.size >= MOVED_SIZE)
    for skeleton in running.like([n for n in mine if "(" in n.key], codes):
        if not _are_alternatives(skeleton, gap.parent):
            return skeleton
    return None


def _callee(call: Node) -> tuple[str, ...]:
    """What stands in front of the first bracket."""
    return call.key[: call.key.index("(")]


def _is_own(edited: Node, facts: Facts) -> bool:
    """Whether *edited* is printed by the edit, and not by the skeleton as the ancestor's code."""
    return facts.versions.skeleton_of(edited) is None


def _iter_running(fenced: bool, facts: Facts, plan: Plan) -> Iterator[Node]:
    """The skeleton's statements that are foreign to the edits, and will stand in the result."""
    known = facts.to_skeleton.left
    for skeleton in facts.foreign:
        loose = skeleton not in plan.taken if known.get(skeleton) is None else fenced
        if loose and not any(n in plan.gone or n in plan.absorbed for n in skeleton.upwards()):
            yield skeleton


def _is_same_call(mine: Node, skeleton: Node) -> bool:
    """Whether two statements that call the same are the same call, whatever else they pass."""
    same = mine.word == skeleton.word and likeness(mine, skeleton) >= _SAME_CALL
    return same or mine.code == skeleton.code


def _are_alternatives(skeleton: Node, parent: Node) -> bool:
    """Whether only one of *skeleton* and what stands in *parent* runs: two arms of one compound."""
    around = {n.parent: n for n in parent.upwards() if n.kind is Kind.CLAUSE}
    for node in skeleton.upwards():
        if node.kind is Kind.CLAUSE and node.parent in around and node.parent is not None:
            other = around[node.parent]
            return other is not node and {other.word, node.word} <= _BRANCHES
    return False
