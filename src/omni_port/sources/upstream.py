"""Upstreams as a person names them, and their files at one end."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omni_port import revisions
from omni_port.base.errors import UsageError

_NAME = re.compile(r"([A-Za-z0-9][\w-]*)=(.+)", re.DOTALL)
_REVISION = re.compile(r"(?P<repository>.*)@(?!\{)(?P<revision>[^@/\\][^@]*)", re.DOTALL)
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.]*")
_HINT = "write NAME=REPO@TARGET, NAME=REPO@CURRENT..TARGET, or NAME=CURRENT_FOLDER..TARGET_FOLDER"


@dataclass(frozen=True, slots=True)
class Upstream:
    """A project to follow, by its name in the project file.

    With *repository* the ends are revisions of it, else folders. *how* says how *target* was
    found, where nobody gave it.
    """

    name: str
    target: str
    current: str | None = None
    repository: str | None = None
    how: str = ""


def parse_upstream(text: str) -> Upstream:
    """Return the upstream that *text* spells; raises UsageError, with the spellings."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} does not start with NAME=", hint=_HINT)
    name, rest = match.groups()
    if folders := _folders(rest):
        return Upstream(name, folders[1], folders[0])
    found = _REVISION.fullmatch(rest)
    if found is None:
        message = f"{text!r} names neither a revision nor two folders that are there"
        raise UsageError(message, hint=_HINT)
    current, separator, target = found["revision"].rpartition("..")
    if not target or (separator and not current):
        raise UsageError(f"{text!r}: a revision is missing beside '..'", hint=_HINT)
    repository = found["repository"] or "."
    for revision in (current, target):
        if revision.startswith("-"):
            message = f"{text!r}: a revision that starts with '-' would be an option to git"
            raise UsageError(message, hint="write the tag, the branch or the commit")
    return Upstream(name, target, current or None, repository)


def find_version(spelled: str) -> str:
    """Return the version that a revision or the name of a folder says, empty where none does."""
    found = _VERSION.search(spelled.rstrip("/").rpartition("/")[2])
    return found[0] if found is not None else ""


def _folders(text: str) -> tuple[str, str] | None:
    """Both folders of ``CURRENT..TARGET``; dots may be part of a path, so what is there decides."""
    for found in re.finditer(r"(?=\.\.)", text):
        current, target = text[: found.start()], text[found.start() + 2 :]
        if current and target and all(Path(p).expanduser().is_dir() for p in (current, target)):
            return current, target
    return None


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of an upstream at one end: *packages* are where each root package stands."""

    upstream: Upstream
    revision: str
    packages: dict[str, str]
    _opened: revisions.Tree | None = None

    def read(self, path: str) -> str | None:
        """Return the text of ``package/module.py``, ``None`` where that is not there."""
        place = self.place(path)
        return None if place is None else self.read_place(place)

    def read_place(self, place: str) -> str | None:
        """Return the text of the file *place* below the root, ``None`` where that is not there."""
        if self._opened is not None:
            data = self._opened.read(place)
        else:
            file = Path(self.revision).expanduser() / place
            data = file.read_bytes() if file.is_file() else None
        return None if data is None else data.decode("utf-8", errors="replace")

    def place(self, path: str) -> str | None:
        """Return where ``package/module.py`` stands below the root, ``None`` if in no package."""
        start = self.packages.get(path.partition("/")[0])
        return None if start is None else start + path

    def paths(self) -> list[str]:
        """Return the modules of the packages, as ``package/module.py``."""
        if self._opened is not None:
            every = self._opened.paths()
        else:
            root = Path(self.revision).expanduser()
            folders = [root / start / package for package, start in self.packages.items()]
            found = (path for folder in folders for path in folder.rglob("*.py"))
            every = [path.relative_to(root).as_posix() for path in found]
        starts = {f"{start}{package}/": start for package, start in self.packages.items()}
        return sorted(
            path[len(start) :]
            for path in every
            if path.endswith(".py")
            for prefix, start in starts.items()
            if path.startswith(prefix)
        )

    def content_id(self) -> str:
        """Return what tells this content from any other: the commit, or a digest of the files."""
        if self._opened is not None:
            return self._opened.revision
        digest = hashlib.blake2b(digest_size=20)
        for path in self.paths():
            file = Path(self.revision).expanduser() / (self.place(path) or path)
            digest.update(path.encode() + b"\0" + file.read_bytes() + b"\0")
        return digest.hexdigest()


@contextlib.contextmanager
def open_upstream(upstream: Upstream, root: Path, revision: str) -> Iterator[Tree]:
    """Open *upstream* at *revision*, a folder or a revision; both are relative to *root*.

    Raises RevisionError; UsageError where a folder is not there.
    """
    if upstream.repository is None:
        folder = root / Path(revision).expanduser()
        if not folder.is_dir():
            message = f"{revision!r} is no folder"
            raise UsageError(message, hint=f"the ends of {upstream.name!r} are folders")
        yield Tree(upstream, str(folder), packages_of(folder))
        return
    place = str(root / Path(upstream.repository).expanduser())
    with revisions.open_tree(place, revision) as tree:
        yield Tree(upstream, tree.revision, _packages(tree.paths()), tree)


def packages_of(folder: Path) -> dict[str, str]:
    """Return the root packages of *folder*, with where each stands: ``""`` or ``src/``."""
    found = [p.relative_to(folder).as_posix() for p in sorted(folder.glob("*/__init__.py"))]
    found += [p.relative_to(folder).as_posix() for p in sorted(folder.glob("src/*/__init__.py"))]
    return _packages(found)


_PACKAGE = re.compile(r"((?:src/)?)([^/]+)/__init__\.py")
# Packages that no other project imports.
_OWN = frozenset({"tests", "test", "docs", "examples", "benchmarks", "tools", "scripts"})


def _packages(paths: list[str]) -> dict[str, str]:
    found = filter(None, map(_PACKAGE.fullmatch, paths))
    return {match[2]: match[1] for match in found if match[2] not in _OWN}
