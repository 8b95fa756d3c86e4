"""GPU names that the translation would still change, or cannot decide (OP603, OP1xx)."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.findings.check_codes import GPU_NAME
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.table.table import Table
from omni_codemods.translate import translate


def check_gpu_names(text: str, table: Table | None) -> Iterator[Finding]:
    """Yield what :func:`~omni_codemods.translate.translate` would change and what it finds.

    Names that its keep comments and the table leave are left. Raises SourceError.
    """
    result = translate(text, table=table)
    places: dict[tuple[int, int], Finding] = {}
    for change in result.changes:
        before, after = _first_line(change.before), _first_line(change.after)
        message = f"GPU code is left: {before}" + (f" -> {after}" if after else "")
        places.setdefault(
            (change.line, change.column),
            Finding(
                GPU_NAME.code, change.line, change.column, message, GPU_NAME.remedy, Severity.ERROR
            ),
        )
    yield from places.values()
    yield from result.findings


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.strip().split("\n")]
    return f"{lines[0]} ..." if len(lines) > 1 else lines[0]
