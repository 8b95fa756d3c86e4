"""Commits of exactly these files: the one thing that writes into a user's repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omni_port.base.errors import RevisionError
from omni_port.revisions import opening
from omni_port.revisions.naming import resolve
from omni_port.revisions.opening import GitFailed, Repository, opened

_NO_IDENTITY = ("tell me who you are", "empty ident name", "auto-detect email", "no email was")


class NothingToCommit(RevisionError):
    """The files are as HEAD has them."""


def commit_paths(folder: Path | str, paths: Sequence[str], message: str) -> str:
    """Commit exactly *paths*, as they stand in the work tree, signed off; return the full SHA.

    *paths* are relative to the root of the checkout of *folder*; new and deleted files count too.
    What else is staged stays staged, and out of the commit. Hooks run as usual. Never pushes.
    Raises RevisionError, with what git or the hook printed: no identity, a hook refused, a merge
    or a rebase under way; NothingToCommit where the files are as HEAD has them.
    """
    if not paths:
        raise RevisionError("no path to commit", hint="name the files")
    with opened(str(folder)) as repository:
        if repository.root is None:
            raise RevisionError(f"{str(folder)!r} is bare: it has no work tree to commit from")
        new = _tell_of_new(repository, paths)
        try:
            _run(
                repository, "commit", "--signoff", "--only", f"--message={message}", *_named(paths)
            )
        except GitFailed as error:
            if new:
                _run(repository, "rm", "--cached", "--quiet", *_named(new))
            raise _explain(error) from error
        opening.forget_names()
        return resolve(repository, "HEAD").sha


def _named(paths: Sequence[str]) -> tuple[str, ...]:
    return ("--", *paths)


def _tell_of_new(repository: Repository, paths: Sequence[str]) -> list[str]:
    """Let git know of the files among *paths* that it does not; return them.

    ``commit --only`` takes none but those that it knows.
    """
    listed = repository.run("ls-files", "--others", "-z", "--full-name", *_named(paths))
    new = [path for path in listed.split("\0") if path]
    if new:
        try:
            _run(repository, "add", "--intent-to-add", *_named(new))
        except GitFailed as error:
            raise _explain(error) from error
    return new


def _run(repository: Repository, *arguments: str) -> None:
    options = ("--literal-pathspecs",)
    repository.run_extended(*arguments, options=options, writes=True)


def _explain(error: GitFailed) -> RevisionError:
    said = "\n".join(filter(None, (error.stderr.strip(), error.stdout.strip())))
    if any(word in said for word in _NO_IDENTITY):
        hint = 'git config user.name "..." and git config user.email "..."'
        return RevisionError("git does not know who commits", hint=hint)
    if "nothing to commit" in said or "no changes added" in said or "nothing added" in said:
        message = "nothing to commit: the files are as HEAD has them"
        return NothingToCommit(message, hint="look at git status")
    message = f"git commit failed (a hook may have refused it):\n{said}"
    return RevisionError(message, hint="mend what it says; the files are written, not committed")
