"""What evidence claims of a revision, held against an end."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from omni_port import revisions
from omni_port.base.errors import RevisionError
from omni_port.base.pins import Weight
from omni_port.identity.ends import version_of
from omni_port.identity.model import End
from omni_port.project.project import Project

_SHA = re.compile(r"[0-9a-f]{7,64}")


class Match(enum.Enum):
    """How a claim compares with an end: *UNKNOWN* where nothing can be compared."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Claim:
    """That *revisions* (any of them: SHAs, tags, versions) of a project are meant, at *place*.

    *weight* is that of a pin; notes and locks weigh most.
    """

    revisions: tuple[str, ...]
    place: str
    port: str = ""
    weight: Weight = Weight.REQUIRED

    @property
    def spelling(self) -> str:
        """As it is written, long SHAs cut short."""
        return ", ".join(r[:12] if _SHA.fullmatch(r) else r for r in self.revisions)


def compare(claim: Claim, end: End) -> Match:
    """Compare what *claim* names with *end*: commits with commits, else versions.

    Commits that the repository has decide over versions: a copy may be newer than the tag beside
    its note. One that it lacks is another than *end*, if nothing beside it says that it is that.
    """
    shas = [r for r in claim.revisions if _SHA.fullmatch(r)]
    known = [sha for sha in shas if resolve_claim((sha,), end) is not None]
    steps = (
        [_compare_commit(sha, end) for sha in known],
        [_compare_tag(r, end) for r in claim.revisions if r not in shas],
        [_compare_commit(sha, end) for sha in shas],
    )
    for found in steps:
        for match in (Match.SAME, Match.OTHER):
            if match in found:
                return match
    return Match.UNKNOWN


def _compare_commit(sha: str, end: End) -> Match:
    known = [one for one in (end.revision, end.commit) if one is not None]
    if any(one.startswith(sha) or sha.startswith(one) for one in known):
        return Match.SAME
    return Match.OTHER if known else Match.UNKNOWN


def _compare_tag(tag: str, end: End) -> Match:
    sha = resolve_claim((tag,), end)
    if sha is not None:
        return Match.SAME if sha == end.revision else Match.OTHER
    version = version_of(tag)
    if version is None or end.version is None:
        return Match.UNKNOWN
    return Match.SAME if version == end.version else Match.OTHER


def resolve_claim(spellings: tuple[str, ...], end: End) -> str | None:
    """Return the commit that the first known of *spellings* names in the repository of *end*."""
    if end.repository is None:
        return None
    for spelling in spellings:
        for name in dict.fromkeys((spelling, f"v{spelling.lstrip('v')}", spelling.lstrip("v"))):
            try:
                with revisions.open_tree(end.repository, name) as tree:
                    return tree.revision
            except RevisionError:
                continue
    return None


def lacking(claims: Iterable[Claim], end: End) -> str:
    """Return what to say of commits in *claims* that the repository of *end* lacks; or nothing."""
    if end.repository is None:
        return ""
    shas = {r for claim in claims for r in claim.revisions if _SHA.fullmatch(r)}
    known = {end.commit} if end.commit else set()
    lost = sorted(sha[:12] for sha in shas - known if resolve_claim((sha,), end) is None)
    if not lost:
        return ""
    return f"{end.repository} lacks {', '.join(lost)}: git -C {end.repository} fetch may bring it"


def names_of(project: Project, upstream: str) -> frozenset[str]:
    """Return what an upstream may be called: as configured, its folder, its packages."""
    found = {upstream, *packages_of(project, upstream)}
    repository = project.settings.upstream[upstream].repository
    if repository is not None:
        found.add(Path(project.folder(repository)).resolve().name.removesuffix(".git"))
    return frozenset(map(canonicalize_name, found))


def packages_of(project: Project, upstream: str) -> frozenset[str]:
    """Return the packages of an upstream that ports name."""
    places = (p for q in project.ports for p in (q.upstream, q.upstream_target, q.sibling_upstream))
    paths = {place.path for place in places if place is not None and place.upstream == upstream}
    return frozenset(path.removeprefix("src/").partition("/")[0] for path in paths if "/" in path)
