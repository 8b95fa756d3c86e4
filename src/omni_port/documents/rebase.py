"""A method rebuilt, as ``rebase-method`` and ``sync-method`` report it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from omni_codemods.findings.model import (
    EditKind,
    EditOutcome,
    Evidence,
    Outcome,
)
from omni_port.documents.common import (
    Commit,
    Count,
    FindingValue,
    Line,
    Lines,
    Sha256,
    Tool,
    Value,
    make_findings,
    make_lines,
    publish,
    this_tool,
)
from omni_port.methods.account import Account
from omni_port.sources.file_at import Located


class Side(Value, frozen=True):
    """An address with its provenance."""

    address: str
    path: str
    sha256: Sha256
    repository: str | None
    revision: Commit | None
    qualname: str | None


class FoundSide(Side, frozen=True):
    """A side of a rebase; *how* tells how it was found, where nobody gave it."""

    how: str | None


class Sides(Value, frozen=True, rename="kebab", kw_only=True):
    """The sides by the names of their options."""

    local: FoundSide
    base: FoundSide | UnsetType = UNSET
    target: FoundSide | UnsetType = UNSET
    gpu_base: FoundSide | UnsetType = UNSET
    gpu_target: FoundSide | UnsetType = UNSET
    gpu_upstream_base: FoundSide | UnsetType = UNSET
    gpu_upstream_target: FoundSide | UnsetType = UNSET


class RebaseSummary(Value, frozen=True):
    """Numbers of edits by their outcome."""

    carried: Count
    moved: Count
    absorbed: Count
    conflict: Count
    orphan: Count
    proposed: Count
    followed: Count = 0


class EditValue(Value, frozen=True):
    """What became of one edit.

    *local* are its lines there, ``null`` for a change of the sibling, whose lines in gpu-target
    are *sibling*. *overruled* is a unified diff, base to target, of the upstream change that it
    overrides; *proposed* translated code that is not in the text, for the outcome proposed;
    *doubled* code of the target that the edit has too and that now runs beside it; *followed* a
    unified diff of what a block held, word for word as the older sibling, and went with it.
    """

    outcome: Outcome
    evidence: Evidence
    reason: str
    kind: EditKind
    change: str
    label: str
    summary: str
    local: Lines | None
    sibling: Lines | None
    result: Lines | None
    overruled: str
    proposed: str
    doubled: str
    followed: str = ""
    key: Annotated[str, Meta(description="what names a proposal by its code; may be empty")] = ""
    cause: Annotated[str, Meta(description="proposals of one cause are taken together")] = ""


class ConflictValue(Value, frozen=True):
    """A conflict; its hunk starts at *line* of the result."""

    line: Line
    reason: str
    local: str
    base: str
    target: str


class Imports(Value, frozen=True):
    """Import statements of the result."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


class RebaseDocument(Value, frozen=True):
    """What omni-port rebase-method and sync-method write with --report FILE.json."""

    version: Literal[1]
    tool: Tool
    command: Annotated[str, Meta(description="rebase-method or sync-method")]
    method: str
    target_method: str | None
    policy: Annotated[str | None, Meta(description="as --policy")]
    judged: Annotated[
        str | None,
        Meta(description="by what the sibling's own changes were told; null without a sibling"),
    ]
    needs_person: bool
    sides: Sides
    summary: RebaseSummary
    edits: tuple[EditValue, ...]
    conflicts: tuple[ConflictValue, ...]
    findings: tuple[FindingValue, ...]
    imports: Imports


def make_rebase_document(account: Account) -> RebaseDocument:
    """Return the document: sides with their provenance, edits, conflicts, findings, imports."""
    result = account.result
    outcomes = Counter(outcome.outcome for outcome in result.edits)
    return RebaseDocument(
        1,
        this_tool(),
        account.command,
        result.method,
        account.target_method,
        account.policy,
        account.judged,
        result.needs_person,
        _sides(account),
        RebaseSummary(*(outcomes[outcome] for outcome in Outcome)),
        tuple(map(_edit, result.edits)),
        tuple(publish(conflict, ConflictValue) for conflict in result.conflicts),
        make_findings(result.findings),
        Imports(tuple(result.imports_added), tuple(result.imports_removed)),
    )


def make_side(located: Located) -> Side:
    """Return an address with its provenance."""
    found = located.provenance
    return Side(
        str(located.address),
        found.path,
        found.sha256,
        found.repository,
        found.revision,
        found.qualname,
    )


def _sides(account: Account) -> Sides:
    found = {
        name.replace("-", "_"): FoundSide(
            **msgspec.structs.asdict(make_side(located)), how=account.how.get(name)
        )
        for name, located in account.sides.items()
    }
    return Sides(**found)


def _edit(outcome: EditOutcome) -> EditValue:
    edit = outcome.edit
    of_sibling = edit.kind is EditKind.SIBLING
    return EditValue(
        outcome.outcome,
        outcome.evidence,
        outcome.reason,
        edit.kind,
        edit.change,
        edit.label,
        edit.summary,
        None if of_sibling else make_lines(edit.span),
        make_lines(edit.span) if of_sibling else None,
        make_lines(outcome.result),
        outcome.overruled,
        outcome.proposed,
        outcome.doubled,
        outcome.followed,
        outcome.key,
        outcome.cause,
    )
