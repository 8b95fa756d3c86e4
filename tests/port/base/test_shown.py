from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gitrepos import git, make_repository, needs_git
from omni_port.base.diff import unified_diff
from omni_port.base.shown import quoted_name, safe_name, safe_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, and ü", "plain, and ü"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nerror: b", "a\\nerror: b"),
        ("a\u202eb", "a\\u202eb"),
        ("a\udcffb", "a\\udcffb"),
        ("a\x9bb\x07", "a\\x9bb\\x07"),
    ],
)
def test_names(text: str, shown: str) -> None:
    assert safe_name(text) == shown


def test_text_keeps_lines_and_colours() -> None:
    text = "\x1b[31m\x1b[1merror\x1b[0m:\n\tx"
    assert safe_text(text) == text
    assert safe_text("\x1b[8mhidden\r") == "\\x1b[8mhidden\\r"


def test_names_as_git_quotes_them() -> None:
    assert quoted_name("a b/ü.py") == "a b/ü.py"
    assert quoted_name('a"\n\\.py') == '"a\\"\\n\\\\.py"'
    assert quoted_name("\udcff") == '"\\377"'


@needs_git
@pytest.mark.parametrize(
    "name", ["a b.py", "a\nb.py", 'a"b.py', "a\\b.py", "a\tb.py", "ü.py", " x.py"]
)
def test_git_takes_the_patch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = make_repository(tmp_path / "repo")
    (folder / name).write_text("x = 1\n")
    git(folder, "add", "--all")
    monkeypatch.chdir(folder)
    patch = unified_diff("x = 1\n", "x = 2\n", name)
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True, cwd=folder)
    assert (folder / name).read_text() == "x = 2\n"
