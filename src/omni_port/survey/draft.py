"""What a survey proposes to write into the project file."""

from __future__ import annotations

from dataclasses import dataclass

from omni_port.survey.copies import Unported


@dataclass(frozen=True, slots=True)
class UpstreamDraft:
    """An upstream. *how* says how *current* was found; *target_how* is empty where it was given.

    *guessed* are the keys that nothing proves.
    """

    name: str
    target: str
    current: str | None
    repository: str | None
    how: str
    target_how: str = ""
    guessed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SiblingsDraft:
    """The revision of this project that the copies are in step with; ``None`` where not found."""

    current: str | None
    how: str
    guessed: bool


@dataclass(frozen=True, slots=True)
class PortDraft:
    """A port. *why* says how it shows, line by line; what is not *sure* is to be commented out."""

    local: str
    upstream: str
    methods: tuple[str, ...] | None
    why: tuple[str, ...]
    sure: bool = True
    base: str | None = None
    base_how: str = ""
    sibling: str | None = None
    sibling_upstream: str | None = None
    sibling_how: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole project file, what is no port although it belongs to an upstream, and remarks."""

    upstreams: tuple[UpstreamDraft, ...]
    siblings: SiblingsDraft | None
    ports: tuple[PortDraft, ...]
    unported: tuple[Unported, ...] = ()
    remarks: tuple[str, ...] = ()
