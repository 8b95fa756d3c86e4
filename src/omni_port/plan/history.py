"""What happened to the upstream files and the GPU siblings: the commits between the ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from omni_port import revisions
from omni_port.base.errors import RevisionError
from omni_port.identity import End, Identity
from omni_port.methods.find_port_base import PortBase
from omni_port.project.project import CURRENT, TARGET, Place, Port, Project
from omni_port.revisions import Commit

SIBLINGS = "siblings"


@dataclass(frozen=True, slots=True)
class Commits:
    """The *commits* of one upstream, or of the siblings, that touched *paths*, newest first.

    *note* says why there are none to look at.
    """

    name: str
    paths: tuple[str, ...]
    commits: tuple[Commit, ...] = ()
    note: str = ""


def read_history(
    project: Project,
    ports: Sequence[Port],
    identity: Identity,
    since: str | None = None,
    bases: Sequence[PortBase] = (),
) -> Iterator[Commits]:
    """Yield the history of each upstream's files, and of the siblings, from current to target.

    *since* is a date, or a revision that one of the repositories knows: it takes the place of
    current. *bases* are those of ports whose upstream has no current revision: the first counts.
    Raises RevisionError for one that none knows.
    """
    asked = _parse_since(since)
    every = [p for q in ports for p in (q.upstream, q.upstream_target, q.sibling_upstream)]
    places = [place for place in every if place is not None]
    siblings = [port.sibling for port in ports if port.sibling is not None]
    jobs = [(name, [p for p in places if p.upstream == name]) for name in project.settings.upstream]
    if project.settings.siblings is not None and siblings:
        jobs.append((SIBLINGS, siblings))
    sources = {port.name: port.source for port in ports}
    reader = _Reader(project, identity, {sources[b.port]: b.revision for b in reversed(bases)})
    found = [reader.read(name, paths, asked) for name, paths in jobs if paths]
    if found and len(reader.failed) == len(found):
        raise reader.failed[0]
    yield from found


@dataclass(frozen=True, slots=True)
class _Since:
    """What was asked for: a day, a revision, or neither."""

    date: str | None = None
    revision: str | None = None


@dataclass(slots=True)
class _Reader:
    """Reads histories; *bases* are revisions by upstream, *failed* are those that lack one."""

    project: Project
    identity: Identity
    bases: Mapping[str, str]
    failed: list[RevisionError] = field(default_factory=list)

    def read(self, name: str, places: Sequence[Place], asked: _Since) -> Commits:
        """Return the history of an upstream, or of the siblings."""
        paths = tuple(sorted({place.path for place in places}))
        current, target = self.identity.end(name, CURRENT), self.identity.end(name, TARGET)
        repository = _repository(self.project, name, current)
        if name == SIBLINGS and repository is not None:  # the project may be a folder of it
            paths = tuple(sorted({self.project.at(place, CURRENT).path for place in places}))
        if repository is None:
            return Commits(name, paths, note="both ends are folders: they have no history")
        start = asked.revision
        if start is None and asked.date is None:
            start = (current.revision if current else None) or self.bases.get(name)
            if start is None:
                return Commits(name, paths, note="its current revision is not known")
        until = (target.revision if target else None) or "HEAD"
        try:
            found = revisions.history(repository, start, until, paths, since_date=asked.date)
        except RevisionError as error:
            if asked.revision is None:
                raise
            self.failed.append(error)
            return Commits(name, paths, note=error.message)
        return Commits(name, paths, tuple(found))


def _repository(project: Project, name: str, current: End | None) -> str | None:
    """The repository that both ends are revisions of; siblings may stand in the project itself."""
    if name != SIBLINGS:
        said = project.settings.upstream[name].repository
    else:
        said = project.settings.siblings.repository if project.settings.siblings else None
    if said is None or current is None:
        return None
    return project.folder(said)


def _parse_since(text: str | None) -> _Since:
    """Return *text* as a date, or as a revision."""
    if text is None:
        return _Since()
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return _Since(revision=text)
    return _Since(date=text)
