"""Reports: names and members that a person must look at."""

from __future__ import annotations

from omni_codemods.findings.code import Code
from omni_codemods.findings.model import Severity
from omni_codemods.findings.translate_codes import (
    MISSING_MEMBER,
    NO_TWIN,
    OTHER_MEANING,
    REVIEW_CALL,
    TENSOR_CUDA,
)
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Report
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.work import Work

_CODES: dict[str, Code] = {
    "absent": NO_TWIN,
    "differs": OTHER_MEANING,
    "member": MISSING_MEMBER,
    "review": REVIEW_CALL,
}


def report_reference(work: Work, reference: Reference, entry: Report, root: str) -> None:
    """Report a use of *entry*, unless its import says it already, or the code handles both."""
    if root == entry.gpu or root.startswith(entry.gpu + "."):
        return
    if reference.guard is Guard.BOTH:
        work.leave_bilingual(reference.offset, entry.gpu)
    elif not work.is_kept(reference.spans[0]):
        _report(work, entry, reference.offset, entry.gpu)


def report_import(work: Work, entry: Report, offset: int) -> None:
    """Report an import of *entry*."""
    _report(work, entry, offset, entry.gpu)


def report_members(work: Work, bases_moved: bool) -> None:
    """Report members of objects of unknown type.

    Where a base class was translated (*bases_moved*), also the calls of reviewed methods.
    """
    for member in work.facts.members:
        entry = work.index.members[member.name]
        if member.guard is not Guard.BOTH and member.called == entry.call:
            _report_member(work, entry, member.offset, member.called)
    for reference in work.facts.references:
        if reference.path is None and reference.chain and reference.chain[-1] in work.index.members:
            entry = work.index.members[reference.chain[-1]]
            if (reference.call is not None) == entry.call:
                _report_member(work, entry, reference.offset, reference.call is not None)
    if not bases_moved:
        return
    for call in work.facts.calls:
        method = work.index.methods.get(call.tail[-1]) if call.tail else None
        if method is not None and call.tail[0] in ("self", "super", "*") and len(call.tail) == 2:
            _report(work, method, call.offset, f"{call.tail[-1]}()")


def _report_member(work: Work, entry: Report, offset: int, called: bool) -> None:
    line = work.source.position(offset)[0]
    if work.keeps.keeps(line):
        return
    spelling = f"x{entry.gpu[1:]}{'()' if called else ''}"
    severity = Severity.WARNING if called else Severity.NOTE
    message = f"{spelling}: {entry.note}"
    work.report(TENSOR_CUDA, offset, message, _hint(entry), severity=severity)


def _hint(entry: Report) -> str:
    """What to do about a member; empty where what the code says fits."""
    if entry.call:
        return ""
    if entry.npu:
        return f"Write x{entry.npu[1:]} where the object comes from torch.npu."
    return "Ask for the device that is meant: x.device.type."


def _report(work: Work, entry: Report, offset: int, name: str) -> None:
    code = _CODES[entry.why]
    detail = f": {entry.note}" if entry.note else ""
    severity = Severity.NOTE if entry.why == "review" else Severity.WARNING
    work.report(code, offset, f"{name}: {code.title}{detail}", severity=severity)
