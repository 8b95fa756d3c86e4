"""Findings as lines of text that editors make clickable: ``path:line:column: ...``."""

from __future__ import annotations

import click

from omni_codemods.findings.model import Change, Finding, Severity
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
    """Return the findings of a file in the order of their places.

    With those *kept*, and the changes that hold under a condition, if asked.
    """
    result = translation.result
    if result is None:
        return ""
    found = [*result.findings, *(result.kept if kept else ())]
    lines = [((f.line, f.column), render_finding(translation.path, f)) for f in found]
    if kept:
        conditional = (change for change in result.changes if change.status == "conditional")
        lines += [((c.line, c.column), _render_change(translation.path, c)) for c in conditional]
    return "\n".join(line for _, line in sorted(lines, key=lambda one: one[0]))


def _render_change(path: str, change: Change) -> str:
    label = click.style("conditional", fg="cyan", bold=True)
    place = f"{safe_name(path)}:{change.line}:{change.column + 1}"
    return f"{place}: {label}: {change.before} -> {change.after} ({change.entry})"
