"""Classes, functions and constants that have another name or place on the NPU."""

from __future__ import annotations

from omni_codemods.findings.translate_codes import BILINGUAL
from omni_codemods.table.entries import Entry
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.index import Answer
from omni_codemods.translate.work import Work


def applies(work: Work, reference: Reference, entry: Entry) -> bool:
    """Whether *reference* goes by *entry*; a note says why not.

    A conditional entry stays out of code that imports a variant of the NPU's class: such code
    names the GPU's class on purpose.
    """
    variant = _find_variant(work, work.index.answers[entry.gpu])
    if entry.status != "conditional" or not variant:
        return True
    message = f"{entry.gpu} stays: this module has {variant} already"
    work.leave(BILINGUAL, reference.offset, message)
    return False


def _find_variant(work: Work, answer: Answer) -> str:
    """A name imported from the NPU's package that begins like *answer*, or empty."""
    root = answer.module.split(".")[0]
    for module, statements in work.facts.from_imports.items():
        if module.split(".")[0] == root:
            for alias in (alias for statement in statements for alias in statement.names):
                if alias.name.startswith(answer.name) and alias.name != answer.name:
                    return alias.name
    return ""
