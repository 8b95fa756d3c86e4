"""Positional arguments past the point where the NPU callee's parameters are others."""

from __future__ import annotations

import ast

from omni_codemods.findings.model import Severity
from omni_codemods.findings.translate_codes import POSITIONAL
from omni_codemods.table.entries import Positional
from omni_codemods.translate.facts import CallFact
from omni_codemods.translate.index import Callee
from omni_codemods.translate.transformers.changes import NamedArgument, Target
from omni_codemods.translate.work import Work


def check_positions(work: Work, call: CallFact, callee: Callee, name: str) -> None:
    """Name the arguments of *call* past the limit if their names are known, else report."""
    entry = callee.positional
    arguments = call.node.args
    if entry is None:
        return
    starred = [a for a in arguments if isinstance(a, ast.Starred)]
    if len(arguments) <= entry.limit and not starred:
        return
    extra = arguments[entry.limit :]
    if not starred and _can_name(work, entry, arguments):
        for position, argument in enumerate(extra, entry.limit):
            start = work.source.span(argument)[0]
            named = NamedArgument(entry.names[position])
            work.change(Target.ARGUMENT, start, named, work.source.span(call.node))
            work.changed(entry, start, "", f"{entry.names[position]}=")
        return
    offset = work.source.span((starred or extra)[0])[0]
    detail = f": {entry.note}" if entry.note else ""
    message = f"{name} on the NPU has other parameters from position {entry.limit + 1} on{detail}"
    work.report(POSITIONAL, offset, message, severity=Severity.ERROR)


def _can_name(work: Work, entry: Positional, arguments: list[ast.expr]) -> bool:
    if len(entry.names) < len(arguments):
        return False
    for position in range(entry.limit, len(arguments)):
        before = work.source.span(arguments[position - 1])[1]
        between = work.source.text[before : work.source.span(arguments[position])[0]]
        if between.strip() != "," or work.is_kept(work.source.span(arguments[position])):
            return False
    return True
