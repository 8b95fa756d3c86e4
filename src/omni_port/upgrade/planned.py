"""The first four phases, from the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omni_port.project import Project
from omni_port.upgrade.phases import Phase, Record, Status

if TYPE_CHECKING:
    from omni_port.upgrade.run import UpgradeOptions


@dataclass(frozen=True, slots=True)
class Planned:
    """The records of the phases, the plan as JSON, and what to say where it did not pass."""

    records: tuple[Record, ...]
    document: dict[str, Any]
    markdown: str = ""
    stop: str = ""

    @property
    def passed(self) -> bool:
        """Whether the rebase may begin."""
        return all(record.status is Status.PASS for record in self.records)


def make_key(project: Project) -> str:
    return "interim"


def plan_phases(project: Project, paths: Sequence[str], options: UpgradeOptions) -> Planned:
    return Planned(
        (Record(Phase.IDENTITY, Status.PASS, ("interim",)),),
        {"identity": {"ends": []}, "history": [], "changes": []},
    )
