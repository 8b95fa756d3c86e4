"""Runs as they are placed: cut at headers that the skeleton has too, with the gap for each part."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Role, Run
from omni_codemods.functions.tree import Node
from omni_codemods.replay.attribution import Attribution
from omni_codemods.replay.deletions import (
    NOTHING,
    Deleted,
    find_deleted,
    gap_of,
    is_gone,
    is_stub,
    new_around,
    replaced_range,
)
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap, Placer
from omni_codemods.replay.plan import Piece, Plan
from omni_codemods.replay.wraps import Wraps


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run with its pieces, the edit that deletes, and what the skeleton has of the deleted.

    *whole* is false for a part of a run that stands on one side of a header.
    """

    run: Run
    pieces: list[Piece]
    deleter: Item | None
    deleted: Deleted
    gap: Gap
    whole: bool = True

    @property
    def has_code(self) -> bool:
        """Whether it inserts code."""
        return any(p.is_code for p in self.pieces)

    def rivals(self, facts: Facts, plan: Plan) -> list[Node]:
        """The skeleton's own new code in place of what was replaced."""
        if not any(p.node.is_code for p in self.pieces):
            return []
        if self.deleter is not None and self.deleter.fenced and is_stub(self.run):
            return []  # a block in place of nothing: what the skeleton wrote there stands too
        low, high = replaced_range(self.run, self.deleted, self.gap, facts)
        new = (n for n in self.gap.parent.children[low:high] if n.is_code and plan.is_new(n))
        return [n for n in new if not facts.may_hold_kept(n)]

    def beside(self, facts: Facts, plan: Plan, placer: Placer) -> list[Node]:
        """The skeleton's own new code next to a run, outside of its gap.

        That is next to its neighbours, and before and after what was replaced.
        """
        if not self.whole:
            return []
        borders = placer.borders_of_run(self.run)
        found = dict.fromkeys(n for gap in borders for n in gap.newcomers)
        if not self.gap.newcomers and self.deleted:
            span = replaced_range(self.run, self.deleted, self.gap, facts)
            found |= dict.fromkeys(new_around(span, self.gap.parent, plan))
        return [n for n in found if plan.is_new(n)]

    def borders(self, placer: Placer) -> tuple[Gap, Gap] | None:
        """The gaps for what closes here and what opens here: each stays with what it holds."""
        if (self.deleted and self.has_code) or not self.whole:
            return None
        return placer.borders_of_run(self.run)


class Preparer:
    """Prepares runs; *wrapped* are the edits of which the skeleton has the compound already."""

    def __init__(self, facts: Facts, placer: Placer, wraps: Wraps) -> None:
        self._facts = facts
        self._placer = placer
        self._wraps = wraps
        self._attribution = Attribution(facts)
        self.wrapped: list[Item] = []

    def prepare(self, run: Run) -> list[Prepared]:
        """The parts of *run*, in its order."""
        parts, headers = self._parts(run)
        deleted = find_deleted(run, self._facts)
        if headers and all(e.role is Role.NODE for e in run.deleted):
            split = self._split(run, parts, headers, deleted)
            if split:
                return split
        pieces = [p for part in parts for p in part]
        gap = gap_of(run, deleted.left, self._wraps.home_of(pieces), self._facts, self._placer)
        return [Prepared(run, pieces, self._attribution.deleter_of(run, pieces), deleted, gap)]

    def _parts(self, run: Run) -> tuple[list[list[Piece]], list[Piece]]:
        """The pieces that are left to place, cut at the headers that the skeleton has too."""
        them = self._facts.words.skeleton
        parts: list[list[Piece]] = [[]]
        headers: list[Piece] = []
        for piece in self._attribution.pieces_of(run):
            if self._wraps.is_emptied(piece):
                why = f"{them} removed the code in it"
                piece.item.say(Outcome.ABSORBED, Evidence.EXACT, why)
            elif self._wraps.is_there(piece):
                why = f"{them} has the same around it"
                piece.item.say(Outcome.ABSORBED, Evidence.EXACT, why)
                headers.append(piece)
                self.wrapped.append(piece.item)
                parts.append([])
            else:
                parts[-1].append(piece)
        return parts, headers

    def _split(
        self,
        run: Run,
        parts: Sequence[list[Piece]],
        headers: Sequence[Piece],
        deleted: Deleted,
    ) -> list[Prepared]:
        """The skeleton has the *headers* too: what stood between two goes between its own.

        What was deleted belongs to the part that stands where the skeleton has it; nothing where
        that is none.
        """
        before, after = self._placer.borders_of_run(run)
        between = itertools.starmap(self._wraps.between, itertools.pairwise(headers))
        gaps = [before, *between, after]
        left = deleted.left
        homes = [k for k, gap in enumerate(gaps) if all(t.parent is gap.parent for t in left)]
        if not homes:
            return []
        split = [
            Prepared(run, pieces, None, NOTHING, gap, whole=False)
            for pieces, gap in zip(parts, gaps, strict=True)
        ]
        home = homes[0]
        deleter = self._attribution.deleter_of(run, parts[home] if left else [])
        if left:
            gap = gap_of(run, left, None, self._facts, self._placer)
            split[home] = replace(split[home], deleter=deleter, deleted=deleted, gap=gap)
        elif deleter is not None and is_gone(run, self._facts):
            why = f"{self._facts.words.skeleton} removed it too"
            deleter.say(Outcome.ABSORBED, Evidence.EXACT, why)
        return split
