from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

TIDY = """\
class Omni:
    def run(self, x):
        # ---- Omni-new ----
        self.talk(x)
        self.talk(x)
        # ---- Omni-new ----
        y = f(x, mode=1)  # Omni-new: the mode
        # ### PATCH START: send | keep
        if y:
            self.send(y)
        # ### PATCH END
        return y
"""
BROKEN = "def run(x):\n    # ---- Omni-new ----\n    return x\n"
PLAIN = "# -----------------\n# A heading\n# -----------------\nx = 1\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("tidy", TIDY), ("broken", BROKEN), ("plain", PLAIN)):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def test_text(command: Command, files: Path) -> None:
    ran = command("blocks", "tidy.py")
    assert ran.code == ExitCode.DONE
    first, summary, *_ = ran.text.split("\n")
    assert first == "tidy.py:3: Omni.run  lines 3-6 (2 lines of code)  omni-new block"
    assert summary.strip() == "self.talk(x)"
    assert "lines 7 (1 line of code)  note line  the mode" in ran.text
    assert "3 blocks in 1 file, 0 files with a broken fence" in ran.err


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_terminal_obeys_nothing_in_a_file(command: Command, files: Path, form: str) -> None:
    fence = "    # ---- Omni-new: \x1b[2J\u202e ----\n"
    (files / "a\x1b[8mb.py").write_text(f"def run(x):\n{fence}    x()\n{fence}")
    ran = command("blocks", "--format", form, ".")
    assert ran.code == ExitCode.DONE
    assert not {"\x1b", "\u202e"} & set(ran.text + ran.err)
    assert "a\\x1b[8mb.py" in ran.text


def test_json_keeps_to_its_schema(command: Command, files: Path) -> None:
    ran = command("blocks", "--format", "json", ".")
    document = json.loads(ran.text)
    jsonschema.validate(document, load_schema("blocks"))
    held = {file["path"]: len(file["blocks"]) for file in document["files"]}
    assert held == {"broken.py": 0, "plain.py": 0, "tidy.py": 3}
    assert [f["code"] for f in document["files"][0]["findings"]] == ["OP201"]
    assert document["files"][2]["blocks"][2]["label"] == "send | keep"


def test_markdown_is_a_table(command: Command, files: Path) -> None:
    lines = command("blocks", "--format", "markdown", "tidy.py").text.rstrip("\n").split("\n")
    assert lines[0] == "## `tidy.py`"
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 5
    assert r"| send \| keep | `if y:` |" in table[4]


def test_a_heading_of_dashes_is_no_block(command: Command, files: Path) -> None:
    ran = command("blocks", "plain.py")
    assert ran.out == b""
    assert ran.code == ExitCode.DONE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("tidy.py", "plain.py"), ExitCode.DONE),
        (("broken.py",), ExitCode.WOULD_CHANGE),
        ((".",), ExitCode.WOULD_CHANGE),
        (("gone.py", "broken.py"), ExitCode.INPUT),
    ],
)
def test_check(command: Command, files: Path, arguments: tuple[str, ...], code: ExitCode) -> None:
    assert command("blocks", "--check", *arguments).code == code


def test_without_check_a_broken_fence_is_shown_and_that_is_all(
    command: Command, files: Path
) -> None:
    ran = command("blocks", "broken.py")
    assert ran.code == ExitCode.DONE
    assert "broken.py:2:5: error: OP201" in ran.text


def test_one_bad_file_stops_no_other(command: Command, files: Path) -> None:
    (files / "a.py").write_bytes(b"x = '\xff'\n")
    ran = command("blocks", ".")
    assert ran.code == ExitCode.INPUT
    assert "a.py:1: error: not utf-8" in ran.err
    assert "tidy.py:3" in ran.text


BASE = """\
class Up:
    def run(self, x):
        y = f(x)
        self.note(y)
        return y
"""
FORGOTTEN = """\
class Omni:
    def run(self, x):
        # ---- Omni-new ----
        self.talk(x)
        y = f(x)
        self.note(y)
        # ---- Omni-new ----
        return y
"""


@pytest.mark.parametrize("base", ["base.py", "base.py::Up", "base.py::Up.run"])
def test_a_forgotten_fence_shows_against_the_base(command: Command, files: Path, base: str) -> None:
    (files / "base.py").write_text(BASE)
    (files / "forgotten.py").write_text(FORGOTTEN)
    assert command("blocks", "--check", "forgotten.py").code == ExitCode.DONE
    ran = command("blocks", "--check", "--base", base, "forgotten.py")
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "forgotten.py:5:9: warning: OP205" in ran.text
    assert "lines 5-6" in ran.text
    assert command("blocks", "--check", "--base", base, "tidy.py").code == ExitCode.DONE


def test_a_base_that_is_not_there(command: Command, files: Path) -> None:
    assert command("blocks", "--base", "gone.py", "tidy.py").code == ExitCode.INPUT


def test_the_project_says_what_the_base_is(command: Command, files: Path) -> None:
    (files / "up").mkdir()
    (files / "up" / "base.py").write_text(BASE)
    (files / "forgotten.py").write_text(FORGOTTEN)
    (files / "omni-port.toml").write_text(
        '[upstream.up]\ncurrent = "up"\ntarget = "up"\n\n'
        '[[port]]\nlocal = "forgotten.py::Omni"\nupstream = "up:base.py::Up"\n'
    )
    ran = command("blocks", "--check", "forgotten.py")
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "OP205" in ran.text
    assert "OP205" not in command("blocks", "forgotten.py").text
