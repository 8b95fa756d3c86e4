"""Names that look translatable and stay, because the table says so."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import LEFT_ON_PURPOSE
from omni_codemods.table.entries import Leave
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.work import Work


def note_reference(work: Work, reference: Reference, entry: Leave, root: str) -> None:
    """Note a use of *entry* through its module; a name imported itself is noted at its import."""
    if root != entry.gpu:
        note_import(work, entry, reference.offset)


def note_import(work: Work, entry: Leave, offset: int) -> None:
    """Note that *entry* stays."""
    detail = f": {entry.note}" if entry.note else ""
    work.leave(LEFT_ON_PURPOSE, offset, f"{entry.gpu} stays{detail}")
