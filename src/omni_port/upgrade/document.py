"""An upgrade, as ``upgrade --format json`` prints it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from omni_port.documents.check import CheckedFile, make_checked_file
from omni_port.documents.common import Tool, Value, this_tool
from omni_port.documents.plan import PlanDocument
from omni_port.upgrade.carried_methods import MethodValue
from omni_port.upgrade.left import Item, Kind
from omni_port.upgrade.phases import Phase, Status
from omni_port.upgrade.run import Run


class PhaseValue(Value, frozen=True):
    """A phase with its evidence, what is in its way, and the one action allowed next."""

    phase: Phase
    status: Status
    evidence: tuple[str, ...]
    blocker: str
    next_action: str


class UpgradedFile(Value, frozen=True):
    """A local file with its methods."""

    path: Annotated[str, Meta(description="relative to the project file")]
    changed: Annotated[bool, Meta(description="the upgrade changed it")]
    edited: Annotated[bool, Meta(description="somebody edited it since")]
    methods: tuple[MethodValue, ...]


class LeftValue(Value, frozen=True):
    """One thing that is left for a person; *line* is 0 where it has none."""

    kind: Kind
    must: Annotated[bool, Meta(description="has to be done before the upgrade is")]
    path: str
    line: int
    method: str
    message: str
    hint: str
    detail: Annotated[
        str,
        Meta(
            description="the upstream code that it is about, or facts of a conflict; may be empty"
        ),
    ]
    number: Annotated[int, Meta(description="by which decide, take and leave know it; 0 for none")]


class UpgradeDocument(Value, frozen=True):
    """What omni-port upgrade --format json prints."""

    version: Literal[1]
    tool: Tool
    started: Annotated[str, Meta(description="when the upgrade began, in UTC")]
    dry_run: Annotated[bool, Meta(description="nothing was written")]
    resumed: Annotated[bool, Meta(description="an earlier run did the rebase")]
    needs_person: bool
    phases: Annotated[tuple[PhaseValue, ...], Meta(min_length=7, max_length=7)]
    plan: Annotated[PlanDocument | None, Meta(description="that of the run that began the upgrade")]
    stop: Annotated[str, Meta(description="what the gate said where it did not pass")]
    files: tuple[UpgradedFile, ...]
    checks: tuple[CheckedFile, ...]
    left: tuple[LeftValue, ...]


def make_upgrade_document(run: Run) -> UpgradeDocument:
    """Return the document: phases, plan, files with their methods, checks, and what is left."""
    edited = {one.path: one.is_edited for one in run.written}
    files = (
        UpgradedFile(one.path, one.before != one.after, edited.get(one.path, False), one.methods)
        for one in run.state.files
    )
    return UpgradeDocument(
        1,
        this_tool(),
        run.state.started,
        run.dry_run,
        run.resumed,
        run.needs_person,
        tuple(PhaseValue(*msgspec.structs.astuple(record)) for record in run.records),
        run.state.plan,
        run.state.stop,
        tuple(files),
        tuple(map(make_checked_file, run.checked)),
        tuple(map(_left, run.left)),
    )


def _left(item: Item) -> LeftValue:
    return LeftValue(
        item.kind,
        item.must,
        item.path,
        item.line,
        item.method,
        item.message,
        item.hint,
        item.detail,
        item.number,
    )
