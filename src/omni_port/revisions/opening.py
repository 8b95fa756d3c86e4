"""Opening repositories and running git in them. The only module that imports git."""

from __future__ import annotations

import contextlib
import contextvars
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from omni_port.base.errors import RevisionError
from omni_port.revisions.model import Listing, Named
from omni_port.revisions.process import Git

if TYPE_CHECKING:
    import git


class GitFailed(RevisionError):
    """Git said no: *status* and what it printed. Whoever knows why says it in other words."""

    status: int = 0
    stdout: str = ""
    stderr: str = ""


def _failed(repository: str, status: int, stdout: str, stderr: str) -> GitFailed:
    said = stderr.strip() or stdout.strip() or f"exit code {status}"
    error = GitFailed(f"git fails in {repository!r}: {said}", hint="try it with git itself")
    error.status, error.stdout, error.stderr = status, stdout, stderr
    return error


@dataclass(slots=True)
class Repository:
    """An open repository; *spelling* is how the user names it.

    *names* are the revisions resolved so far, by spelling; *listings* the files, by SHA.
    """

    repo: git.Repo
    spelling: str
    git: Git
    names: dict[str, Named] = field(default_factory=dict)
    listings: dict[str, Listing] = field(default_factory=dict)

    @property
    def root(self) -> str | None:
        """The root of the work tree, ``None`` for a bare repository."""
        root = self.repo.working_tree_dir
        return None if root is None else str(root)

    @property
    def git_folder(self) -> Path:
        """The git directory: that of the worktree, where it is a linked one."""
        return Path(self.repo.git_dir)

    def run(self, *arguments: str, options: tuple[str, ...] = ()) -> str:
        """Return what git prints; raises GitFailed. Reads alone."""
        return self.run_extended(*arguments, options=options)[0]

    def run_extended(
        self, *arguments: str, options: tuple[str, ...] = (), writes: bool = False
    ) -> tuple[str, str]:
        """Return what git prints on both streams; raises GitFailed, RevisionError."""
        done = self.git.run(*options, *arguments, writes=writes)
        status, out, err = done.status, done.text, done.stderr
        if status:
            if "dubious ownership" in err:
                raise _somebody_elses(self.spelling)
            raise _failed(self.spelling, status, out, err)
        return out, err

    def read(self, sha: str) -> bytes:
        """Return the bytes of an object; one process serves many reads. Raises RevisionError."""
        data = self.git.read_object(sha)
        if data is None:
            message = f"{self.spelling!r} lacks the object {sha[:12]}"
            fetch = f"git -C {self.spelling} fetch --refetch --no-filter"
            hint = f"{fetch} brings what a partial clone lacks; else clone anew"
            raise RevisionError(message, hint=hint)
        return data

    def find(self, sha: str, path: str) -> bytes | None:
        """Return the bytes at *path* of the commit *sha*; those of a link say where it leads.

        *path* has no line break.
        """
        return self.git.read_object(f"{sha}:{path}")

    def close(self) -> None:
        """End what runs for it."""
        self.git.close()
        self.repo.close()


_SESSION: contextvars.ContextVar[tuple[int, dict[str, Repository]] | None]
_SESSION = contextvars.ContextVar("session", default=None)


@contextlib.contextmanager
def session() -> Iterator[None]:
    """Within it, each repository is opened once, and each revision means one commit.

    So a branch that moves meanwhile is read as it was. A session in a session is the outer one.
    """
    if _current() is not None:
        yield
        return
    opened: dict[str, Repository] = {}
    token = _SESSION.set((os.getpid(), opened))
    try:
        yield
    finally:
        _SESSION.reset(token)
        for repository in opened.values():
            repository.close()


def forget_names() -> None:
    """Let the session resolve revisions anew: something was committed."""
    for repository in (_current() or {}).values():
        repository.names.clear()


def _current() -> dict[str, Repository] | None:
    """The open repositories; ``None`` in a forked worker too, which must not share processes."""
    held = _SESSION.get()
    return held[1] if held is not None and held[0] == os.getpid() else None


@contextlib.contextmanager
def opened(repository: str) -> Iterator[Repository]:
    """Open *repository*: a folder in a work tree, or a bare one.

    Raises RevisionError: not a repository, or git is not there.
    """
    held = _current()
    if held is None:
        found = _open(repository)
        with contextlib.closing(found):
            yield found
        return
    key = f"{os.path.realpath(_folder(repository))} as {repository}"
    if key not in held:
        held[key] = _open(repository)
    yield held[key]


def find_repository(folder: Path) -> bool:
    """Say whether *folder* stands in a repository, without git."""
    real = Path(os.path.realpath(folder.expanduser()))
    return any((parent / ".git").exists() for parent in (real, *real.parents))


def _open(repository: str) -> Repository:
    try:
        import git
    except ImportError as error:
        hint = "install git, or unpack the sources and name their folder"
        raise RevisionError("git is needed to read a revision", hint=hint) from error
    try:
        found = git.Repo(_folder(repository), search_parent_directories=True, expand_vars=False)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
        message = f"{repository!r} is not a git repository"
        hint = "REPO@REV:PATH needs a clone; a bare PATH reads the working tree"
        raise RevisionError(message, hint=hint) from error
    except PermissionError as error:
        message = f"{repository!r} cannot be read: {error.strerror}"
        raise RevisionError(message, hint="check its permissions") from error
    return Repository(found, repository, Git(str(found.working_tree_dir or found.git_dir)))


def _folder(repository: str) -> str:
    # Absolute: what begins with ~ or holds a $ is not to be expanded once more.
    return os.path.abspath(os.path.expanduser(repository))  # noqa: PTH100, PTH111 (./~ is a folder)


def _somebody_elses(repository: str) -> RevisionError:
    hint = f"git config --global --add safe.directory {Path(repository).resolve()}"
    message = f"{repository!r} is owned by somebody else, and git will not read it"
    return RevisionError(message, hint=hint)
