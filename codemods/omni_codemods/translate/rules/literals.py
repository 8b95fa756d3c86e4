"""Strings in device and backend positions."""

from __future__ import annotations

import re

from omni_codemods.codes import BILINGUAL, COMPARED_LITERAL, GUARDED, KEPT_BY_COMMENT
from omni_codemods.entries import Device, Literals
from omni_codemods.model import Severity
from omni_codemods.names import Guard
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.work import Work

_OPENING = re.compile(r"[A-Za-z]{0,2}(?:\"\"\"|'''|\"|')")
_COMPARED = ("compared", "contained")
_TELLING = (*_COMPARED, "returned", "assigned")


def find_frozen(work: Work) -> set[int]:
    """The ``id`` of every reference in a test that chooses a GPU name in a string which stays.

    The two go together or not at all: a test for the NPU must not choose the GPU's name.
    """
    frozen: set[int] = set()
    for fact in work.facts.strings:
        if fact.choosers and _names_gpu(work, fact):
            frozen.update(id(reference) for reference in fact.choosers)
    return frozen


def _names_gpu(work: Work, fact: StringFact) -> bool:
    entry = _entry(work, fact)
    if isinstance(entry, Device):
        return fact.fuzzy or not _in_position(work, entry, fact)
    # "CUDAProvider" if torch.cuda.is_available() else "CPUProvider"
    value = fact.value.lower()
    return entry is None and fact.direct and any(d.gpu in value for d in work.index.devices)


def translate_literals(work: Work) -> None:
    """Change the strings that stand in a position that their entry names."""
    for fact in work.facts.strings:
        entry = _entry(work, fact)
        if entry is None or fact.fuzzy:
            continue
        if not _in_position(work, entry, fact):
            _note(work, entry, fact)
        elif work.is_kept(fact.span):
            work.leave(KEPT_BY_COMMENT, fact.span[0], f'"{fact.value}" is kept by a comment')
        elif fact.guard is Guard.BOTH:
            work.leave(BILINGUAL, fact.span[0], f'"{fact.value}": both are handled here')
        elif fact.guard is Guard.GPU:
            work.report(GUARDED, fact.span[0], f'"{fact.value}" belongs to code for the GPU only')
        else:
            _replace(work, entry, fact)


def _entry(work: Work, fact: StringFact) -> Literals | None:
    for entry in work.index.literals:
        if fact.value == entry.gpu and not fact.formatted:
            return entry
        if isinstance(entry, Device):
            index = fact.value[len(entry.gpu) + 1 :]
            if fact.value.startswith(f"{entry.gpu}:") and (not index or index.isdigit()):
                return entry
    return None


def _in_position(work: Work, entry: Literals, fact: StringFact) -> bool:
    place = fact.place
    path = place.callee.path if place.callee is not None else None
    if place.kind == "keyword":
        return place.name in entry.keywords or f"{path}:{place.name}" in entry.callee_keywords
    if place.kind in ("argument", "method"):
        if path in entry.callees:
            return True
        return place.kind == "method" and path is None and place.name in entry.methods
    if place.kind != "assigned" or place.name not in entry.assigned:
        return False
    # What the variable is compared with would have to change too.
    compared = (f for f in work.facts.strings if f.place.kind == "compared")
    return not any(f.place.name == place.name and f.value == fact.value for f in compared)


def _note(work: Work, entry: Literals, fact: StringFact) -> None:
    if fact.guard is Guard.BOTH or work.is_kept(fact.span):
        return
    message = f'"{fact.value}" is no {entry.kind} argument here, and stays'
    if isinstance(entry, Device) and fact.place.kind in _TELLING:
        compared = fact.place.kind in _COMPARED
        severity = Severity.WARNING if compared else Severity.NOTE
        work.report(COMPARED_LITERAL, fact.span[0], message, severity=severity)
    else:
        work.leave(COMPARED_LITERAL, fact.span[0], message)


def _replace(work: Work, entry: Literals, fact: StringFact) -> None:
    start, end = fact.span
    opening = _OPENING.match(work.source.text, start)
    if opening is None:
        return
    first, last = opening.end(), opening.end() + len(entry.gpu)
    if work.source.text[first:last] != entry.gpu or last > end:
        return
    work.edit((first, last), entry.npu)
    new = entry.npu + fact.value[len(entry.gpu) :]
    work.changed(entry, start, f'"{fact.value}"', f'"{new}"')
