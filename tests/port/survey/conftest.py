from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from followed import make_project, make_upstreams


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the repositories, which no test may change."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    folder = tmp_path_factory.mktemp("followed")
    make_upstreams(folder)
    make_project(folder)
    return folder


@pytest.fixture
def world(built: Path, tmp_path: Path) -> Path:
    """Return a copy of them."""
    return Path(shutil.copytree(built, tmp_path / "world"))
