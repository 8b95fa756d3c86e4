"""Findings as lines of text that editors make clickable: ``path:line:column: ...``."""

from __future__ import annotations

import click

from omni_codemods.findings.model import Finding, Severity
from omni_port.base.shown import safe_name
from omni_port.methods.translate_files import Translation

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render_finding(path: str, finding: Finding) -> str:
    """Return *finding* as one line, its hint as a second; the column is printed 1-based."""
    label = click.style(finding.severity.value, fg=_COLOURS[finding.severity], bold=True)
    place = f"{safe_name(path)}:{finding.line}:{finding.column + 1}"
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    return f"{place}: {label}: {finding.code} {finding.message}{hint}"


def render_findings(translation: Translation, *, kept: bool) -> str:
    """Return the findings of a file in the order of their places; with those kept, if asked."""
    if translation.result is None:
        return ""
    found = [*translation.result.findings, *(translation.result.kept if kept else ())]
    found.sort(key=lambda finding: (finding.line, finding.column))
    return "\n".join(render_finding(translation.path, finding) for finding in found)
