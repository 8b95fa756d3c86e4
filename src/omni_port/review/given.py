"""What a review is made of: the files with their methods, what is left, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omni_codemods.findings.model import Trace
from omni_port.documents.decide import QuestionValue
from omni_port.documents.rebase import RebaseDocument


@dataclass(frozen=True, slots=True)
class ReviewedMethod:
    """A method: *said* in a few words what became of it; *error* why nothing did.

    *upstream* is what it is a copy of, empty for one that was only synced.
    """

    name: str
    upstream: str
    said: str
    account: RebaseDocument | None = None
    traces: tuple[Trace, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class ReviewedFile:
    """A local file: as it was, as the upgrade left it, and as it is *now*.

    The accounts of its methods have lines of the first two.
    """

    path: str
    before: str
    after: str
    now: str
    methods: tuple[ReviewedMethod, ...]


@dataclass(frozen=True, slots=True)
class OpenItem:
    """One thing that is left for a person, at a line (1-based, 0 for none) of the file as it is.

    *number* is what ``take`` and ``leave`` know it by, 0 for none.
    """

    kind: str
    must: bool
    path: str
    line: int
    method: str
    message: str
    hint: str = ""
    detail: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """A decision that was taken: *take* is a side, ``both`` or ``text``."""

    take: str
    because: str
    by: str
    on: str
    places: tuple[str, ...]
    sides: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the upgrade, as it went."""

    name: str
    status: str
    said: str


@dataclass(frozen=True, slots=True)
class Given:
    """Everything that a review tells. *stop* is what the gate said where it did not pass."""

    title: str
    tool: str
    started: str
    files: tuple[ReviewedFile, ...]
    left: tuple[OpenItem, ...] = ()
    questions: tuple[QuestionValue, ...] = ()
    taken: tuple[Taken, ...] = ()
    phases: tuple[Phase, ...] = ()
    stop: str = ""
    next_action: str = ""
