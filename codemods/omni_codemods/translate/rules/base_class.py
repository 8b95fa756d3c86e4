"""Classes that change only where another class inherits from them."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import NOT_A_BASE
from omni_codemods.table.entries import BaseClass
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.work import Work


def applies(work: Work, reference: Reference, entry: BaseClass) -> bool:
    """Whether *reference* is a base class; if not, note that it stays."""
    if reference.base_of:
        return True
    work.leave(NOT_A_BASE, reference.offset, f"{entry.gpu} stays: it is no base class here")
    return False
