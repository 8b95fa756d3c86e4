"""What holds of a synced function, before it is handed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from omni_codemods.audit.model import SYNC
from omni_codemods.audit.run import Part, audit, part_of
from omni_codemods.findings.model import Conflict, EditOutcome, Finding, Severity
from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.functions.fences import parse_fences
from omni_codemods.names.reads import as_module
from omni_codemods.rebuild.renamed_reads import Version, check_renamed_reads
from omni_codemods.rebuild.settle_imports import Needs
from omni_codemods.sync.sibling import Ends
from omni_codemods.text.outline import Located


@dataclass(frozen=True, slots=True)
class Placed:
    """The file with the sibling's changes in it; the method is *size* lines from line *start*."""

    needs: Needs
    start: int
    size: int = 0
    written: str = ""
    edits: tuple[EditOutcome, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def audit_sync(
    placed: Placed, where: Located, ends: Ends, told: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Hold what was put in against the NPU copy and the two versions of the sibling."""
    return audit(
        Part(ends.old.text, ends.old.start),
        Part(where.text, where.start),
        Part(ends.new.text, ends.new.start),
        part_of(placed.needs.text, placed.start, placed.size),
        placed.edits,
        module=placed.needs.text,
        origin=ends.after,
        told=told,
        job=SYNC,
    )


def check_renamed(placed: Placed, ends: Ends) -> Iterator[Finding]:
    """What the NPU copy says by a name that the sibling says otherwise now."""
    before, after = Version(ends.old.text, ends.before), Version(ends.new.text, ends.after)
    found = check_renamed_reads(
        placed.written, placed.start, placed.needs.text, before, after, Severity.WARNING
    )
    fenced = _fenced(placed)
    for one in found:
        # What stands in no block may be the copy's own upstream's, which is another file.
        if one.line in fenced:
            yield replace(one, message=one.message.replace("the upstream", "the sibling"))


def _fenced(placed: Placed) -> frozenset[int]:
    """The lines of the file that stand in a block of the function."""
    plain = blank_hunks(placed.written)
    text = as_module(plain)
    above = placed.start - 1 - (text.count("\n") - plain.count("\n"))
    spans = [block.span for block in parse_fences(text).blocks]
    return frozenset(n + above for span in spans for n in range(span.start, span.end + 1))
