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
        entry = find_entry(work, fact)
        if entry is None or fact.fuzzy:
            continue
        if in_position(work, entry, fact):
            translate_literal(work, entry, fact)
        elif fact.guard is not Guard.BOTH and not work.is_kept(fact.span):
            _note(work, fact)


def find_entry(work: Work, fact: StringFact) -> Device | None:
    """The entry for the device that *fact* names, with or without an index."""
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
