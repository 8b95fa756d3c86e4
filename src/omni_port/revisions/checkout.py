"""The state of a checkout: where it stands, and what is not committed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omni_port.base.errors import RevisionError
from omni_port.revisions.naming import is_shallow
from omni_port.revisions.opening import GitFailed, Repository, find_repository, opened

_OPERATIONS = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository as it stands: *root* is its work tree, or a bare repository itself.

    *head* is the full SHA, ``None`` before the first commit; *branch* is ``None`` where none is
    checked out. *changed* are the files that differ from HEAD, staged or not, *untracked* those
    that git does not know: files, and folders with a slash at the end. All relative to *root*.
    *operation* is what git is in the middle of.
    """

    root: str
    head: str | None
    branch: str | None
    changed: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    shallow: bool = False
    bare: bool = False
    linked: bool = False
    operation: str | None = None

    @property
    def dirty(self) -> tuple[str, ...]:
        """Everything that is not committed."""
        return (*self.changed, *self.untracked)

    def touches(self, path: str) -> bool:
        """Whether *path* (relative to the root) is not as HEAD has it, or git does not know it.

        Of a submodule git tells only that something in it is not.
        """
        folders = [f"{path}/" for path in self.changed]
        folders += [folder for folder in self.untracked if folder.endswith("/")]
        return path in self.dirty or path.startswith(tuple(folders))


def checkout_of(folder: Path | str) -> Checkout | None:
    """Return the checkout that *folder* stands in, ``None`` outside of every repository.

    Reads alone: not even the index is refreshed. Raises RevisionError: owned by somebody else.
    """
    with _opened_or_none(folder) as repository:
        if repository is None:
            return None
        return _bare(repository) if repository.root is None else _read(repository)


def git_folder(folder: Path | str) -> Path | None:
    """Return the git directory of the checkout of *folder* (a linked worktree has its own)."""
    with _opened_or_none(folder) as repository:
        return None if repository is None else repository.git_folder


@contextlib.contextmanager
def _opened_or_none(folder: Path | str) -> Iterator[Repository | None]:
    try:
        stack = contextlib.ExitStack()
        repository = stack.enter_context(opened(str(folder)))
    except RevisionError:
        if find_repository(Path(folder)):
            raise
        yield None
        return
    with stack:
        yield repository


def _bare(repository: Repository) -> Checkout:
    try:
        head = repository.run("rev-parse", "--verify", "--quiet", "HEAD").strip()
    except GitFailed:
        head = ""
    try:
        branch = repository.run("symbolic-ref", "--short", "--quiet", "HEAD").strip()
    except GitFailed:
        branch = ""
    shallow = is_shallow(repository)
    return Checkout(
        str(repository.git_folder), head or None, branch or None, shallow=shallow, bare=True
    )


def _read(repository: Repository) -> Checkout:
    command = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"]
    try:
        # A path is relative to the root here, whatever status.relativePaths says.
        lines = repository.run(*command, "--no-renames").split("\0")
    except GitFailed as error:
        message = f"git status fails in {repository.spelling!r}: {error.stderr.strip()}"
        raise RevisionError(message, hint="mend the repository") from error
    facts = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    head, branch = facts.get("branch.oid", ""), facts.get("branch.head", "")
    inside = repository.git_folder
    return Checkout(
        str(repository.root),
        None if head == "(initial)" else head,
        None if branch == "(detached)" else branch,
        tuple(sorted(_changed(lines))),
        tuple(sorted(line[2:] for line in lines if line.startswith("? "))),
        shallow=is_shallow(repository),
        linked=(inside / "commondir").exists(),
        operation=next((what for n, what in _OPERATIONS.items() if (inside / n).exists()), None),
    )


def _changed(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith("1 "):
            yield line.split(" ", 8)[8]
        elif line.startswith("u "):
            yield line.split(" ", 10)[10]
