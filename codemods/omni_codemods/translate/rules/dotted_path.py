"""Dotted paths in strings: changed where an entry says so, reported where they name GPU code."""

from __future__ import annotations

import re

from omni_codemods.findings.translate_codes import DYNAMIC_NAME, KEPT_BY_COMMENT
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import DottedPath
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.held import report_held
from omni_codemods.translate.transformers.changes import ReplacedText, Target
from omni_codemods.translate.work import Work

_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def translate_dotted_paths(work: Work) -> None:
    """Handle every string that spells a dotted path."""
    for fact in work.facts.strings:
        if fact.formatted or fact.fuzzy or not _PATH.fullmatch(fact.value):
            continue
        entry = work.index.dotted.get(fact.value)
        if entry is not None and _in_position(entry, fact):
            _replace(work, entry, fact)
        elif fact.guard is Guard.BOTH or work.is_kept(fact.span):
            continue
        elif is_gpu(work, fact.value):
            work.report(DYNAMIC_NAME, fact.span[0], f'the string "{fact.value}" stays')


def _in_position(entry: DottedPath, fact: StringFact) -> bool:
    place = fact.place
    if place.kind == "returned":
        return place.name in entry.returned_by
    return place.kind == "assigned" and place.name in entry.assigned


def _replace(work: Work, entry: DottedPath, fact: StringFact) -> None:
    start, end = fact.span
    if work.is_kept(fact.span):
        work.leave(KEPT_BY_COMMENT, start, f'"{entry.gpu}" is kept by a comment')
    elif report_held(work, entry, fact.span, fact.guard):
        pass
    elif fact.guard is Guard.NONE and work.source.text[start + 1 : end - 1] == entry.gpu:
        work.change(Target.STRING, start, ReplacedText(entry.gpu, entry.npu), fact.span)
        work.changed(entry, start, f'"{entry.gpu}"', f'"{entry.npu}"')


def is_gpu(work: Work, path: str) -> bool:
    """Whether *path* is a GPU name of the table, or lies in one of its namespaces."""
    if work.index.namespace_of(path) is not None:
        return True
    found = work.index.find(path)
    return found is not None and found[1] in work.index.answers
