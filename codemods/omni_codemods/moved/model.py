"""Now :mod:`omni_codemods.findings.model`."""

from __future__ import annotations

from omni_codemods.findings.model import (
    Block,
    Change,
    Conflict,
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Fence,
    FenceKind,
    Finding,
    Outcome,
    RebaseResult,
    Severity,
    Span,
    TranslateResult,
)

__all__ = [
    "Block",
    "Change",
    "Conflict",
    "Edit",
    "EditKind",
    "EditOutcome",
    "Evidence",
    "Fence",
    "FenceKind",
    "Finding",
    "Outcome",
    "RebaseResult",
    "Severity",
    "Span",
    "TranslateResult",
]
