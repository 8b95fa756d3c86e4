"""Attributes reached by name: ``getattr(module, "name")`` and its like, which stay."""

from __future__ import annotations

import ast

from omni_codemods.findings.translate_codes import DYNAMIC_NAME
from omni_codemods.names.scopes import Guard
from omni_codemods.translate.facts import CallFact, Reference
from omni_codemods.translate.rules.dotted_path import is_gpu
from omni_codemods.translate.work import Work

_BY_NAME = ("getattr", "hasattr", "setattr", "delattr")


def report_by_name(work: Work) -> None:
    """Report access by name to what the table translates."""
    starts = {reference.offset: reference for reference in work.facts.references}
    for call in work.facts.calls:
        if call.tail[-1:] and call.tail[-1] in _BY_NAME and len(call.node.args) > 1:
            _report(work, call, starts)


def _report(work: Work, call: CallFact, starts: dict[int, Reference]) -> None:
    owner, name = call.node.args[0], call.node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)) or call.fuzzy:
        return
    reference = starts.get(work.source.span(owner)[0])
    if reference is None or reference.path is None or reference.guard is Guard.BOTH:
        return
    path = f"{reference.path}.{name.value}"
    plain = isinstance(owner, (ast.Name, ast.Attribute))
    if plain and is_gpu(work, path) and not work.is_kept(work.source.span(name)):
        work.report(DYNAMIC_NAME, call.offset, f"{path} is reached by name and stays")
