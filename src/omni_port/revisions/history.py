"""The history of files: versions of one, and the commits that touched some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from omni_port.base.errors import RevisionError
from omni_port.revisions import naming
from omni_port.revisions.model import Named
from omni_port.revisions.opening import Repository, opened
from omni_port.revisions.tree import Blob, Tree, open_tree

# Control characters as separators; a record starts with one that a full SHA follows.
_FORMAT = "--format=%x01%H%x1f%cI%x1f%aN%x1f%s%x1f"
_RECORD = re.compile(r"\x01(?=[0-9a-f]{40,64}\x1f)")


@dataclass(frozen=True, slots=True)
class Version:
    """A file as a tag or a commit has it: *name* is the tag, or the short SHA with its date."""

    name: str
    blob: Blob


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: full SHA, ISO date of commit, author, subject, and which of the files it touched.

    *paths* are as they were called then.
    """

    sha: str
    date: str
    author: str
    subject: str
    paths: tuple[str, ...]


def history(
    place: str,
    since: str | None,
    until: str,
    paths: Sequence[str],
    *,
    since_date: str | None = None,
) -> list[Commit]:
    """Return the commits after *since* up to *until* that touched *paths*, the newest first.

    *place* is the repository or a folder in it; *paths* are files or folders, relative to its
    root. One file alone is followed through renames. Merges are left out: what they bring stands
    in the commits that they merge. *since_date* (``2026-01-31``, midnight UTC, or an ISO time)
    leaves older commits out. Raises RevisionError.
    """
    start = None if since_date is None else _parse_date(since_date)
    with open_tree(place, until) as tree, opened(place) as repository:
        span = [tree.revision] if since is None else [tree.revision, f"^{tree.at(since)}"]
        inside = [tree.inside(path) for path in paths]
        if not inside:
            return []
        follow = ["--follow"] if len(inside) == 1 else []
        out = repository.run(
            "log", "-z", "--no-merges", "--no-show-signature", "--name-only", "--topo-order",
            _FORMAT, *follow, *span, "--", *inside,
            options=("-c", "log.follow=false"),
        )  # fmt: skip
    found = [_parse_commit(record) for record in _RECORD.split(out) if record]
    return [commit for commit in found if start is None or _parse_date(commit.date) >= start]


def search(place: str, since: str, until: str, path: str, lines: Sequence[str]) -> list[Commit]:
    """Return the commits after *since* up to *until* that brought in or took away one of *lines*.

    *place* is the repository or a folder in it, *path* a file relative to its root, *lines* parts
    of lines as they are written. The newest come first. Raises RevisionError.
    """
    found: dict[str, Commit] = {}
    with open_tree(place, until) as tree, opened(place) as repository:
        span = [tree.revision, f"^{tree.at(since)}"]
        inside = tree.inside(path)
        for line in lines:
            out = repository.run(
                "log", "-z", "--no-merges", "--no-show-signature", "--name-only", _FORMAT,
                f"-S{line}", *span, "--", inside,
            )  # fmt: skip
            commits = (_parse_commit(record) for record in _RECORD.split(out) if record)
            found.update((commit.sha, commit) for commit in commits)
    return sorted(found.values(), key=lambda commit: commit.date, reverse=True)


def _parse_commit(record: str) -> Commit:
    facts, _, names = record.rpartition("\x1f")
    sha, date, author, subject = facts.split("\x1f", 3)
    paths = tuple(sorted({name.strip("\n") for name in names.split("\0") if name.strip("\n")}))
    # Newer versions of git write Z for UTC.
    return Commit(sha, _parse_date(date).isoformat(), author, subject, paths)


def _parse_date(text: str) -> datetime:
    try:
        date = datetime.fromisoformat(re.sub("Z$", "+00:00", text))
    except ValueError as error:
        # Git takes whatever it does not understand for now.
        message = f"{text!r} is not a date"
        raise RevisionError(message, hint="write it as 2026-01-31") from error
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)


def read_versions(
    place: str, since: str | None, until: str, path: str, *, tags: bool
) -> list[Version]:
    """Return the versions of *path*, oldest first, that lie after *since* up to *until*.

    *place* is the repository, or a folder in it; *path* is relative to its root, or absolute.
    Versions are the commits that touched the file,
    or with *tags* those tags that have it; where *since* is given it is the first. Tags and commits
    without the file are left out. Raises RevisionError.
    """
    with open_tree(place, until) as tree, opened(place) as repository:
        inside = tree.inside(path)
        first = None if since is None else tree.at(since)
        until = tree.revision
        names = (
            _tags(repository, until, first) if tags else _commits(repository, until, first, inside)
        )
        return [
            Version(name, blob)
            for name, sha in names
            for blob in _blobs(repository, tree, sha, inside)
        ]


def _commits(
    repository: Repository, until: str, first: str | None, path: str
) -> list[tuple[str, str]]:
    """Return name and SHA of *first* and of the commits after it that touched *path*."""
    span = [until] if first is None else [until, f"^{first}"]
    form = "--format=%H %h (%cs)"
    command = ["log", "--reverse", "--topo-order", "--no-show-signature", form]
    listed = repository.run(*command, *span, "--", path).splitlines()
    if first is not None:
        listed.insert(0, repository.run("log", "-1", "--no-show-signature", form, first).strip())
    pairs = [line.split(" ", 1) for line in listed]
    return [(name, sha) for sha, name in pairs]


def _tags(repository: Repository, until: str, first: str | None) -> list[tuple[str, str]]:
    """Return name and SHA of the tags from *first* on, by date."""
    after = [] if first is None else ["--contains", first]
    command = ["--merged", until, "--sort=creatordate", "--format=%(refname:short)"]
    names = repository.run("tag", *command, *after).splitlines()
    return [(name, naming.resolve(repository, f"refs/tags/{name}").sha) for name in names]


def _blobs(repository: Repository, tree: Tree, sha: str, path: str) -> Iterator[Blob]:
    """Yield the file *path* at another revision, if it is there."""
    data = _read_quickly(repository, tree, sha, path)
    if data is not None:
        yield Blob(data, tree.repository, sha, path)


def _read_quickly(repository: Repository, tree: Tree, sha: str, path: str) -> bytes | None:
    # Listing a whole tree for each of a hundred versions of one file takes seconds.
    data = repository.find(sha, path) if len(sha) == 40 and "\n" not in path else b""
    if data is None or b"\n" in data:
        return data
    # No line in it: it may be a symbolic link.
    return Tree(repository, tree.spelling, Named(sha)).read(path)
