"""Putting edits into gaps of the skeleton, and conflicts where there is no gap to put them.

See *Where an insertion goes* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.diff import Role
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import Names
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.placement import Gap, Place, Placer
from omni_codemods.replay.plan import Piece, Plan, Region
from omni_codemods.replay.within_gap import choose_place, find_exit


class Inserter:
    """Writes insertions and conflicts about whole nodes into the *plan*."""

    def __init__(self, facts: Facts, plan: Plan, placer: Placer) -> None:
        self._facts = facts
        self._plan = plan
        self.placer = placer

    def insert(self, gap: Gap, pieces: list[Piece], borders: tuple[Gap, Gap] | None = None) -> None:
        """Put *pieces* into the gap; where the code around them is gone, as a conflict.

        *borders* are the gaps for what closes there and for what opens there, by default *gap*.
        """
        facts = self._facts
        if gap.orphaned or (gap.lost and self._reads_lost(facts.names_of_all(pieces))):
            reason = gap.reason if gap.orphaned else "its neighbours and what it reads are gone"
            facts.say(pieces, Outcome.ORPHAN, (gap.evidence, reason))
            self.contest(gap, pieces, [], reason)
            return
        closing, middle, opening = split_at_borders(pieces)
        index, why = gap.high, ""
        if middle:
            names = facts.names_of_all(middle)
            index, why = choose_place(gap, names, facts.names, facts.words)
        before, after = borders or (gap, gap)
        self._put(closing, before, before.low, "")
        self._put(middle, gap, index, why)
        self._put(opening, after, after.high, "")
        for piece in pieces:
            skeleton = facts.versions.skeleton_of(piece.node)
            if skeleton is not None and piece.is_whole:
                self._plan.gone.add(skeleton)  # code that was moved leaves its old place

    def _reads_lost(self, names: Names) -> bool:
        """Whether a variable is read that the ancestor bound, and that nothing binds any longer."""
        return bool((names.reads - names.binds) & self._facts.lost_names)

    def _put(self, pieces: list[Piece], gap: Gap, index: int, why: str) -> None:
        outcome = Outcome.MOVED if gap.evidence is Evidence.MOVED else Outcome.CARRIED
        evidence = Evidence.GUESSED if why else gap.evidence
        reason = why or gap.reason
        new = [n for n in gap.parent.children[gap.low : index] if self._plan.is_new(n)]
        if pieces and (found := find_exit(new)) is not None:
            # The edit runs less often than it did, however sure its place is.
            text = found.text().strip().partition("\n")[0]
            them = self._facts.words.skeleton
            reason += f"; {them}'s new early exit `{text}` stands before it"
        self._facts.say(pieces, outcome, (evidence, reason))
        self._plan.gaps.setdefault((gap.parent, index), []).extend(pieces)

    def contest(self, gap: Gap, pieces: list[Piece], ancestor: list[Node], why: str) -> None:
        """Make *pieces* conflict with what is new in the gap."""
        newcomers = [n for n in gap.newcomers if n.is_code and n not in self._plan.taken]
        start = newcomers[0].index if newcomers else gap.low
        end = newcomers[-1].index + 1 if newcomers else gap.low
        self.add_region(Region(gap.parent, start, end, pieces, ancestor, why, pieces[0].item))

    def add_region(self, region: Region) -> None:
        """Plan a conflict; what stands beside its code of the ancestor goes beside the hunk.

        The skeleton lacks that code, so without this its neighbours would be looked up past it.
        """
        self._plan.regions.append(region)
        before, after = Place(region.parent, region.start), Place(region.parent, region.end)
        for node in region.ancestor:
            if node not in self._facts.to_skeleton.right:
                self.placer.settle(node, before, after)

    def rescue(self) -> None:
        """Put what was to stand in code of the skeleton that goes before that code.

        A block may overrule code around a place after something was put there. What
        stands in edited code that is put somewhere as a whole comes with that.
        """
        gaps, gone = self._plan.gaps, self._plan.gone
        placed = {p.node for pieces in gaps.values() for p in pieces if p.is_whole}
        for (parent, index), pieces in list(gaps.items()):
            going = [n for n in parent.upwards() if n in gone]
            loose = [p for p in pieces if not placed & {*p.node.upwards()} - {p.node}]
            if going and loose:
                gaps[parent, index] = [p for p in pieces if p not in loose]
                place = next(n for n in going[-1].upwards() if n.kind is not Kind.CLAUSE)
                assert place.parent is not None
                reason = f"before {self._facts.words.code} that a block overrules"
                gap = Gap(place.parent, place.index, place.index, Evidence.GUESSED, reason)
                self._put(loose, gap, place.index, reason)


def split_at_borders(pieces: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Cut a run where a block or wrap that holds shared code closes, and where one opens.

    What closes stays with the code before it, what opens with the code after it, so that the
    skeleton's new code at the border stays outside::

        # PATCH START        (shared code)
        shared()
        # PATCH END       <- closes: first part
        mine()            <- second part
        # PATCH START     <- opens: third part
        shared_too()
    """
    if not pieces:
        return [], [], []
    first, last = pieces[0].node.line, pieces[-1].node.end_line
    opened: list[int] = []
    low, high = 0, len(pieces)
    for k, piece in enumerate(pieces):
        item = piece.item
        if piece.entry.role is Role.OPEN:
            opened.append(k)
        elif piece.entry.role is Role.CLOSE:
            if opened:
                opened.pop()
            else:
                low = k + 1
        if item.fenced and item.start < first:
            low = max(low, k + 1)
        if item.fenced and item.end > last:
            high = min(high, k)
    high = max(low, min([high, *opened]))
    return pieces[:low], pieces[low:high], pieces[high:]
