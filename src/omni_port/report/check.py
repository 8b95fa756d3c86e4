"""The line that sums up what a check found."""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.findings.model import Severity
from omni_port.base.words import count
from omni_port.methods.check import count_severities
from omni_port.methods.translate_files import Translation


def render_check_closing(checked: Sequence[Translation]) -> str:
    """Return how much was found in how many files."""
    counts = count_severities(checked)
    parts = [count(counts[severity], severity.value) for severity in Severity if counts[severity]]
    failed = sum(one.error is not None for one in checked)
    if failed:
        parts.append(f"{count(failed, 'file')} failed")
    return f"{count(len(checked), 'file')}: {', '.join(parts) or 'nothing found'}"
