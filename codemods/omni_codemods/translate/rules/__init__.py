"""The rules, one kind of entry a module.

Rules on names decide about references (:func:`judge`); rules on calls and strings make their own
edits once it is known which names go.
"""

from __future__ import annotations

from omni_codemods.table.entries import BaseClass, Entry, Leave, ReExport, Report
from omni_codemods.text.dotted import owner_of
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.rules import (
    base_class,
    held,
    leave,
    namespace,
    re_export,
    report,
    symbol,
)
from omni_codemods.translate.work import Work


def judge(work: Work, reference: Reference, root: str) -> tuple[Entry, str] | None:
    """The entry by which *reference* goes, and the GPU path meant, or None if it stays.

    *root* is the path that the reference's name was imported from. Findings and notes on
    names that stay are recorded.
    """
    path = ".".join((root, *reference.chain))
    while True:
        found = work.index.find(path)
        if found is None:
            namespace.report_unknown(work, reference, path, root)
            return None
        entry, gpu = found
        if isinstance(entry, Report):
            report.report_reference(work, reference, entry, root)
            if entry.why == "member":
                path = owner_of(gpu)
                continue
            return None
        if isinstance(entry, Leave):
            leave.note_reference(work, reference, entry, root)
            return None
        if gpu not in work.index.answers or not _applies(work, reference, entry, root):
            return None
        return entry, gpu


def _applies(work: Work, reference: Reference, entry: Entry, root: str) -> bool:
    if isinstance(entry, BaseClass) and not base_class.applies(work, reference, entry):
        return False
    if isinstance(entry, ReExport) and not re_export.applies(entry, root):
        return False
    if held.find_hold(work, entry) is not None:
        # What is imported itself is reported at its import.
        if root != entry.gpu or isinstance(entry, BaseClass):
            held.report_held(work, entry, reference.spans[0], reference.guard)
        return False
    return symbol.applies(work, reference, entry)
