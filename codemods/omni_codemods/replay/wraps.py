"""Compounds that both sides put around the ancestor's code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from omni_codemods.findings.model import Evidence
from omni_codemods.functions.diff import Entry, Role, Run, compound_of
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap, parent_of
from omni_codemods.replay.plan import Piece


class Wraps:
    """The edited wraps of a function; *runs* are all that the edited side inserted and deleted."""

    def __init__(self, facts: Facts, runs: Sequence[Run]) -> None:
        self._facts = facts
        self._arounds: dict[Node, Node | None] = {}
        self._inserted = {e.node for run in runs for e in run.inserted if e.role is Role.NODE}

    def is_emptied(self, piece: Piece) -> bool:
        """Whether *piece* is of a wrap outside blocks of which the skeleton has no code left.

        Comments in it go with it.
        """
        if piece.is_code or (piece.is_whole and piece.item.fenced):
            return False
        compound = piece.node.parent if piece.is_whole else compound_of(piece.entry)
        if piece.is_whole and compound is not None:
            compound = compound.parent
        if compound is None or compound in self._facts.to_edited.left:
            return False
        kept = self._facts.to_edited.left
        return compound.kind is Kind.COMPOUND and all(
            self._facts.account.owner(n) is None
            and self._facts.versions.skeleton_of(n) is None
            and (not _is_solid(n) or (n in kept and n not in self._inserted))
            for n in compound.walk()
        )

    def is_there(self, piece: Piece) -> bool:
        """Whether *piece* is a header that the skeleton has put around the same code."""
        return not piece.is_whole and self.around(compound_of(piece.entry)) is not None

    def around(self, compound: Node) -> Node | None:
        """The skeleton's new compound that is the edited wrap *compound*, around the same code.

        It stands for one edited wrap alone.
        """
        if compound not in self._arounds:
            taken = set(self._arounds.values())
            inner = next((n for n in compound.walk() if self._facts.versions.skeleton_of(n)), None)
            around = self._find(compound, inner) if inner is not None else None
            self._arounds[compound] = around if around not in taken else None
        return self._arounds[compound]

    def _find(self, compound: Node, inner: Node) -> Node | None:
        new = (n for n in _between(inner, compound) if n not in self._facts.to_edited.left)
        nested = sum(_heads(n) == _heads(compound) for n in new)
        return next(itertools.islice(self._find_around(compound, inner), nested, None), None)

    def _find_around(self, compound: Node, inner: Node) -> Iterator[Node]:
        """The skeleton's new compounds with the headers of *compound*, from *inner* outwards."""
        skeleton = self._facts.versions.skeleton_of(inner)
        for around in skeleton.upwards() if skeleton is not None else ():
            new = around.kind is Kind.COMPOUND and around not in self._facts.to_skeleton.left
            if new and around is not skeleton and _has_clauses(around, compound):
                yield around

    def home_of(self, pieces: list[Piece]) -> Node | None:
        """The skeleton's block for *pieces* that stand in a wrap which the skeleton has too."""
        clauses = {p.node.parent for p in pieces if p.is_whole}
        clause = clauses.pop() if len(clauses) == 1 else None
        compound = clause.parent if clause is not None else None
        if clause is None or compound is None or compound in self._facts.to_edited.left:
            return None
        around = self.around(compound)
        return around.children[clause.index] if around is not None else None

    def between(self, first: Piece, second: Piece) -> Gap:
        """The gap between two neighbouring headers of compounds that the skeleton has too."""
        (parent, low), (other, high) = self._behind(first.entry), self._in_front(second.entry)
        high = high if parent is other and low <= high else low
        return Gap(parent, low, high, Evidence.EXACT, "between the same neighbours")

    def _behind(self, entry: Entry) -> tuple[Node, int]:
        around = self.around(compound_of(entry))
        assert around is not None
        if entry.role is Role.CLOSE:
            return parent_of(around), around.index + 1
        return around.children[entry.node.index], 0

    def _in_front(self, entry: Entry) -> tuple[Node, int]:
        around = self.around(compound_of(entry))
        assert around is not None
        if entry.role is Role.OPEN:
            return parent_of(around), around.index
        at = entry.node.index if entry.role is Role.MIDDLE else len(entry.node.children)
        last = around.children[at - 1]
        return last, len(last.children)


def _is_solid(node: Node) -> bool:
    """Whether *node* is code that runs by itself: no header, no ``pass``."""
    return node.kind is Kind.STATEMENT and node.code != "pass"


def _heads(compound: Node) -> list[str]:
    return [clause.head for clause in compound.children]


def _has_clauses(around: Node, compound: Node) -> bool:
    """Whether *around* has the clauses of *compound*, with the skeleton's own behind them."""
    mine, theirs = _heads(compound), _heads(around)
    more = {clause.word for clause in around.children[len(mine) :]}
    return theirs[: len(mine)] == mine and more <= {"elif", "else"}


def _between(node: Node, compound: Node) -> Iterator[Node]:
    """The compounds around *node* inside of *compound*."""
    inside = itertools.takewhile(lambda n: n is not compound, node.upwards())
    return (n for n in inside if n.kind is Kind.COMPOUND and n is not node)
