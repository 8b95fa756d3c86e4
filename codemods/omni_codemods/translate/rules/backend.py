"""Names of communication backends, where a backend is meant."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import COMPARED_LITERAL
from omni_codemods.names.scopes import Guard
from omni_codemods.table.entries import Backend
from omni_codemods.translate.facts import StringFact
from omni_codemods.translate.rules.literals import in_position, translate_literal
from omni_codemods.translate.work import Work


def translate_backends(work: Work) -> None:
    """Change the backend names in backend positions; report comparisons, note the others."""
    for fact in work.facts.strings:
        entry = find_entry(work, fact)
        if entry is None:
            continue
        if in_position(work, entry, fact):
            translate_literal(work, entry, fact)
        elif fact.guard is not Guard.BOTH and not work.is_kept(fact.span):
            message = f'"{fact.value}" is no backend argument here, and stays'
            if fact.place.kind in ("compared", "contained"):
                work.report(COMPARED_LITERAL, fact.span[0], message)
            else:
                work.leave(COMPARED_LITERAL, fact.span[0], message)


def find_entry(work: Work, fact: StringFact) -> Backend | None:
    """The entry for the backend that *fact* names."""
    for entry in work.index.backends:
        if fact.value == entry.gpu and not fact.formatted:
            return entry
    return None
