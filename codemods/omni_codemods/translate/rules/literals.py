"""What devices and backends have in common: strings that change in certain positions."""

from __future__ import annotations

import re

from omni_codemods.findings.translate_codes import (
    COMPARED_LITERAL,
    FORMAT_STRING,
    GUARDED,
    KEPT_BY_COMMENT,
)
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Device, Literals
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.transformers.changes import ReplacedText, Target
from omni_codemods.translate.work import Work

_OPENING = re.compile(r"[A-Za-z]{0,2}(?:\"\"\"|'''|\"|')")


def in_position(work: Work, entry: Literals, fact: StringFact) -> bool:
    """Whether *fact* stands where *entry* says that such a string is meant."""
    place = fact.place
    path = place.callee.path if place.callee is not None else None
    if place.kind == "keyword":
        return place.name in entry.keywords or f"{path}:{place.name}" in entry.callee_keywords
    if place.kind in ("argument", "method"):
        if path in entry.callees or (isinstance(entry, Device) and _is_member(work, path)):
            return True
        return place.kind == "method" and path is None and place.name in entry.methods
    if place.kind != "assigned" or place.name not in entry.assigned:
        return False
    # What the variable is compared with would have to change too.
    compared = (f for f in work.facts.strings if f.place.kind == "compared")
    return not any(f.place.name == place.name and f.value == fact.value for f in compared)


def _is_member(work: Work, path: str | None) -> bool:
    """Whether *path* is a member of a namespace: where those take a name, it is a device's."""
    namespace = work.index.namespace_of(path) if path else None
    return namespace is not None and path != namespace.gpu


def translate_literal(work: Work, entry: Literals, fact: StringFact) -> None:
    """Change *fact*, which stands in position, unless a comment or a test says to leave it."""
    start = fact.span[0]
    if work.is_kept(fact.span):
        work.leave(KEPT_BY_COMMENT, start, f'"{fact.value}" is kept by a comment')
    elif fact.guard is Guard.BOTH:
        work.leave_bilingual(start, f'"{fact.value}"')
    elif fact.guard is Guard.GPU:
        work.report(GUARDED, start, f'"{fact.value}" belongs to code for the GPU only')
    elif fact.fuzzy:
        work.report(FORMAT_STRING, start, f'"{fact.value}" in an f-string was left')
    else:
        _replace(work, entry, fact)


def _replace(work: Work, entry: Literals, fact: StringFact) -> None:
    start, end = fact.span
    opening = _OPENING.match(work.source.text, start)
    if opening is None:
        return
    first, last = opening.end(), opening.end() + len(entry.gpu)
    if work.source.text[first:last] != entry.gpu or last > end:
        message = f'"{fact.value}" is put together from pieces, and stays'
        work.report(COMPARED_LITERAL, start, message)
        return
    work.change(Target.STRING, start, ReplacedText(entry.gpu, entry.npu), fact.span)
    new = entry.npu + fact.value[len(entry.gpu) :]
    work.changed(entry, start, f'"{fact.value}"', f'"{new}"')
