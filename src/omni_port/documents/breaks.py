"""What an upstream's step breaks, as ``breaks --format json`` prints it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from omni_port.documents.common import Column, Count, Line, Tool, Value, publish, this_tool
from omni_port.plan.breaks import Break, Breaks, Group


class BreakValue(Value, frozen=True):
    """One place that breaks; *identity* is what a baseline knows it by."""

    path: str
    line: Line
    column: Column
    code: Annotated[str, Meta(pattern="^OP[0-9]{3}$")]
    certainty: Literal["sure", "likely", "possible"]
    message: str
    instead: str
    identity: str


class CauseValue(Value, frozen=True):
    """The commit of the upstream; *pull* is the number of its pull request, if it says one."""

    sha: str
    date: str
    subject: str
    pull: str


class GroupValue(Value, frozen=True):
    """The breaks of one change: *subject* is the dotted name that changed."""

    subject: str
    cause: CauseValue | None
    breaks: tuple[BreakValue, ...]


class CopyValue(Value, frozen=True):
    """A local copy of an upstream function that changed; *what* says in what."""

    path: str
    line: Line
    qualname: str
    upstream: str
    what: str


class ComparedValue(Value, frozen=True):
    """An upstream, and its ends as they were named."""

    name: str
    old: str
    new: str


class BreaksSummary(Value, frozen=True):
    """Numbers of files, changes, and breaks by how sure they are; *known* by the baseline."""

    files: Count
    changes: Count
    sure: Count
    likely: Count
    possible: Count
    known: Count
    copies: Count


class BreaksDocument(Value, frozen=True):
    """What omni-port breaks --format json prints."""

    version: Literal[1]
    tool: Tool
    upstreams: tuple[ComparedValue, ...]
    groups: tuple[GroupValue, ...]
    copies: tuple[CopyValue, ...]
    unreadable: tuple[str, ...]
    unread: tuple[str, ...]
    summary: BreaksSummary


def make_breaks_document(found: Breaks) -> BreaksDocument:
    """Return the document."""
    certain = [one.certainty for one in found.places]
    summary = BreaksSummary(
        found.files,
        len(found.groups),
        certain.count("sure"),
        certain.count("likely"),
        certain.count("possible"),
        found.known,
        len(found.copies),
    )
    upstreams = (ComparedValue(u.name, u.current or "", u.target) for u in found.upstreams)
    groups = tuple(map(_group, found.groups))
    copies = tuple(publish(one, CopyValue) for one in found.copies)
    return BreaksDocument(
        1, this_tool(), tuple(upstreams), groups, copies, found.left, found.unread, summary
    )


def _group(group: Group) -> GroupValue:
    one = group.cause
    cause = None if one is None else CauseValue(one.sha, one.date, one.subject, one.pull)
    return GroupValue(group.subject, cause, tuple(map(_break, group.breaks)))


def _break(one: Break) -> BreakValue:
    found = one.misfit.finding
    certainty: Literal["sure", "likely", "possible"]
    certainty = one.certainty  # type: ignore[assignment]
    return BreakValue(
        one.path,
        found.line,
        found.column,
        found.code,
        certainty,
        found.message,
        one.instead,
        one.identity,
    )
