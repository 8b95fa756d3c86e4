"""Keywords that have another name, in calls of one callee only."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import KEPT_BY_COMMENT
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.rules.held import report_held
from omni_codemods.translate.transformers.changes import NamedArgument, Target
from omni_codemods.translate.work import Work


def rename_keywords(work: Work, call: CallFact, callee: Callee) -> None:
    """Rename the keywords of *call* that *callee* lists."""
    for argument in call.node.keywords:
        entry = callee.keywords.get(argument.arg or "")
        if entry is None:
            continue
        start = work.source.span(argument)[0]
        span = (start, start + len(entry.gpu))
        if work.is_kept(span):
            work.leave(KEPT_BY_COMMENT, start, f"{entry.gpu} is kept by a comment")
            continue
        if report_held(work, entry, span, call.guard):
            continue
        extent = work.source.span(call.node)
        work.change(Target.ARGUMENT, start, NamedArgument(entry.npu), extent)
        work.changed(entry, start, f"{entry.gpu}=", f"{entry.npu}=")
