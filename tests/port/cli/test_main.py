from __future__ import annotations

import errno
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from commandline import Command, Ran
from omni_port import __version__
from omni_port.base.errors import ExitCode, InputError
from omni_port.cli import boundary
from omni_port.cli.console import want_colour
from omni_port.cli.main import COMMANDS, cli


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command(command: Command, option: str) -> None:
    ran = command(option)
    assert ran.code == 0
    assert all(name in ran.text for name in COMMANDS)


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(command: Command, option: str) -> None:
    assert command(option).text == f"omni-port {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_list_is_the_commands_own(name: str) -> None:
    lazy = COMMANDS[name]
    assert lazy.load().get_short_help_str(limit=200).startswith(lazy.short_help.rstrip(".")[:30])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(command: Command, name: str) -> None:
    ran = command(name, "--help")
    assert ran.code == 0
    assert ran.text.startswith(f"Usage: omni-port {name}")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from omni_port.cli import run; run(['--help']);"
        "print([m for m in ('libcst', 'git', 'jinja2', 'msgspec') if m in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"


def test_an_unknown_command_is_usage_with_a_suggestion(command: Command) -> None:
    ran = command("translat")
    assert ran.code == ExitCode.USAGE
    assert "translate" in ran.err
    assert ran.out == b""


def test_an_unknown_option_is_usage(command: Command) -> None:
    assert command("translate", "--nonsense", "x.py").code == ExitCode.USAGE


def test_quiet_and_verbose_exclude_each_other(command: Command) -> None:
    assert command("-q", "-v", "table", "check", "x").code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("choice", "environment", "wanted"),
    [
        ("auto", {}, None),
        ("auto", {"NO_COLOR": "1"}, False),
        ("auto", {"NO_COLOR": ""}, None),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(choice: str, environment: dict[str, str], wanted: bool | None) -> None:
    assert want_colour(choice, environment) is wanted


def raising(error: BaseException) -> Callable[..., object]:
    def main(*_args: object, **_options: object) -> object:
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (InputError("no", path="x.py", line=3, hint="do"), ExitCode.INPUT, "x.py:3: error: no"),
        (click.UsageError("bad"), ExitCode.USAGE, "bad"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "interrupted"),
        (click.Abort(), ExitCode.INTERRUPTED, "interrupted"),
        (ZeroDivisionError("oops"), ExitCode.BUG, "bug in omni-port"),
        (OSError(errno.ENOENT, "gone", "x.py"), ExitCode.BUG, "bug in omni-port"),
    ],
)
def test_the_boundary(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: ExitCode,
    says: str,
) -> None:
    monkeypatch.setattr(cli, "invoke", raising(error))
    assert boundary.run(["translate"]) == code
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.out == ""


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = "import sys; from omni_port.cli import run; sys.exit(run(['table', 'show']))"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read()
        code = process.wait()
    assert b"Traceback" not in err
    assert code in (ExitCode.DONE, ExitCode.INTERRUPTED)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["--help"], ["table", "show"]])
def test_a_full_disk_is_named_and_no_bug(arguments: list[str]) -> None:
    program = f"import sys; from omni_port.cli import run; sys.exit(run({arguments}))"
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", program]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == ExitCode.INPUT
    assert ran.stderr.startswith("error: the output cannot be written: No space left")
    assert "Traceback" not in ran.stderr


def test_without_a_stdout() -> None:
    program = "import sys; sys.stdout = None; from omni_port.cli import run; sys.exit(run(['-V']))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (ExitCode.DONE, b"")


def test_completion() -> None:
    environment = {**os.environ, "_OMNI_PORT_COMPLETE": "bash_source"}
    program = "from omni_port.__main__ import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert "_omni_port_completion" in ran.stdout


def test_the_hooks_run_and_say_what_they_find(command: Command, tmp_path: Path) -> None:
    hooks = (Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_text("utf-8")
    entries = [shlex.split(entry) for entry in re.findall(r"^  entry: (.*)$", hooks, re.MULTILINE)]
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("# ---- Omni-new ----\nx = 1\n")
    assert len(entries) == 3
    for entry in entries:
        assert entry[0] == "omni-port"
        assert command(*entry[1:], "plain.py").code == ExitCode.DONE
    assert [command(*entry[1:], "broken.py").code for entry in entries] == [1, 0, 1]


GPU = b"import torch\n\ntorch.cuda.synchronize()\n"


@pytest.mark.parametrize("before", [True, False])
def test_shared_options_hold_before_and_after_the_command(command: Command, before: bool) -> None:
    def ran(*shared: str) -> Ran:
        words = ("translate", "--diff", "-")
        return command(*((*shared, *words) if before else (*words, *shared)), stdin=GPU)

    assert "1 name translated" in ran().err
    assert ran("-q").err == ""
    assert "\x1b[31m-torch.cuda" in ran("--color", "always").text
    assert "\x1b" not in ran("--color", "never").text
    assert ran("-v").code == ExitCode.DONE


def test_quiet_here_and_verbose_there_exclude_each_other(command: Command) -> None:
    assert command("-v", "table", "show", "-q").code == ExitCode.USAGE
    assert command("table", "show", "-q", "-v").code == ExitCode.USAGE
