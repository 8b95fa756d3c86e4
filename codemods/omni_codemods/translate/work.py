"""The state of one translation: what is known, and the edits and findings made so far."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from omni_codemods.findings.code import Code
from omni_codemods.findings.keep_comments import KeepLines
from omni_codemods.findings.model import Change, Finding, Severity
from omni_codemods.findings.translate_codes import BILINGUAL
from omni_codemods.table.entries import Entry
from omni_codemods.text.offsets import Source
from omni_codemods.translate.facts import Facts
from omni_codemods.translate.flows import Flow
from omni_codemods.translate.index import TableIndex
from omni_codemods.translate.transformers.changes import NodeChange, Site, Target


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text from *start* to *end* by *new*; an insertion where both are the same."""

    start: int
    end: int
    new: str


# The paths that the name at an offset may be imported from; None where there is no such name.
Meaning = Callable[[int], Collection[str] | None]


@dataclass(slots=True)
class Work:
    """What the rules share. They read the facts, and write edits, changes and findings.

    *redirected* are the GPU names that the module assigns to; all reads of them stay as well.
    *meaning* is a second opinion on names. *frozen* are the ``id`` of references and strings that
    stay with others, *flows* where variables lead, by the id of the entry. With *only* ``safe`` the
    conditional entries are held back; *shared* says by what the module is code of both devices.
    """

    source: Source
    facts: Facts
    index: TableIndex
    keeps: KeepLines
    redirected: frozenset[str] = frozenset()
    meaning: Meaning | None = None
    only: str = ""
    shared: str = ""
    frozen: set[int] = field(default_factory=set)
    flows: dict[str, Flow] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    kept: list[Finding] = field(default_factory=list)

    def change(
        self, target: Target, offset: int, change: NodeChange, extent: tuple[int, int]
    ) -> None:
        """Decide *change* for the node that *target* and *offset* name, somewhere in *extent*."""
        self.sites.append(Site(target, offset, extent, change))

    def changed(self, entry: Entry, offset: int, before: str, after: str) -> None:
        """Record for people that *entry* turned *before* into *after*."""
        line, column = self.source.position(offset)
        status = "conditional" if entry.status == "conditional" else "safe"
        self.changes.append(Change(entry.id, line, column, before, after, status))

    def report(
        self,
        code: Code,
        offset: int,
        message: str,
        hint: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Add a finding that a person must look at."""
        line, column = self.source.position(offset)
        self.findings.append(
            Finding(code.code, line, column, message, hint or code.remedy, severity)
        )

    def leave(self, code: Code, offset: int, message: str) -> None:
        """Note a name that looks translatable and was left on purpose."""
        line, column = self.source.position(offset)
        self.kept.append(Finding(code.code, line, column, message, "", Severity.NOTE))

    def leave_bilingual(self, offset: int, what: str) -> None:
        """Note that *what* stands in code for both devices, or for another one on purpose."""
        self.leave(BILINGUAL, offset, f"{what}: the code around it is not for the GPU alone")

    def is_kept(self, span: tuple[int, int]) -> bool:
        """Whether a keep comment covers *span*."""
        first = self.source.position(span[0])[0]
        return self.keeps.keeps(first, self.source.position(max(span[1] - 1, span[0]))[0])


def apply_edits(text: str, edits: list[Edit]) -> str:
    """Apply *edits*. One that lies inside a larger one gives way to it; others may not overlap.

    Insertions at one place keep their order, and stand before what is replaced there.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, e.end > e.start, -e.end)):
        if edit.end <= at and edit.start < at:
            continue
        if edit.start < at:
            raise AssertionError(f"overlapping edits at offset {edit.start}")
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)
