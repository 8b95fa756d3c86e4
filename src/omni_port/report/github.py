"""Findings as annotations of GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.findings.model import Finding, Severity
from omni_port.base.shown import safe_name
from omni_port.methods.translate_files import Translation

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render_github(translation: Translation) -> str:
    """Return one workflow command a finding, and one for the error of a file."""
    return "\n".join(_commands(translation))


def _commands(translation: Translation) -> Iterator[str]:
    error = translation.error
    if error is not None:
        yield _command("error", translation.path, error.line, error.column, "", error.message)
    for finding in translation.result.findings if translation.result else ():
        yield _annotation(translation.path, finding)


def _annotation(path: str, finding: Finding) -> str:
    message = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    level = _LEVELS[finding.severity]
    return _command(level, path, finding.line, finding.column, finding.code, message)


def _command(
    level: str, path: str, line: int | None, column: int | None, title: str, message: str
) -> str:
    properties = {"file": path, "title": title}
    if line is not None:
        properties["line"] = str(line)
    if column is not None:
        properties["col"] = str(column + 1)
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{level} {listed}::{_data(message)}"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return safe_name(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
