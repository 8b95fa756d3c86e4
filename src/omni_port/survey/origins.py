"""Which revision of an upstream the copies of a project were made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omni_codemods.provenance.source_notes import SourceNote
from omni_port import revisions
from omni_port.base.errors import OmniPortError
from omni_port.base.pins import Pin, Weight, find_pins
from omni_port.base.words import count
from omni_port.sources.history import Ranking, Versions
from omni_port.sources.upstream import Tree, Upstream
from omni_port.survey.copies import Found

# A base is surely another where it leaves so many tokens fewer, and such a share.
_SURELY, _SHARE = 20, 0.2
# Where there is no tag, so many of the last commits are looked at.
_LAST = 40


@dataclass(frozen=True, slots=True)
class Origin:
    """The revision (or folder) *current*, how it was found, and whether that is a guess."""

    current: str | None
    how: str
    guessed: bool = False


@dataclass(slots=True)
class Origins:
    """Looks for the origins of copies from *upstream*, whose paths are relative to *root*."""

    upstream: Upstream
    root: Path
    remarks: list[str] = field(default_factory=list)
    _versions: dict[str, Versions] = field(default_factory=dict)

    def pinned(self, packages: Sequence[str]) -> Origin | None:
        """Return what the project's own requirements say; ``None`` where they do not, or lie."""
        if self.upstream.current is not None:
            return Origin(self.upstream.current, "as given")
        if self.upstream.repository is None:
            return None
        found: list[tuple[Pin, str]] = []
        for pin in find_pins(self.root, {self.upstream.name, *packages}):
            revision = next((r for r in pin.revisions if self.has(r)), None)
            if revision is None:
                place = f"{pin.path}:{pin.line} pins {self.upstream.name} to {pin.version}"
                if pin.weight > Weight.JOB:
                    where = self.upstream.repository
                    self.remarks.append(f"{place}, which {where} has no tag for")
            else:
                found.append((pin, revision))
        if not found:
            return None
        pin, revision = found[0]
        # What single jobs of a build are run with says nothing beside what the project says.
        others = sorted({r for p, r in found if p.weight >= min(pin.weight, 1)} - {revision})
        beside = f"; elsewhere it is {', '.join(others)}" if others else ""
        says = "pinned in" if pin.weight is Weight.REQUIRED else "what it runs on, by"
        return Origin(revision, f"{says} {pin.path}:{pin.line}{beside}", guessed=bool(others))

    def noted(self, notes: Sequence[SourceNote]) -> Origin | None:
        """Return the revision that most of the *notes* name, of those that the repository has."""
        said = Counter(revision for note in notes if (revision := self.named(note)) is not None)
        if not said:
            return None
        (revision, times), *_ = said.most_common(1)
        return Origin(revision, f"named in {count(times, 'note')} beside its copies")

    def lacking(self, notes: Sequence[SourceNote]) -> str:
        """Say which revisions of notes the repository does not have; nothing where it has one."""
        noted = [note.revisions for note in notes if note.revisions]
        missing = [said for said in noted if not any(map(self.has, said))]
        if not missing or self.upstream.repository is None:
            return ""
        names = ", ".join(dict.fromkeys(said[0] for said in missing))
        where = self.upstream.repository
        fetch = f"git -C {where} fetch --tags may bring it"
        return f"{count(len(missing), 'note')} of {self.upstream.name} name {names}: {fetch}"

    def named(self, note: SourceNote) -> str | None:
        """Return the first revision that a note names and the repository has."""
        return next((revision for revision in note.revisions if self.has(revision)), None)

    def has(self, revision: str) -> bool:
        """Whether the repository has *revision*."""
        if self.upstream.repository is None:
            return False
        try:
            with revisions.open_tree(self._repository, revision):
                return True
        except OmniPortError:
            return False

    def ranking(self, one: Found) -> Ranking | None:
        """Rank the tags (or folders) for one copy, without a tag the last commits of its file.

        ``None`` where none has the function.
        """
        versions = self.versions(one.file)
        return versions.rank_tags(one.copy.local, one.original) or versions.rank_last(
            one.copy.local, one.original, _LAST
        )

    def versions(self, file: str) -> Versions:
        """Return the versions of one file of the upstream."""
        if file not in self._versions:
            upstream = self.upstream
            folders = () if upstream.repository else (upstream.current or "", upstream.target)
            self._versions[file] = Versions(
                file,
                repository=self._repository if upstream.repository else None,
                until=upstream.target,
                folders=[str(self.root / Path(f).expanduser()) for f in folders if f],
            )
        return self._versions[file]

    def nearest(self, rankings: Sequence[tuple[int, Ranking]]) -> Origin:
        """Return the tag that is best for the most code; *rankings* come with the code's size."""
        weights: Counter[str] = Counter()
        order: dict[str, None] = {}
        for size, ranking in rankings:
            order.update(dict.fromkeys(ranking.revisions))
            for name in ranking.best.names:
                weights[name] += size
        if not weights:
            return Origin(None, "no tag has what was copied", guessed=True)
        # Of equal ones the last: what is pinned to a release follows the newest that fits.
        best = max(reversed(list(order)), key=lambda name: weights[name])
        fit = sum(best in ranking.best.names for _, ranking in rankings)
        how = f"nearest to {fit} of {count(len(rankings), 'copied function')}"
        alike = [name for name in order if weights[name] == weights[best] and name != best]
        beside = f"; as near: {', '.join(alike)}" if alike else ""
        guessed = bool(alike) or 2 * fit < len(rankings)
        return Origin(best, how + _margin(best, rankings) + beside, guessed)

    @property
    def _repository(self) -> str:
        return str(self.root / Path(self.upstream.repository or ".").expanduser())


def _margin(best: str, rankings: Sequence[tuple[int, Ranking]]) -> str:
    """How much is left at *best*, and how much more at the next of the versions that all have."""
    every = [ranking for _, ranking in rankings]
    names = [n for n in every[0].revisions if all(r.left_at(n) is not None for r in every)]
    left = {name: sum(ranking.left_at(name) or 0 for ranking in every) for name in names}
    if best not in left:
        return ""
    mine = left.pop(best)
    more = {name: number for name, number in left.items() if number > mine}
    said = f": {count(mine, 'token')} differ"
    other = min(more, key=lambda name: more[name]) if more else ""
    return f"{said}, {more[other]} from {other}" if other else said


def own_base(ranking: Ranking | None, current: str, tree: Tree) -> tuple[str, str] | None:
    """Return the base that is surely nearer than *current*, and how sure; ``None`` without one.

    *tree* is the upstream at *current*.
    """
    if ranking is None:
        return None
    here = next((n for n, sha in ranking.revisions.items() if sha == tree.revision), current)
    left = ranking.left_at(here)
    if left is None or left - ranking.left < max(_SURELY, _SHARE * left):
        return None
    best = ranking.best.names[-1]
    how = f"{count(ranking.left, 'token')} differ, and {left} from {current}"
    return best, how
