"""Device names: ``"cuda"``, ``"cuda:0"`` and ``f"cuda:{i}"``, where a device is meant."""

from __future__ import annotations

from omni_codemods.codes import COMPARED_LITERAL
from omni_codemods.entries import Device
from omni_codemods.model import Severity
from omni_codemods.names import Guard
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.literals import in_position, translate_literal
from omni_codemods.translate.work import Work

_COMPARED = ("compared", "contained")
_TELLING = (*_COMPARED, "returned", "assigned")


def translate_devices(work: Work) -> None:
    """Change the device names in device positions; report and note the others."""
    for fact in work.facts.strings:
        entry = _find_entry(work, fact)
        if entry is None or fact.fuzzy:
            continue
        if in_position(work, entry, fact):
            translate_literal(work, entry, fact)
        elif fact.guard is not Guard.BOTH and not work.is_kept(fact.span):
            _note(work, fact)


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
    entry = _find_entry(work, fact)
    if entry is not None:
        return fact.fuzzy or not in_position(work, entry, fact)
    # "CUDAProvider" if torch.cuda.is_available() else "CPUProvider"
    value = fact.value.lower()
    return fact.direct and any(device.gpu in value for device in work.index.devices)


def _find_entry(work: Work, fact: StringFact) -> Device | None:
    for entry in work.index.devices:
        if fact.value == entry.gpu and not fact.formatted:
            return entry
        number = fact.value[len(entry.gpu) + 1 :]
        if fact.value.startswith(f"{entry.gpu}:") and (not number or number.isdigit()):
            return entry
    return None


def _note(work: Work, fact: StringFact) -> None:
    message = f'"{fact.value}" is no device argument here, and stays'
    if fact.place.kind in _TELLING:
        compared = fact.place.kind in _COMPARED
        severity = Severity.WARNING if compared else Severity.NOTE
        work.report(COMPARED_LITERAL, fact.span[0], message, severity=severity)
    else:
        work.leave(COMPARED_LITERAL, fact.span[0], message)
