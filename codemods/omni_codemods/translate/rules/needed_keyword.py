"""Keywords that only the NPU callee has, and works properly only with."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import NEEDED_KEYWORD
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.work import Work


def report_missing(work: Work, call: CallFact, callee: Callee, name: str) -> None:
    """Report, once for *call*, the needed keywords that it does not pass."""
    passed = {argument.arg for argument in call.node.keywords}
    missing = [entry for entry in callee.needed if entry.always and entry.npu not in passed]
    if missing:
        wanted = "; ".join(
            f"{entry.npu} ({entry.note})" if entry.note else entry.npu for entry in missing
        )
        work.report(NEEDED_KEYWORD, call.offset, f"{name} on the NPU also wants {wanted}")
