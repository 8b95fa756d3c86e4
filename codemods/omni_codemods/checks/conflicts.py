"""Conflict hunks that are left (OP602)."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.findings.check_codes import CONFLICT_LEFT
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.conflict_markers import HUNK


def check_conflicts(text: str) -> Iterator[Finding]:
    """Yield a finding for each hunk of *text*, at its first line."""
    for hunk in HUNK.finditer(text):
        line = text.count("\n", 0, hunk.start()) + 1
        message = "a conflict is left here"
        yield Finding(CONFLICT_LEFT.code, line, 0, message, CONFLICT_LEFT.remedy, Severity.ERROR)
