"""The bundled world as a project of its own, for tests that change it."""

from __future__ import annotations

import shutil
from pathlib import Path

from omni_port.project.project import Project, require_project

WORLD = Path(__file__).parent.parent / "fixtures" / "world"
RUNNER = "local/omni_npu_runner.py"
PATCH = "local/batch_patch.py"


def make_world(folder: Path) -> Path:
    """Copy the world into *folder*, and return it."""
    shutil.copytree(WORLD, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".omni-port"))
    return folder


def world_project(folder: Path) -> Project:
    """Return the project of a copy of the world in *folder*."""
    return require_project(make_world(folder))


def texts(root: Path) -> dict[str, str]:
    """Return the local files of the world at *root*."""
    return {path: (root / path).read_text() for path in (RUNNER, PATCH)}
