"""What is odd about a table that keeps to its schema."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.version import Version

from omni_codemods.table.entries import BaseClass, DottedPath, Entry, Environment, Keyword, Symbol
from omni_codemods.table.table import TableFile, find_clashes


def iter_oddities(file: TableFile) -> Iterator[str]:
    """Yield a line for each clash of two entries, and each entry that can never fire."""
    for one, other in find_clashes(file.entries):
        yield f"{one.id} and {other.id} both answer for {one.gpu or one.npu} in the same releases"
    for entry in file.entries:
        reason = _idle(entry, file)
        if reason:
            yield f"{entry.id} never fires: {reason}"


def _idle(entry: Entry, file: TableFile) -> str:
    if isinstance(entry, (Symbol, BaseClass, Keyword, Environment, DottedPath)):
        answers = {answer for answer in (entry.npu, entry.accelerator, entry.platform) if answer}
        if answers == {entry.gpu}:
            return "the NPU name is the GPU name"
    if file.releases and not any(_holds(entry, release) for release in file.releases):
        return "none of the table's releases is in its range"
    return ""


def _holds(entry: Entry, release: str) -> bool:
    version = Version(release)
    if entry.since and version < Version(entry.since):
        return False
    return not (entry.until and version > Version(entry.until))
