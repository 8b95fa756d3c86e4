"""Dotted paths in strings: changed where an entry says so, reported where they name GPU code."""

from __future__ import annotations

import ast
import re

from omni_codemods.codes import DYNAMIC_NAME, KEPT_BY_COMMENT
from omni_codemods.entries import DottedPath
from omni_codemods.names import Guard
from omni_codemods.translate.facts import CallFact, Reference, StringFact
from omni_codemods.translate.work import Work

_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_BY_NAME = ("getattr", "hasattr", "setattr", "delattr")


def translate_strings(work: Work) -> None:
    """Handle every string that spells a dotted path, and access to attributes by name."""
    for fact in work.facts.strings:
        if fact.formatted or fact.fuzzy or not _PATH.fullmatch(fact.value):
            continue
        entry = work.index.dotted.get(fact.value)
        if entry is not None and _in_position(entry, fact):
            _replace(work, entry, fact)
        elif fact.guard is Guard.BOTH or work.is_kept(fact.span):
            continue
        elif _is_gpu(work, fact.value):
            work.report(DYNAMIC_NAME, fact.span[0], f'the string "{fact.value}" stays')
    starts = {reference.offset: reference for reference in work.facts.references}
    for call in work.facts.calls:
        if call.tail[-1:] and call.tail[-1] in _BY_NAME and len(call.node.args) > 1:
            _report_by_name(work, call, starts)


def _in_position(entry: DottedPath, fact: StringFact) -> bool:
    place = fact.place
    if place.kind == "returned":
        return place.name in entry.returned_by
    return place.kind == "assigned" and place.name in entry.assigned


def _replace(work: Work, entry: DottedPath, fact: StringFact) -> None:
    start, end = fact.span
    if work.is_kept(fact.span):
        work.leave(KEPT_BY_COMMENT, start, f'"{entry.gpu}" is kept by a comment')
    elif fact.guard is Guard.NONE and work.source.text[start + 1 : end - 1] == entry.gpu:
        work.edit((start + 1, end - 1), entry.npu)
        work.changed(entry, start, f'"{entry.gpu}"', f'"{entry.npu}"')


def _is_gpu(work: Work, path: str) -> bool:
    if work.index.namespace_of(path) is not None:
        return True
    found = work.index.find(path)
    return found is not None and found[1] in work.index.answers


def _report_by_name(work: Work, call: CallFact, starts: dict[int, Reference]) -> None:
    owner, name = call.node.args[0], call.node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)) or call.fuzzy:
        return
    reference = starts.get(work.source.span(owner)[0])
    if reference is None or reference.path is None or reference.guard is Guard.BOTH:
        return
    path = f"{reference.path}.{name.value}"
    plain = isinstance(owner, (ast.Name, ast.Attribute))
    if plain and _is_gpu(work, path) and not work.is_kept(work.source.span(name)):
        work.report(DYNAMIC_NAME, call.offset, f"{path} is reached by name and stays")
