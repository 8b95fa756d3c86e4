"""What drift, blocks and provenance say of a project, without arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from worlds import PATCH, RUNNER, make_world


@pytest.fixture
def root(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_world(tmp_path / "world")
    monkeypatch.chdir(folder)
    return folder


def test_drift_has_a_line_a_port_and_all_with_v(command: Command, root: Path) -> None:
    ran = command("drift")
    assert ran.code == ExitCode.DONE
    (line,) = ran.text.splitlines()
    assert line.startswith("OmniNPUModelRunner < OmniGPUModelRunner: ")
    assert "differs" in line
    assert "execute_model" in command("-v", "drift").text


def test_drift_against_a_baseline(command: Command, root: Path) -> None:
    assert command("drift", "--check", "--baseline=known.json").code == ExitCode.WOULD_CHANGE
    command("drift", "--write-baseline", "--baseline=known.json")
    assert (root / "known.json").is_file()
    ran = command("drift", "--check", "--baseline=known.json")
    assert (ran.code, "0 not in the baseline" in ran.text) == (ExitCode.DONE, True)


def test_blocks_has_a_line_a_file_and_all_with_v(command: Command, root: Path) -> None:
    assert command("blocks").text == f"{RUNNER}: 16 blocks\n{PATCH}: 2 blocks\n"
    assert "Omni-new" in command("-v", "blocks").text


def test_provenance_has_a_line_a_port(command: Command, root: Path) -> None:
    ran = command("provenance")
    assert ran.code == ExitCode.DONE
    assert ran.text.startswith("OmniNPUModelRunner: 5 nearest to upstream-1/npu_runner.py")
    assert "execute_model" in command("-v", "provenance").text


@pytest.mark.parametrize(
    "arguments",
    [
        ("drift", "--local", f"{RUNNER}::OmniNPUModelRunner"),
        ("drift", "--format=json"),
        ("provenance", "--local", RUNNER),
        ("provenance", "--tags"),
    ],
)
def test_half_of_the_arguments_is_said(
    command: Command, root: Path, arguments: tuple[str, ...]
) -> None:
    assert command(*arguments).code == ExitCode.USAGE


@pytest.mark.parametrize("name", ["drift", "blocks", "provenance"])
def test_outside_of_a_project_it_is_said(command: Command, name: str) -> None:
    assert command(name).code == ExitCode.USAGE
