from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.identity import freeze_identity
from omni_port.project.project import Project, require_project
from omni_port.upgrade.phases import Phase, Status
from omni_port.upgrade.planned import make_key, path_inside, plan_phases
from worlds import RUNNER, make_world


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return require_project(make_world(tmp_path))


def key(project: Project) -> str:
    again = require_project(project.root)
    return make_key(again, freeze_identity(again))


def test_the_four_phases_and_their_evidence(project: Project) -> None:
    planned = plan_phases(project, [RUNNER])
    assert [record.phase for record in planned.records] == list(Phase)[:4]
    assert planned.passed
    assert planned.stop == ""
    inventory = planned.records[1].evidence[0]
    assert inventory.startswith("6 copied functions in 2 ports, 16 blocks")
    assert planned.document.changes
    assert planned.markdown.startswith("## Gate: PASS")


def test_a_stop_names_the_rule_and_the_decision(project: Project) -> None:
    target = project.root / "upstream-2" / "npu_runner.py"
    target.write_text(target.read_text().replace("class NPUModelRunner", "class OtherRunner"))
    planned = plan_phases(project, [RUNNER])
    gate = planned.records[-1]
    assert gate.status is Status.STOPPED
    assert gate.blocker == "upstream-class-gone"
    assert gate.next_action
    assert not planned.passed
    allowed = plan_phases(project, [RUNNER], [("upstream-class-gone", "we know")])
    assert allowed.passed
    assert "upstream-class-gone overridden: we know" in allowed.records[-1].evidence


def test_the_key_is_what_the_upgrade_is_about(project: Project) -> None:
    first = key(project)
    runner = project.root / RUNNER
    runner.write_text(runner.read_text() + "# work\n")
    config = project.root / "omni-port.toml"
    text = config.read_text()
    config.write_text(text + '\n[[gate.override]]\nrule = "seam-gone"\nreason = "x"\n')
    assert key(project) == first
    config.write_text(text + "\n# a comment\n")
    assert key(project) == first
    config.write_text(text.replace('target = "upstream-2"', 'target = "upstream-1"'))
    assert key(project) != first
    config.write_text(text.replace('sibling = "gpu_runner.py::OmniGPUModelRunner"\n', ""))
    assert key(project) != first


def test_paths_as_git_spells_them(tmp_path: Path) -> None:
    real = tmp_path / "real" / "sub"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    checkout, root = str(tmp_path / "real"), tmp_path / "link" / "sub"
    assert path_inside(checkout, root, "a.py") == "sub/a.py"
    (real / "linked.py").symlink_to(tmp_path / "elsewhere.py")
    assert path_inside(checkout, root, "linked.py") == "sub/linked.py"
