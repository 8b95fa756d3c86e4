"""Files in git repositories at a revision. The only module that imports git."""

from __future__ import annotations

import contextlib
import difflib
import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omni_port.errors import RevisionError

if TYPE_CHECKING:
    import git

# A hook or a rebase sets GIT_DIR and the like; they would redirect what a path names.
_KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH")


@dataclass(frozen=True, slots=True)
class Blob:
    """A file at a revision: *revision* is the full SHA, *path* is relative to the root."""

    data: bytes
    repository: str
    revision: str
    path: str


class Tree:
    """The files of a repository at one revision. Use :func:`open_tree`."""

    def __init__(self, repo: git.Repo, repository: str, spelling: str, revision: str) -> None:
        self._repo = repo
        self.repository = repository
        self.spelling = spelling
        self.revision = revision

    def read(self, path: str) -> bytes | None:
        """Return the bytes of *path*, ``None`` where no file is there."""
        inside = _inside(path)
        try:
            blob = self._repo.commit(self.revision).tree / inside
        except KeyError:
            return None
        return bytes(blob.data_stream.read()) if blob.type == "blob" else None

    def require(self, path: str) -> Blob:
        """Return the file *path*; raises RevisionError, with close matches."""
        data = self.read(path)
        if data is None:
            message = f"no file {path!r} at {self.spelling} ({self.revision[:12]})"
            raise RevisionError(message, hint=self._close(path), path=self.repository)
        return Blob(data, self.repository, self.revision, _inside(path))

    def paths(self) -> list[str]:
        """Return every file of the tree."""
        listing = self._repo.git.ls_tree("-r", "-z", "--name-only", self.revision)
        return [path for path in listing.split("\0") if path]

    def at(self, revision: str) -> str:
        """Return the full SHA of another revision of this repository; raises RevisionError."""
        return _full_sha(self._repo, self.repository, revision)

    def inside(self, path: str) -> str:
        """Return *path* relative to the root; an absolute one is a file of the work tree."""
        root = self._repo.working_tree_dir
        if root is None or not Path(path).is_absolute():
            return _inside(path)
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        return _inside(Path(relative).as_posix())

    def commits(self, first: str | None, path: str) -> list[tuple[str, str]]:
        """Return name and SHA of *first* and of the commits after it that touched *path*."""
        span = [self.revision] if first is None else [self.revision, f"^{first}"]
        form = "--format=%H %h (%cs)"
        listed = self._repo.git.log("--reverse", "--topo-order", form, *span, "--", path)
        start = [] if first is None else [self._repo.git.log("-1", form, first)]
        pairs = [line.split(" ", 1) for line in [*start, *listed.splitlines()]]
        return [(name, sha) for sha, name in pairs]

    def tags(self, first: str | None) -> list[tuple[str, str]]:
        """Return name and SHA of the tags from *first* on, by date."""
        command = ["--merged", self.revision, "--sort=creatordate", "--format=%(refname:short)"]
        after = [] if first is None else ["--contains", first]
        names = self._repo.git.tag(*command, *after).splitlines()
        return [(name, self.at(f"refs/tags/{name}")) for name in names]

    def blobs(self, revision: str, path: str) -> Iterator[Blob]:
        """Yield the file *path* at another revision, if it is there."""
        other = Tree(self._repo, self.repository, self.spelling, revision)
        data = other.read(path)
        if data is not None:
            yield Blob(data, self.repository, revision, path)

    def _close(self, path: str) -> str:
        every = self.paths()
        name = posixpath.basename(path)
        close = [other for other in every if posixpath.basename(other) == name][:3]
        close = close or difflib.get_close_matches(_inside(path), every, 3)
        if not close:
            return "paths are relative to the root of the repository"
        return "close: " + ", ".join(close)


@contextlib.contextmanager
def open_tree(repository: str, revision: str) -> Iterator[Tree]:
    """Open *repository* (a folder in a work tree, or a bare one) at *revision*.

    Raises RevisionError: not a repository, owned by somebody else, no such revision.
    """
    try:
        import git
    except ImportError as error:
        hint = "install git, or unpack the sources and name their folder"
        raise RevisionError("git is needed to read a revision", hint=hint) from error
    with _scrubbed_environment():
        try:
            repo = git.Repo(Path(repository).expanduser(), search_parent_directories=True)
        except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
            message = f"{repository!r} is not a git repository"
            hint = "REPO@REV:PATH needs a clone; a bare PATH reads the working tree"
            raise RevisionError(message, hint=hint) from error
        with repo:
            yield Tree(repo, repository, revision, _full_sha(repo, repository, revision))


@dataclass(frozen=True, slots=True)
class Version:
    """A file as a tag or a commit has it: *name* is the tag, or the short SHA with its date."""

    name: str
    blob: Blob


def read_versions(
    place: str, since: str | None, until: str, path: str, *, tags: bool
) -> list[Version]:
    """Return the versions of *path*, oldest first, that lie after *since* up to *until*.

    *place* is the repository, or a folder in it; *path* is relative to its root, or absolute.
    Versions are the commits that touched the file,
    or with *tags* those tags that have it; where *since* is given it is the first. Tags and commits
    without the file are left out. Raises RevisionError.
    """
    with open_tree(place, until) as tree:
        inside = tree.inside(path)
        first = None if since is None else tree.at(since)
        names = tree.tags(first) if tags else tree.commits(first, inside)
        return [Version(name, blob) for name, sha in names for blob in tree.blobs(sha, inside)]


def _full_sha(repo: git.Repo, repository: str, revision: str) -> str:
    import git

    if revision.startswith("-"):
        raise RevisionError(f"{revision!r} is not a revision: it would be an option to git")
    try:
        return str(repo.git.rev_parse("--verify", f"{revision}^{{commit}}"))
    except git.GitCommandError as error:
        if "dubious ownership" in str(error.stderr):
            hint = f"git config --global --add safe.directory {Path(repository).resolve()}"
            message = f"{repository!r} is owned by somebody else, and git will not read it"
            raise RevisionError(message, hint=hint) from error
        raise _unknown_revision(repo, repository, revision) from error


def _unknown_revision(repo: git.Repo, repository: str, revision: str) -> RevisionError:
    names = [ref.name for ref in repo.references]
    close = difflib.get_close_matches(revision, names, 3)
    hint = "close: " + ", ".join(close) if close else "git fetch --tags may bring it"
    return RevisionError(f"unknown revision {revision!r} in {repository!r}", hint=hint)


def _inside(path: str) -> str:
    normal = posixpath.normpath(path)
    if normal.startswith(("../", "/")) or normal == "..":
        message = f"{path!r} is outside the repository"
        raise RevisionError(message, hint="paths are relative to the root of the repository")
    return normal


@contextlib.contextmanager
def _scrubbed_environment() -> Iterator[None]:
    hidden = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("GIT_") and name not in _KEPT and not name.startswith("GIT_PYTHON_")
    }
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)
