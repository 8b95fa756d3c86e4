from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.demo import STEPS
from omni_port.project.project import require_project


def test_every_step_is_shown_with_what_it_gives(command: Command) -> None:
    ran = command("demo")
    assert ran.code == ExitCode.DONE
    for said, line in STEPS:
        assert f"# {said}\n$ omni-port {line}\n" in ran.text
    assert "+import torch_npu" in ran.text or "torch.npu" in ran.text
    assert "<<<<<<< local" in ran.text


def test_nothing_is_left_behind(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path.cwd()
    monkeypatch.setattr(tempfile, "tempdir", str(here))
    command("demo")
    assert Path.cwd() == here
    assert list(here.iterdir()) == []


def test_a_folder_of_ones_own_keeps_the_world(command: Command) -> None:
    assert command("demo", "play").code == ExitCode.DONE
    assert len(require_project(Path("play")).ports) == 2
    assert not Path("play/.omni-port").exists()
    again = command("demo", "play")
    assert again.code == ExitCode.USAGE
    assert "is not empty" in again.err
