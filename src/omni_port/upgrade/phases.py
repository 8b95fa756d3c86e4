"""The phases of an upgrade, and what is recorded of each."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import msgspec


class Phase(enum.Enum):
    """The phases, in order."""

    IDENTITY = "freeze-identity"
    INVENTORY = "inventory"
    DIFF = "diff"
    GATE = "gate"
    REBASE = "rebase"
    CHECKS = "checks"
    REPORT = "report"


class Status(enum.Enum):
    """What became of a phase.

    BLOCKED: something must be known or cleared first. STOPPED: a person must decide whether the
    upgrade goes on. SKIPPED: an earlier phase did not pass.
    """

    PASS = "PASS"
    FAIL = "FAIL"
    BLOCKED = "BLOCKED"
    STOPPED = "STOPPED"
    SKIPPED = "SKIPPED"


class Record(msgspec.Struct, frozen=True):
    """A phase with its *evidence*, what is in its way, and the one action allowed next."""

    phase: Phase
    status: Status
    evidence: tuple[str, ...] = ()
    blocker: str = ""
    next_action: str = ""


def with_skipped(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return *records* with those that are missing, as skipped."""
    known = {record.phase: record for record in records}
    last = next((r for r in known.values() if r.status not in (Status.PASS, Status.FAIL)), None)
    why = f"{last.phase.value} is {last.status.value}" if last else "not reached"
    return tuple(known.get(p) or Record(p, Status.SKIPPED, blocker=why) for p in Phase)
