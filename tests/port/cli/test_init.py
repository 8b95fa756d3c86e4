from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from commandline import Command
from followed import make_project, make_upstreams
from gitrepos import git
from omni_port.base.errors import ExitCode
from omni_port.project.project import require_project


@pytest.fixture
def down(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    folder = make_project(tmp_path)
    monkeypatch.chdir(folder)
    return folder


INIT = ("init", "--upstream", "npulib=../npulib@v3", "--upstream", "gpulib=../gpulib@v2")


def test_it_writes_one_file_in_the_root(
    command: Command, down: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(down / "down" / "npu")
    ran = command("init")
    assert (ran.code, ran.out) == (ExitCode.DONE, b"")
    assert git(down, "status", "--short") == "?? omni-port.toml"
    assert "1 port\n" in ran.err
    assert "omni-port.toml: written; read what is marked as guessed" in ran.err
    (port,) = require_project(down).ports
    assert port.name == "DownNPURunner"
    assert (
        "# guessed: the tag that the checkout beside this one"
        in (down / "omni-port.toml").read_text()
    )


def test_then_a_method_needs_nothing_else(command: Command, down: Path) -> None:
    command(*INIT)
    ran = command("rebase-method", "--method", "execute", "--diff")
    assert ran.code == ExitCode.DONE
    assert "+        self.events.record(batch, kind='forward', at=self.clock())" in ran.text
    assert "-        self.talk(hidden)" not in ran.text


def test_dry_run_prints_the_file_and_writes_nothing(command: Command, down: Path) -> None:
    ran = command(*INIT, "-n", "--siblings", "r1")
    assert ran.code == ExitCode.DONE
    assert 'current = "r1"  # as given\n' in ran.text
    assert git(down, "status", "--short") == ""


def test_siblings_that_are_of_no_use_are_told(command: Command, down: Path) -> None:
    assert "was not used" not in command(*INIT, "-n", "--siblings", "r1").err
    (down / "down" / "gpu_runner.py").unlink()
    ran = command(*INIT, "-n", "--siblings", "r1")
    assert "--siblings r1 was not used: no GPU sibling of a port was found\n" in ran.err
    assert "[siblings]" not in ran.text


def test_diff(command: Command, down: Path) -> None:
    command(*INIT)
    before = (down / "omni-port.toml").read_text()
    assert command(*INIT, "--diff").out == b""
    ran = command("init", "--upstream", "npulib=../npulib@v2", *INIT[3:], "--diff")
    assert '-target = "v3"\n+target = "v2"\n' in ran.text
    assert (down / "omni-port.toml").read_text() == before


def test_it_does_not_write_over_a_file(command: Command, down: Path) -> None:
    (down / "omni-port.toml").write_text('target = "x==1"\n')
    ran = command(*INIT)
    assert ran.code == ExitCode.USAGE
    assert "omni-port.toml: error: is there already" in ran.err
    assert "--force" in ran.err
    assert (down / "omni-port.toml").read_text() == 'target = "x==1"\n'
    assert command(*INIT, "--force").code == ExitCode.DONE
    assert require_project(down).settings.target == "x==1"


def test_it_does_not_hide_a_configuration_elsewhere(command: Command, down: Path) -> None:
    (down / "pyproject.toml").write_text('[tool.omni-port]\ndialect = "npu"\n')
    ran = command(*INIT)
    assert ran.code == ExitCode.USAGE
    assert "pyproject.toml: error: configures omni-port already" in ran.err
    assert not (down / "omni-port.toml").exists()
    assert command(*INIT, "--force").code == ExitCode.DONE
    assert require_project(down).settings.dialect == "npu"


def test_another_file(command: Command, down: Path) -> None:
    assert command(*INIT, "-o", "ports.toml").code == ExitCode.DONE
    assert "[[port]]" in (down / "ports.toml").read_text()
    assert "it belongs there" not in command(*INIT, "-o", "other.toml").err
    assert "it belongs there" in command(*INIT, "-o", "down/other.toml").err
    assert not (down / "omni-port.toml").exists()


def test_where_nothing_is_found_nothing_is_written(command: Command, down: Path) -> None:
    ran = command("init", "down/gpu_runner.py", "--upstream", "npulib=../npulib@v3")
    assert (ran.code, ran.out) == (ExitCode.PERSON, b"")
    assert "no port was found, and nothing was written" in ran.err
    assert git(down, "status", "--short") == ""


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--upstream", "npulib"], ExitCode.USAGE, "does not start with NAME="),
        (["--upstream", "npulib=../npulib@v9"], ExitCode.INPUT, "unknown revision 'v9'"),
        (["--upstream", "npulib=../gone@v1"], ExitCode.INPUT, "is not a git repository"),
        (["gone.py"], ExitCode.USAGE, "does not exist"),
    ],
)
def test_what_is_wrong_is_said(
    command: Command, down: Path, arguments: list[str], code: ExitCode, says: str
) -> None:
    ran = command("init", *arguments)
    assert ran.code == code
    assert says in ran.err
    assert git(down, "status", "--short") == ""
