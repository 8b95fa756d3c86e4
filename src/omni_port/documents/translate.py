"""A translation, as ``translate --format json`` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from omni_port.base.diff import unified_diff
from omni_port.documents.common import (
    Column,
    Count,
    ErrorValue,
    FindingValue,
    Line,
    Tool,
    Value,
    make_error,
    make_findings,
    publish,
    this_tool,
)
from omni_port.methods.tally import Tally
from omni_port.methods.translate_files import Translation


class ChangeValue(Value, frozen=True):
    """One name that was translated, by the entry of the table.

    *status* is conditional where the entry holds under a condition that nothing here can see.
    """

    entry: str
    line: Line
    column: Column
    before: str
    after: str
    status: Literal["safe", "conditional"]


class TranslatedFile(Value, frozen=True, kw_only=True):
    """A file: *error* where it failed, else the rest; *diff* only where it was asked for.

    *kept* are findings that a comment in the file answers.
    """

    path: str
    status: Literal["changed", "unchanged", "failed"]
    error: ErrorValue | UnsetType = UNSET
    changes: tuple[ChangeValue, ...] | UnsetType = UNSET
    findings: tuple[FindingValue, ...] | UnsetType = UNSET
    kept: tuple[FindingValue, ...] | UnsetType = UNSET
    diff: str | UnsetType = UNSET


class TranslateSummary(Value, frozen=True):
    """Numbers of files, then of names and findings."""

    changed: Count
    unchanged: Count
    failed: Count
    translated: Count
    safe: Count
    conditional: Count
    need_person: Count
    kept: Count


class TranslateDocument(Value, frozen=True):
    """What omni-port translate --format json prints."""

    version: Literal[1]
    tool: Tool
    target: Annotated[
        str, Meta(description="distribution==release, empty for a table without releases")
    ]
    dialect: Annotated[str, Meta(description="npu, accelerator or platform")]
    files: tuple[TranslatedFile, ...]
    summary: TranslateSummary
    statistics: Annotated[
        dict[str, Annotated[int, Meta(ge=1)]],
        Meta(description="changes by the id of the table entry"),
    ]


def make_translate_document(
    translations: Sequence[Translation],
    tally: Tally,
    *,
    target: str,
    dialect: str,
    diff: bool,
) -> TranslateDocument:
    """Return the document; with *diff*, each changed file has its unified diff."""
    summary = TranslateSummary(
        tally.changed,
        tally.unchanged,
        tally.failed,
        tally.translated,
        tally.safe,
        tally.conditional,
        tally.need_person,
        tally.kept,
    )
    files = tuple(_file(translation, diff=diff) for translation in translations)
    statistics: dict[str, int] = {}
    for (entry, _), number in sorted(tally.entries.items()):
        statistics[entry] = statistics.get(entry, 0) + number
    return TranslateDocument(1, this_tool(), target, dialect, files, summary, statistics)


def _file(translation: Translation, *, diff: bool) -> TranslatedFile:
    if translation.error is not None:
        return TranslatedFile(
            path=translation.path, status="failed", error=make_error(translation.error)
        )
    result = translation.result
    return TranslatedFile(
        path=translation.path,
        status="changed" if translation.changed else "unchanged",
        changes=tuple(publish(c, ChangeValue) for c in result.changes) if result else (),
        findings=make_findings(result.findings) if result else (),
        kept=make_findings(result.kept) if result else (),
        diff=unified_diff(translation.before, translation.after, translation.path)
        if diff and translation.changed
        else UNSET,
    )
