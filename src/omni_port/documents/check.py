"""What a check found, as ``check --format json`` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from omni_codemods.findings.model import Severity
from omni_port.documents.common import (
    Commit,
    Count,
    ErrorValue,
    FindingValue,
    Tool,
    Value,
    make_error,
    make_findings,
    this_tool,
)
from omni_port.methods.check import Upstream, count_severities
from omni_port.methods.translate_files import Translation


class TreeValue(Value, frozen=True):
    """An upstream's tree that files were checked against."""

    package: str
    address: str
    revision: Annotated[Commit | None, Meta(description="null for a folder")]


class CheckedFile(Value, frozen=True):
    """A file with what was found in it, and what stopped its check."""

    path: str
    findings: tuple[FindingValue, ...]
    error: ErrorValue | None


class CheckSummary(Value, frozen=True):
    """Numbers of files, and of findings by their severity."""

    files: Count
    failed: Count
    errors: Count
    warnings: Count
    notes: Count


class CheckDocument(Value, frozen=True):
    """What omni-port check --format json prints."""

    version: Literal[1]
    tool: Tool
    trees: tuple[TreeValue, ...]
    files: tuple[CheckedFile, ...]
    summary: CheckSummary


def make_check_document(
    checked: Sequence[Translation], upstreams: Sequence[Upstream]
) -> CheckDocument:
    """Return the document."""
    counts = count_severities(checked)
    trees = (TreeValue(u.package, str(u.address), u.revision) for u in upstreams)
    summary = CheckSummary(
        len(checked),
        sum(one.error is not None for one in checked),
        *(counts[severity] for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)),
    )
    files = tuple(map(make_checked_file, checked))
    return CheckDocument(1, this_tool(), tuple(trees), files, summary)


def make_checked_file(one: Translation) -> CheckedFile:
    """Return what was found in one file."""
    found = one.result.findings if one.result else ()
    error = None if one.error is None else make_error(one.error)
    return CheckedFile(one.path, make_findings(found), error)
