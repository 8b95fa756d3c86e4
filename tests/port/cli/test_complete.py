from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from omni_port.cli.main import COMMANDS, cli
from worlds import make_world


def proposed(*words: str) -> list[str]:
    shell = ShellComplete(cli, {}, "omni-port", "_OMNI_PORT_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_world(tmp_path / "world")
    monkeypatch.chdir(root)
    return root


def test_commands(world: Path) -> None:
    assert set(proposed("")) == set(COMMANDS)
    assert proposed("re") == ["review", "rebase-method"]
    assert "--version" in proposed("--v")


@pytest.mark.parametrize("command", ["rebase-method", "sync-method"])
def test_methods_and_classes_of_the_project(world: Path, command: str) -> None:
    found = proposed(command, "--method", "")
    assert {"load_model", "execute_model", "_build_batch"} <= set(found)
    assert len(found) == len(set(found))
    assert proposed(command, "--method", "load") == ["load_model"]
    assert proposed(command, "--class", "Omni") == ["OmniNPUModelRunner"]


def test_codes_rules_and_outcomes(world: Path) -> None:
    assert proposed("explain", "OP20") == ["OP201", "OP202", *proposed("explain", "OP20")[2:]]
    assert "orphan" in proposed("explain", "or")
    assert "seam-gone=" in proposed("upgrade", "--override", "seam")


def test_questions(world: Path) -> None:
    hunk = "<<<<<<< l\na()\n||||||| b\nb()\n=======\nc()\n>>>>>>> t\n"
    runner = world / "local" / "omni_npu_runner.py"
    runner.write_text(runner.read_text() + hunk)
    assert proposed("decide", "1") == ["1"]
    assert proposed("decide", "local/")[0].startswith("local/omni_npu_runner.py:")


def test_outside_of_a_project_nothing_is_proposed_and_nothing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert proposed("rebase-method", "--method", "") == []
    assert proposed("decide", "") == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_each_shell(shell: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "from omni_port.__main__ import main; main()"],
        env={"_OMNI_PORT_COMPLETE": f"{shell}_source", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    if shell == "bash" and "not supported" in ran.stderr:
        pytest.skip("bash is too old here")
    assert "_OMNI_PORT_COMPLETE" in ran.stdout
    assert "omni-port" in ran.stdout
