from __future__ import annotations

from pathlib import Path

import pytest

from followed import CONFIGURATION, SIBLING, make_project, make_upstreams
from gitrepos import commit, needs_git
from omni_port.base.errors import RevisionError
from omni_port.identity import freeze_identity
from omni_port.plan.history import Commits, read_history
from omni_port.project.project import require_project

pytestmark = needs_git
MORE = 'sibling-upstream = "gpulib:gpulib/runner.py::GPURunner"\n'
GPULIB = '[upstream.gpulib]\nrepository = "../gpulib"\ncurrent = "v1"\ntarget = "v2"\n\n'


@pytest.fixture
def down(tmp_path: Path) -> Path:
    make_upstreams(tmp_path)
    root = make_project(tmp_path)
    (root / "omni-port.toml").write_text(GPULIB + CONFIGURATION + MORE)
    text = SIBLING.replace("self.talker(hidden)", "self.talker(hidden, None)")
    commit(root, {"down/gpu_runner.py": text}, "sibling", date="2026-05-01T00:00:00Z")
    return root


def read(root: Path, since: str | None = None) -> dict[str, Commits]:
    project = require_project(root)
    found = read_history(project, project.ports, freeze_identity(project), since)
    return {one.name: one for one in found}


def test_from_current_to_target(down: Path) -> None:
    found = read(down)
    assert {name: len(one.commits) for name, one in found.items()} == {
        "gpulib": 1,
        "npulib": 2,
        "siblings": 1,
    }
    assert found["npulib"].paths == ("npulib/worker/runner.py",)
    assert found["siblings"].commits[0].subject == "sibling"


def test_since_a_day(down: Path) -> None:
    found = read(down, "2026-02-15")
    assert {name: len(one.commits) for name, one in found.items()} == {
        "gpulib": 0,
        "npulib": 1,
        "siblings": 1,
    }


def test_since_a_revision_that_some_repositories_know(down: Path) -> None:
    found = read(down, "v2")
    assert len(found["npulib"].commits) == 1
    assert len(found["gpulib"].commits) == 0
    assert "unknown revision 'v2'" in found["siblings"].note


def test_since_a_revision_that_none_knows(down: Path) -> None:
    with pytest.raises(RevisionError, match="unknown revision 'v9'"):
        read(down, "v9")


def test_folders_have_no_history(down: Path) -> None:
    text = (down / "omni-port.toml").read_text()
    folders = text.replace('repository = "../npulib"\ncurrent = "v1"\ntarget = "v3"',
                           'current = "../npulib"\ntarget = "../npulib"')  # fmt: skip
    (down / "omni-port.toml").write_text(folders)
    found = read(down)
    assert found["npulib"] == Commits(
        "npulib", ("npulib/worker/runner.py",), (), "both ends are folders: they have no history"
    )
    assert len(found["gpulib"].commits) == 1
