"""The versions of an upstream file, and which of them a local function was copied from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omni_codemods.findings.errors import SourceError
from omni_codemods.provenance.best_match import nearest
from omni_codemods.provenance.provenance import Rank, rank_versions
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located, iter_functions
from omni_port import revisions

_Raw = tuple[tuple[str, str, str], ...]

# So many of them are compared closely; the others are less like local.
_CLOSELY = 12


@dataclass(frozen=True, slots=True)
class Ranking:
    """Versions of one upstream function for one local copy, best first.

    *revisions* are the full SHAs (or folders) by the names of the versions, which are tags, short
    SHAs with their dates, or folders.
    """

    ranks: tuple[Rank, ...]
    revisions: dict[str, str]

    @property
    def best(self) -> Rank:
        """The versions with the least difference."""
        return self.ranks[0]

    @property
    def left(self) -> int:
        """How many tokens local differs from the best version."""
        return self.best.drift + self.best.beside

    @property
    def margin(self) -> int | None:
        """How many tokens more the next best differs, ``None`` where there is no other."""
        if len(self.ranks) < 2:
            return None
        other = self.ranks[1]
        return other.drift + other.beside - self.left

    def left_at(self, name: str) -> int | None:
        """Return how many tokens local differs from the version *name*, if it was compared."""
        found = (rank.drift + rank.beside for rank in self.ranks if name in rank.names)
        return next(found, None)


@dataclass(slots=True)
class Versions:
    """The versions of one upstream file: in *repository* up to *until*, or in *folders*.

    *path* is relative to the root. What was read once serves for the next function.
    """

    path: str
    repository: str | None = None
    until: str = ""
    folders: Sequence[str] = ()
    _tags: list[tuple[str, str, str]] | None = field(default=None, init=False)
    _spans: dict[tuple[str | None, str], list[tuple[str, str, str]]] = field(
        default_factory=dict, init=False
    )
    _functions: dict[str, dict[str, Located]] = field(default_factory=dict, init=False)
    _found: dict[tuple[str, _Raw], Located | None] = field(default_factory=dict, init=False)

    def tags(self) -> list[tuple[str, str, str]]:
        """Return name, revision and text of the file at each tag, or in each folder, in order.

        Raises RevisionError.
        """
        if self._tags is None:
            self._tags = list(self._in_folders()) or self._in_history(None, self.until, tags=True)
        return self._tags

    def commits(self, since: str | None, until: str) -> list[tuple[str, str, str]]:
        """Return the same for the commits after *since* up to *until*, *since* among them."""
        if (since, until) not in self._spans:
            self._spans[since, until] = self._in_history(since, until, tags=False)
        return self._spans[since, until]

    def rank_tags(self, local: Located, qualname: str) -> Ranking | None:
        """Rank the tags for *local*, a copy of *qualname*; ``None`` where no tag has that."""
        return self._rank(local, qualname, self.tags())

    def rank_all(self, local: Located, qualname: str) -> Ranking | None:
        """Rank the tags, and then the commits between those around the best."""
        ranking = self.rank_tags(local, qualname)
        if self.repository is None or (ranking is not None and ranking.left == 0):
            return ranking
        names = [name for name, _, _ in self.tags()]
        since, until = None, self.until
        if ranking is not None:
            first, last = names.index(ranking.best.names[0]), names.index(ranking.best.names[-1])
            since = names[first - 1] if first else None
            until = names[last + 1] if last + 1 < len(names) else self.until
        known = {revision for _, revision, _ in self.tags()}
        between = [one for one in self.commits(since, until) if one[1] not in known]
        return self._rank(local, qualname, [*self.tags(), *between])

    def rank_last(self, local: Located, qualname: str, most: int) -> Ranking | None:
        """Rank the last *most* commits that touched the file."""
        if self.repository is None:
            return None
        return self._rank(local, qualname, self.commits(None, self.until)[-most:])

    def _rank(
        self, local: Located, qualname: str, versions: Sequence[tuple[str, str, str]]
    ) -> Ranking | None:
        found = [
            (version, where)
            for version, revision, text in versions
            if (where := self._find(revision, text, qualname)) is not None
        ]
        if not found:
            return None
        ranks = rank_versions(local, nearest(local, found, _CLOSELY))
        return Ranking(ranks, {name: sha for name, sha, _ in versions})

    def _find(self, revision: str, text: str, qualname: str) -> Located | None:
        """The function *qualname* of a version; without a class, also the only such method."""
        key = (qualname, _raw(text, last_part(qualname)))
        if key not in self._found:
            self._found[key] = _choose(self._parsed(revision, text), qualname)
        return self._found[key]

    def _parsed(self, revision: str, text: str) -> dict[str, Located]:
        if revision not in self._functions:
            try:
                every = {one.qualname: one for one in iter_functions(text)}
            except SourceError:  # a version that is not Python is no candidate
                every = {}
            self._functions[revision] = every
        return self._functions[revision]

    def _in_folders(self) -> Iterator[tuple[str, str, str]]:
        for folder in self.folders:
            file = Path(folder).expanduser() / self.path
            if file.is_file():
                yield folder, folder, _decode(file.read_bytes())

    def _in_history(
        self, since: str | None, until: str, *, tags: bool
    ) -> list[tuple[str, str, str]]:
        if self.repository is None:
            return []
        found = revisions.read_versions(self.repository, since, until, self.path, tags=tags)
        return [(v.name, v.blob.revision, _decode(v.blob.data)) for v in found]


def _choose(functions: Mapping[str, Located], qualname: str) -> Located | None:
    if qualname in functions or "." in qualname:
        return functions.get(qualname)
    methods = [f for name, f in functions.items() if last_part(name) == qualname]
    return methods[0] if len(methods) == 1 else None


def _raw(text: str, name: str) -> _Raw:
    """The lines of each function *name*, with the class statement before it, read off the text.

    Most commits to a file leave one function as it is: what is the same here is not parsed again.
    """
    found = []
    for match in re.finditer(rf"^([ \t]*)(?:async[ \t]+)?def[ \t]+{name}\b", text, re.MULTILINE):
        # What stands at the margin within a string ends nothing; the next definition does.
        end = re.compile(rf"^[ \t]{{0,{len(match[1])}}}(?:def|class|async|@)", re.MULTILINE)
        after = end.search(text, match.end())
        owner = text.rfind("\nclass ", 0, match.start())
        header = text[owner : text.find("\n", owner + 1)] if owner >= 0 else ""
        above = text[: match.start()].rpartition("\n\n")[2]
        found.append((header, above, text[match.start() : after.start() if after else len(text)]))
    return tuple(found)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
