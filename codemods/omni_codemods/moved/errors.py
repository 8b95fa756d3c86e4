"""Now :mod:`omni_codemods.findings.errors`."""

from __future__ import annotations

from omni_codemods.findings.errors import (
    FenceError,
    MethodNotFound,
    NotACopy,
    OmniCodemodsError,
    SourceError,
    TableError,
)

__all__ = [
    "FenceError",
    "MethodNotFound",
    "NotACopy",
    "OmniCodemodsError",
    "SourceError",
    "TableError",
]
