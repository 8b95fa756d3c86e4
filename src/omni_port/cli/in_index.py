"""Conflicts that were just written, in git's index as well."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from omni_port.cli.console import Console


def show_project(console: Console) -> None:
    """Let git see the conflicts of the local files of the project; raises OmniPortError."""
    from omni_port.project.project import by_file, require_project

    project = require_project(Path.cwd())
    show_files(console, project.root, by_file(project.ports))


def show_files(console: Console, root: Path, paths: Iterable[str]) -> None:
    """Let git see the conflicts of *paths*, which are below *root*; raises OmniPortError."""
    from omni_port.base import files
    from omni_port.upgrade.index import show_conflicts

    texts = {path: files.decode(files.read_bytes(root / path), path=path).text for path in paths}
    for path in show_conflicts(root, texts):
        console.say(f"{path}: both modified, for git")
