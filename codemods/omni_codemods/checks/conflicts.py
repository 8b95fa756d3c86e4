"""Conflict hunks that are left (OP602)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omni_codemods.findings.check_codes import CONFLICT_LEFT
from omni_codemods.findings.model import Finding, Severity

# git writes hunks with two sides or with three.
_HUNK = re.compile(
    r"^<{7}(?: [^\n]*)?\n(?P<local>.*?)(?:^\|{7}[^\n]*\n.*?)?"
    r"^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def check_conflicts(text: str) -> Iterator[Finding]:
    """Yield a finding for each hunk of *text*, at its first line."""
    for hunk in _HUNK.finditer(text):
        line = text.count("\n", 0, hunk.start()) + 1
        message = "a conflict is left here"
        yield Finding(CONFLICT_LEFT.code, line, 0, message, CONFLICT_LEFT.remedy, Severity.ERROR)


def without_conflicts(text: str) -> str:
    """Return *text* with each hunk resolved to its target side; lines keep their numbers."""

    def resolved(hunk: re.Match[str]) -> str:
        before = text.count("\n", hunk.start(), hunk.start("target"))
        return "\n" * before + hunk["target"] + "\n"

    return _HUNK.sub(resolved, text)
