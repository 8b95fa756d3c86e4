"""Tests and what they let in go together, or not at all; a device's name and its index as well.

A test for the NPU must neither choose the GPU's name in a string that stays, nor lead to code
that only the GPU can run.
"""

from __future__ import annotations

from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Literals, Report
from omni_codemods.translate.facts import Reference, StringFact
from omni_codemods.translate.rules import backend, device
from omni_codemods.translate.rules.literals import in_position, is_told
from omni_codemods.translate.work import Work


def find_frozen(work: Work) -> set[int]:
    """The ``id`` of every reference that must stay because what it lets in stays."""
    frozen: set[int] = set()
    for fact in work.facts.strings:
        if fact.choosers and _is_string_left(work, fact):
            frozen.update(id(chooser) for chooser in fact.choosers)
        if fact.formatted and _is_device_left(work, fact):
            frozen.update(id(r) for r in work.facts.references if _is_inside(r, fact))
    for reference in work.facts.references:
        if reference.choosers and _is_name_left(work, reference):
            frozen.update(id(chooser) for chooser in reference.choosers)
    return frozen


def _is_device_left(work: Work, fact: StringFact) -> bool:
    """Whether *fact* is a device's name that stays: f"cuda:{torch.cuda.current_device()}"."""
    entry = device.find_entry(work, fact)
    return entry is not None and not in_position(work, entry, fact)


def _is_inside(reference: Reference, fact: StringFact) -> bool:
    return fact.span[0] <= reference.offset < fact.span[1]


def _is_string_left(work: Work, fact: StringFact) -> bool:
    entry: Literals | None = device.find_entry(work, fact)
    if entry is None and (spelling := backend.find_spelling(work, fact)):
        entry = spelling.entry
    if entry is not None:
        return fact.fuzzy or not (in_position(work, entry, fact) or is_told(fact))
    # "CUDAProvider" if torch.cuda.is_available() else "CPUProvider"
    value = fact.value.lower()
    return fact.direct and any(known.gpu in value for known in work.index.devices)


def _is_name_left(work: Work, reference: Reference) -> bool:
    path = reference.path
    if path is None or reference.stored or reference.guard is Guard.BOTH:
        return False
    found = work.index.find(path)
    if found is None:
        return work.index.namespace_of(path) is not None
    return isinstance(found[0], Report) and found[0].why in ("absent", "differs")
