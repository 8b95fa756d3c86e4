"""What happened to the upstream files and the GPU siblings: the commits between the ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from omni_port import revisions
from omni_port.errors import RevisionError
from omni_port.identity import End, Identity
from omni_port.project import CURRENT, TARGET, Place, Port, Project
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
    project: Project, ports: Sequence[Port], identity: Identity, since: str | None = None
) -> Iterator[Commits]:
    """Yield the history of each upstream's files, and of the siblings, from current to target.

    *since* is a date, or a revision that one of the repositories knows: it takes the place of
    current. Raises RevisionError for one that none knows.
    """
    date, revision = _parse_since(since)
    places = [place for port in ports for place in (port.upstream, port.sibling_upstream) if place]
    siblings = [port.sibling for port in ports if port.sibling is not None]
    jobs = [(name, [p for p in places if p.upstream == name]) for name in project.settings.upstream]
    if project.settings.siblings is not None and siblings:
        jobs.append((SIBLINGS, siblings))
    failed: list[RevisionError] = []
    found = [
        _read(identity, project, name, paths, date, revision, failed)
        for name, paths in jobs
        if paths
    ]
    if revision is not None and len(failed) == len(found) and failed:
        raise failed[0]
    yield from found


def _read(
    identity: Identity,
    project: Project,
    name: str,
    places: Sequence[Place],
    date: str | None,
    revision: str | None,
    failed: list[RevisionError],
) -> Commits:
    paths = tuple(sorted({place.path for place in places}))
    current, target = identity.end(name, CURRENT), identity.end(name, TARGET)
    repository = _repository(project, name, current)
    if repository is None:
        return Commits(name, paths, note="both ends are folders: they have no history")
    start = revision or (None if date else current.revision if current else None)
    if start is None and date is None:
        return Commits(name, paths, note="its current revision is not known")
    until = (target.revision if target else None) or "HEAD"
    try:
        found = revisions.history(repository, start, until, paths, since_date=date)
    except RevisionError as error:
        if revision is None:
            raise
        failed.append(error)
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


def _parse_since(text: str | None) -> tuple[str | None, str | None]:
    """Return *text* as a date, or as a revision."""
    if text is None:
        return None, None
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None, text
    return text, None
