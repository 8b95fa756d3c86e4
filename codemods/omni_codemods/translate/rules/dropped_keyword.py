"""Keywords that the NPU callee does not take: dropped, and reported."""

from __future__ import annotations

import ast

from omni_codemods.findings.translate_codes import DROPPED_KEYWORD, KEPT_BY_COMMENT
from omni_codemods.table.entries import DroppedKeyword
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.transformers.changes import DroppedArguments, Target
from omni_codemods.translate.work import Work

_BINDS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def drop_keywords(work: Work, call: CallFact, callee: Callee) -> None:
    """Take the keywords that *callee* lists as dropped out of *call*, and report each."""
    found: list[ast.expr | ast.keyword] = [*call.node.args, *call.node.keywords]
    arguments = sorted(found, key=lambda node: work.source.span(node)[0])
    dropped: list[int] = []
    for position, argument in enumerate(arguments):
        name = argument.arg if isinstance(argument, ast.keyword) else None
        entry = callee.dropped.get(name or "")
        if entry is not None and _may_drop(work, argument, entry):
            dropped.append(position)
    if dropped:
        extent = work.source.span(call.node)
        work.change(Target.CALL, extent[1], DroppedArguments(tuple(dropped)), extent)


def _may_drop(work: Work, argument: ast.expr | ast.keyword, entry: DroppedKeyword) -> bool:
    span = work.source.span(argument)
    detail = f": {entry.note}" if entry.note else ""
    if work.is_kept(span):
        work.leave(KEPT_BY_COMMENT, span[0], f"{entry.gpu} is kept by a comment")
        return False
    if any(isinstance(node, _BINDS) for node in ast.walk(argument)):
        message = f"{entry.gpu}= must go, but its value does more than give a value{detail}"
        work.report(DROPPED_KEYWORD, span[0], message, "Take its value out of the call first.")
        return False
    text = work.source.text[span[0] : span[1]]
    work.report(DROPPED_KEYWORD, span[0], f"{entry.gpu}= was dropped{detail}")
    work.changed(entry, span[0], text, "")
    return True
