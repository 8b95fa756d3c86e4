"""Conflicts where git looks for them: the three versions of a file, as stages of the index."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from omni_port.base.errors import RevisionError
from omni_port.revisions.opening import opened
from omni_port.revisions.process import make_environment


@dataclass(frozen=True, slots=True)
class Stages:
    """A file in conflict: its *base*, and the versions of *local* and of the *target*, whole."""

    base: bytes
    local: bytes
    target: bytes


def mark_unmerged(folder: Path | str, files: Mapping[str, Stages]) -> list[str]:
    """Let the index of the checkout of *folder* say *both modified* of *files*; return which.

    *files* are by their path from the root of the checkout. Files that git does not have in its
    index are left out. The work tree is not touched. Raises RevisionError.
    """
    with opened(str(folder)) as repository:
        root = repository.root
        if root is None:
            raise RevisionError(f"{str(folder)!r} is bare: it has no index to write")
        done = []
        for path, stages in files.items():
            mode = _mode(root, path)
            if mode is None:
                continue
            versions = (stages.base, stages.local, stages.target)
            shas = [
                _git(root, ("hash-object", "-w", "--stdin"), data).decode().strip()
                for data in versions
            ]
            lines = [f"0 {'0' * len(shas[0])}\t{path}"]
            lines += [f"{mode} {sha} {number}\t{path}" for number, sha in enumerate(shas, 1)]
            _git(root, ("update-index", "-z", "--index-info"), "\0".join([*lines, ""]).encode())
            done.append(path)
        return done


def _mode(root: str, path: str) -> str | None:
    """The mode of *path* in the index, ``None`` where it is not there."""
    listed = _git(root, ("--literal-pathspecs", "ls-files", "-s", "-z", "--", path), b"").decode()
    return listed.split(" ", 1)[0] if listed else None


def _git(root: str, arguments: tuple[str, ...], data: bytes) -> bytes:
    ran = subprocess.run(
        ("git", "-C", root, "-c", "core.fsmonitor=false", *arguments),
        input=data,
        capture_output=True,
        check=False,
        env=make_environment(writes=True),
    )
    if ran.returncode:
        said = ran.stderr.decode(errors="replace").strip()
        raise RevisionError(f"git cannot write the index: {said}", hint="look at git status")
    return ran.stdout
