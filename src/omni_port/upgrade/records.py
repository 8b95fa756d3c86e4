"""What is recorded of the phases that carry and check."""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.findings.model import Severity
from omni_port.base.words import count
from omni_port.methods.check import count_severities
from omni_port.methods.check_project import ProjectChecks
from omni_port.upgrade.left import Item, Kind
from omni_port.upgrade.phases import Phase, Record, Status
from omni_port.upgrade.store import FileState


def make_rebase_record(kept: Sequence[FileState], renewed: int, answered: int) -> Record:
    """Return the record of the rebase: how many methods were carried, and how."""
    methods = [method for one in kept for method in one.methods]
    failed = [method for method in methods if method.error is not None]
    accounts = [method.account for method in methods if method.account is not None]
    conflicts = sum(len(account.conflicts) for account in accounts)
    rebased = sum(method.is_copy for method in methods if method.error is None)
    synced = len(methods) - len(failed) - rebased
    evidence: tuple[str, ...] = (
        f"{count(rebased, 'method')} rebased, {synced} only synced, {len(failed)} not carried",
        f"{count(conflicts, 'conflict')}" + (f", {answered} decided before" if answered else ""),
        f"{count(sum(one.before != one.after for one in kept), 'file')} changed",
    )
    if renewed:
        evidence += (f"{count(renewed, 'source note')} renewed",)
    blocker = "; ".join(f"{m.name}: {m.error.message}" for m in failed if m.error)
    status = Status.FAIL if failed else Status.PASS
    action = "decide what is left, in its order" if conflicts or failed else "look at the checks"
    return Record(Phase.REBASE, status, evidence, blocker, action)


def make_check_record(found: ProjectChecks, left: Sequence[Item]) -> Record:
    """Return the record of the checks, by what they found and what is *left*."""
    counts = count_severities(found.files)
    trees = ", ".join(str(upstream.address) for upstream in found.upstreams)
    said = ", ".join(count(number, severity.value) for severity, number in counts.items() if number)
    evidence: tuple[str, ...] = (
        f"{count(len(found.files), 'file')} against {trees or 'no tree'}",
        said or "nothing found",
    )
    must = [item for item in left if item.kind in (Kind.CONFLICT, Kind.ERROR)]
    if not must:
        if counts[Severity.ERROR]:
            evidence += ("what errors are left is of blocks that a person took out",)
        return Record(Phase.CHECKS, Status.PASS, evidence, next_action="validate on an NPU")
    blocker = f"conflicts and errors to be mended: {len(must)}"
    action = "decide and mend what is left, then run `omni-port upgrade` again"
    return Record(Phase.CHECKS, Status.FAIL, evidence, blocker, action)


def put_record(records: Sequence[Record], new: Record) -> tuple[Record, ...]:
    """Return *records* with *new* in its place."""
    kept = [record for record in records if record.phase is not new.phase]
    return tuple(sorted([*kept, new], key=lambda record: list(Phase).index(record.phase)))
