"""Git repositories for tests: what several test modules share."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str, date: str | None = None, identity: bool = True) -> str:
    """Return what git prints in *folder*, stripped; raises CalledProcessError."""
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org"] if identity else []
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    if date is not None:
        environment |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(
        ["git", *who, *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def make_repository(folder: Path) -> Path:
    """Make an empty repository in *folder*, which is made too."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(
    folder: Path, files: dict[str, str | bytes], message: str = "m", *, date: str | None = None
) -> str:
    """Write *files* by their paths and commit everything; return the full SHA."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", message, date=date)
    return git(folder, "rev-parse", "HEAD")


def fingerprint(folder: Path) -> dict[str, str]:
    """Return what stands below *folder*, ``.git`` among it: by path, its bytes and its time."""
    found = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        digest = hashlib.sha256(data).hexdigest()
        found[path.relative_to(folder).as_posix()] = f"{facts.st_mode} {facts.st_mtime_ns} {digest}"
    return found
