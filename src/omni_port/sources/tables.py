"""Translation tables from files: the packaged one, and those a user adds."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import TableError
from omni_port.base import files
from omni_port.base.errors import from_library

if TYPE_CHECKING:
    from omni_codemods.table.table import Table, TableFile

DIALECTS = ("npu", "accelerator", "platform")


def load_file(path: Path) -> TableFile:
    """Load one table file; raises ConfigurationError (schema) or InputError (not readable)."""
    from omni_codemods.table.table import load_table

    source = files.decode(files.read_bytes(path), path=str(path))
    try:
        return load_table(source.text, name=str(path))
    except TableError as error:
        raise from_library(error, path=str(path)) from error


def load_merged(paths: Iterable[Path]) -> TableFile:
    """Return the packaged table with the files *paths* merged into it in turn."""
    from omni_codemods.table.table import merge, packaged

    table = packaged()
    for path in paths:
        try:
            extra = load_file(path)
            # The next file extends the packaged table too, and knows it by its name.
            name = extra.name if extra.extends is None else table.name
            table = replace(merge(table, extra), name=name)
        except TableError as error:
            raise from_library(error, path=str(path)) from error
    return table


def load_selected(paths: Iterable[Path], target: str | None) -> Table:
    """Return the entries of :func:`load_merged` that hold for *target* (default: the newest)."""
    paths = tuple(paths)
    try:
        return load_merged(paths).select(target) if paths else _packaged(target)
    except TableError as error:
        raise from_library(error) from error


@functools.lru_cache(maxsize=4)
def _packaged(target: str | None) -> Table:
    """One value for each target: translations are remembered by it."""
    return load_merged(()).select(target)
