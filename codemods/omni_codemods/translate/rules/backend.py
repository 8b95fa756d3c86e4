"""Names of communication backends, where a backend is meant: alone, or one for each device."""

from __future__ import annotations

from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.literals import (
    Spelling,
    in_position,
    report_literal,
    report_pieces,
    translate_literal,
)
from omni_codemods.translate.transformers.pairs import are_pairs, respell_pairs, second_halves
from omni_codemods.translate.work import Work


def translate_backends(work: Work) -> None:
    """Change the backend names in backend positions; report the others."""
    for fact in work.facts.strings:
        found = find_spelling(work, fact)
        if found is None:
            report_pieces(work, work.index.backends, fact, "backend")
            continue
        if in_position(work, found.entry, fact):
            translate_literal(work, found, fact)
        else:
            report_literal(work, found.entry, fact, "backend")


def find_spelling(work: Work, fact: StringFact) -> Spelling | None:
    """What *fact* says if it names a backend, and what it is to say."""
    for entry in work.index.backends:
        whole = fact.pieces in ("", fact.value)  # f"nccl" is as good as "nccl"
        if whole and fact.value.lower() == entry.gpu:
            return Spelling(entry, fact.value, entry.npu)
        if not whole or not are_pairs(fact.value):
            continue
        known = entry.gpu in second_halves(fact.value)
        if known or ("," in fact.value and in_position(work, entry, fact)):
            devices = {device.gpu: device.npu for device in work.index.devices}
            new = respell_pairs(fact.value, devices, {entry.gpu: entry.npu})
            return Spelling(entry, fact.value, new) if new != fact.value else None
    return None
