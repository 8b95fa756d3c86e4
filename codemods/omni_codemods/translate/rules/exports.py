"""``__all__`` follows the imports that it exports."""

from __future__ import annotations

from omni_codemods.findings.model import Severity
from omni_codemods.findings.translate_codes import EXPORTED_NAME
from omni_codemods.translate.transformers.changes import ReplacedText, Target
from omni_codemods.translate.work import Work


def follow_exports(work: Work, renamed: dict[tuple[int, str], str]) -> None:
    """Rename the strings in ``__all__`` whose names were renamed, and report each."""
    for fact in work.facts.exports:
        new = renamed.get((id(work.facts.module), fact.value))
        start, end = fact.span
        if new is None or work.source.text[start + 1 : end - 1] != fact.value:
            continue
        work.change(Target.STRING, start, ReplacedText(fact.value, new), fact.span)
        work.report(
            EXPORTED_NAME,
            start,
            f"{fact.value} is exported as {new} now",
            severity=Severity.NOTE,
        )
