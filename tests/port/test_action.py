"""The GitHub Action: held to the runner's rules, and its script run as the runner does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from omni_port.cli.main import COMMANDS
from omni_port.upgrade.finish import write_report
from omni_port.upgrade.run import UpgradeOptions, run_upgrade
from worlds import make_world, world_project

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "action.yml").read_text("utf-8")
ACTION = yaml.safe_load(TEXT)
STEPS = ACTION["runs"]["steps"]


def test_it_is_a_composite_action_whose_steps_are_whole() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert ("uses" in step) != ("run" in step)
        assert ("run" in step) == ("shell" in step)


def test_every_input_is_described_and_used() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", TEXT))
    assert used == set(ACTION["inputs"])
    assert all(one["description"] and "default" in one for one in ACTION["inputs"].values())


def test_no_input_is_text_of_a_script() -> None:
    assert not [step for step in STEPS if "${{" in step.get("run", "")]


def test_its_command_is_one_of_ours() -> None:
    assert ACTION["inputs"]["command"]["default"] in COMMANDS


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("local/batch_patch.py", 0, ""),
        ("'broken file.py'", 1, "::error file=broken file.py,title=OP601,line=1"),
        ("local/batch_patch.py; touch hacked", 4, ""),
        ("$(touch hacked)", 4, ""),
    ],
)
def test_the_script_runs_and_gives_the_exit_code(
    tmp_path: Path, arguments: str, code: int, said: str
) -> None:
    world = make_world(tmp_path / "world")
    (world / "broken file.py").write_text("x = = 1\n")
    script = next(step["run"] for step in STEPS if step.get("id") == "run")
    tools = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=world,
        env={
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "COMMAND": "check",
            "ARGUMENTS": arguments,
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, (tmp_path / "output").read_text()) == (code, f"exit-code={code}\n")
    assert said in ran.stdout
    assert not (world / "hacked").exists()


def run_review(root: Path, folder: Path) -> tuple[int, str]:
    script = next(step["run"] for step in STEPS if step.get("id") == "review")
    tools = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=root,
        env={
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
        },
        check=False,
    )
    return ran.returncode, (folder / "output").read_text()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_review_is_a_page_and_a_text(tmp_path: Path) -> None:
    project = world_project(tmp_path / "world")
    write_report(run_upgrade(project, UpgradeOptions()))
    page, text = (tmp_path / f"omni-port-review.{suffix}" for suffix in ("html", "md"))
    assert run_review(project.root, tmp_path) == (0, f"page={page}\ntext={text}\n")
    assert page.read_text().startswith("<!doctype html>")
    assert text.read_text().startswith("# ascend upstream-1 to upstream-2\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_without_an_upgrade_the_text_is_the_plan(tmp_path: Path) -> None:
    root = make_world(tmp_path / "world")
    text = tmp_path / "omni-port-review.md"
    assert run_review(root, tmp_path) == (0, f"text={text}\n")
    assert "## Inventory" in text.read_text()
