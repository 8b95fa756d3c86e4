"""Files in git repositories at a revision."""

from __future__ import annotations

import contextlib
import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omni_codemods.findings.suggest import find_close
from omni_port.base.errors import RevisionError
from omni_port.revisions import naming
from omni_port.revisions.model import Entry, Listing, Named
from omni_port.revisions.opening import Repository, opened

_LINK, _SUBMODULE = "120000", "160000"
# As many as the kernel follows.
_MOST_LINKS = 40


@dataclass(frozen=True, slots=True)
class Blob:
    """A file at a revision: *revision* is the full SHA, *path* is relative to the root.

    Where a symbolic link was asked for, *path* is the file that it leads to.
    """

    data: bytes
    repository: str
    revision: str
    path: str


class Tree:
    """The files of a repository at one revision. Use :func:`open_tree`.

    *note* is what one should know of the spelling: that it is a tag and a branch.
    """

    def __init__(self, repository: Repository, spelling: str, named: Named) -> None:
        self._opened = repository
        self.repository = repository.spelling
        self.spelling = spelling
        self.revision = named.sha
        self.note = named.note

    def read(self, path: str) -> bytes | None:
        """Return the bytes of *path*, ``None`` where no file is there; links are followed."""
        real = self._follow(_inside(path))
        return None if real is None else self._opened.read(self._entries[real].sha)

    def require(self, path: str) -> Blob:
        """Return the file *path*; raises RevisionError, with what is there, or close matches."""
        real = self._follow(_inside(path))
        if real is None:
            raise self._lacks(path)
        data = self._opened.read(self._entries[real].sha)
        return Blob(data, self.repository, self.revision, real)

    def paths(self) -> list[str]:
        """Return every file of the tree, links and submodules among them."""
        return list(self._entries)

    def at(self, revision: str) -> str:
        """Return the full SHA of another revision of this repository; raises RevisionError."""
        return naming.resolve(self._opened, revision).sha

    def contains(self, sha: str) -> bool:
        """Whether the commit *sha* is this revision, or lies in its history."""
        return naming.is_ancestor(self._opened, sha, self.revision)

    def tags_here(self) -> list[str]:
        """Return the tags that point at this revision."""
        return naming.tags_at(self._opened, self.revision)

    def inside(self, path: str) -> str:
        """Return *path* relative to the root; an absolute one is a file of the work tree."""
        root = self._opened.root
        if root is None or not Path(path).is_absolute():
            return _inside(path)
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        return _inside(Path(relative).as_posix())

    @property
    def _entries(self) -> Listing:
        listings = self._opened.listings
        if self.revision not in listings:
            out = self._opened.run("ls-tree", "-r", "-z", "--full-tree", self.revision)
            listings[self.revision] = dict(_parse_entry(line) for line in out.split("\0") if line)
        return listings[self.revision]

    def _follow(self, path: str) -> str | None:
        """Return the path of the file behind the links of *path*, ``None`` without one.

        Raises RevisionError for a link out of the tree, and for what stands in a submodule.
        """
        asked = path
        for _ in range(_MOST_LINKS):
            entry = self._entries.get(path)
            if entry is not None and entry.mode not in (_LINK, _SUBMODULE):
                return path
            found = self._special(path)
            if found is None:
                return None
            if self._entries[found].mode == _SUBMODULE:
                raise self._in_submodule(asked, found, path)
            path = self._behind(found, path)
        message = f"{asked!r} at {self.spelling} is a symbolic link that leads round in a circle"
        raise RevisionError(message, hint="name the file itself", path=self.repository)

    def _special(self, path: str) -> str | None:
        """Return the link or submodule that *path* is or stands in."""
        parts = path.split("/")
        starts = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        entries = self._entries
        special = (_LINK, _SUBMODULE)
        return next((s for s in starts if s in entries and entries[s].mode in special), None)

    def _behind(self, link: str, path: str) -> str:
        target = os.fsdecode(self._opened.read(self._entries[link].sha))
        rest = path[len(link) :].lstrip("/")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(link), target, rest))
        if there.startswith(("/", "../")) or there == "..":
            message = f"{link!r} at {self.spelling} is a symbolic link to {target!r}"
            hint = "that is outside of the repository: name the file itself"
            raise RevisionError(message, hint=hint, path=self.repository)
        return there

    def _in_submodule(self, asked: str, submodule: str, path: str) -> RevisionError:
        sha = self._entries[submodule].sha
        folder = posixpath.join(self.repository, submodule)
        rest = path[len(submodule) :].lstrip("/") or "PATH"
        return RevisionError(
            f"{asked!r} at {self.spelling} stands in the submodule {submodule!r}",
            hint=f"name that repository: {folder}@{sha[:12]}:{rest}",
            path=self.repository,
        )

    def _lacks(self, path: str) -> RevisionError:
        inside = _inside(path)
        if any(other.startswith(f"{inside}/") for other in self._entries) or inside == ".":
            message = f"{path!r} at {self.spelling} ({self.revision[:12]}) is a folder"
            return RevisionError(message, hint="name a file in it", path=self.repository)
        message = f"no file {path!r} at {self.spelling} ({self.revision[:12]})"
        return RevisionError(message, hint=self._close(inside), path=self.repository)

    def _close(self, path: str) -> str:
        every = self.paths()
        other_case = [other for other in every if other.lower() == path.lower()]
        if other_case:
            return f"upper and lower case count: {other_case[0]}"
        name = posixpath.basename(path)
        close = [other for other in every if posixpath.basename(other) == name][:3]
        close = close or find_close(path, every)
        if not close:
            return "paths are relative to the root of the repository"
        return "close: " + ", ".join(close)


@contextlib.contextmanager
def open_tree(repository: str, revision: str) -> Iterator[Tree]:
    """Open *repository* (a folder in a work tree, or a bare one) at *revision*.

    Raises RevisionError: not a repository, owned by somebody else, no such revision. In a
    :func:`~omni_port.revisions.session` it is opened, resolved and listed once.
    """
    with opened(repository) as found:
        yield Tree(found, revision, naming.resolve(found, revision))


def _parse_entry(line: str) -> tuple[str, Entry]:
    facts, path = line.split("\t", 1)
    mode, _, sha = facts.split(" ")
    return path, Entry(mode, sha)


def _inside(path: str) -> str:
    normal = posixpath.normpath(path)
    if normal.startswith(("../", "/")) or normal == "..":
        message = f"{path!r} is outside the repository"
        raise RevisionError(message, hint="paths are relative to the root of the repository")
    return normal
