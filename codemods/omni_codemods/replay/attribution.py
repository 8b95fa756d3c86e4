"""Which edit a piece of a run belongs to: a block, a wrap, or drift.

See *What an edit is* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Role, Run, compound_of
from omni_codemods.functions.tree import Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.plan import Piece


class Attribution:
    """Puts pieces down to edits; the parts of one wrap, in whichever runs, to one edit."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._wraps: dict[Node, Item] = {}

    def pieces_of(self, run: Run) -> list[Piece]:
        """What *run* inserts; its drift is one edit."""
        account = self._facts.account
        whole = (e.node for e in run.inserted if e.role is Role.NODE)
        loose = [node for node in whole if account.owner(node) is None]
        out: list[Piece] = []
        drift: Item | None = None
        for entry in run.inserted:
            item = account.owner(entry.node)
            if item is None and entry.role is not Role.NODE:
                item = self._wrap_of(entry)
            if item is None:
                drift = drift or account.drift(loose, entry.node.line)
                item = drift
            if entry.role is Role.NODE:
                item.inserts |= entry.node.is_code
            else:
                item.wraps = True
            out.append(Piece(entry, item))
        return out

    def _wrap_of(self, entry: Entry) -> Item:
        """One edit for all parts of a compound that was put around the ancestor's code."""
        compound = compound_of(entry)
        if compound not in self._wraps:
            self._wraps[compound] = self._facts.account.drift([compound], compound.line)
        return self._wraps[compound]

    def deleter_of(self, run: Run, pieces: Sequence[Piece]) -> Item | None:
        """The edit to which the deletions of *run* belong; a block next to them owns them.

        Of two blocks, the one that holds some of the code: it wrote it anew.
        """
        deleted = [e.node for e in run.deleted if e.node.is_code]
        if not deleted:
            return None
        codes = {n.code for n in deleted}
        fenced = [p for p in pieces if p.item.fenced]
        holder = next((p for p in fenced if codes & {n.code for n in p.node.walk()}), None)
        first = holder or next(iter([*fenced, *pieces]), None)
        item = first.item if first is not None else None
        if item is None:
            item = self._facts.account.drift([], self._line_near(run))
        item.deletes = True
        if not item.summary or first is None:
            item.describe(deleted[0])
        return item

    def _line_near(self, run: Run) -> int:
        """The edited line after which the deleted code stood."""
        partners = self._facts.to_edited.right
        for entry in reversed(run.entries[: run.start]):
            if (partner := partners.get(entry.node)) is not None:
                return partner.end_line
        partner = partners.get(run.block)
        return partner.line + max(0, len(partner.lines) - 1) if partner is not None else 1
