"""The guide to the codemods says what they do."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_COMMANDS = sorted(
    path.stem
    for path in (_ROOT / "codemods/omni_codemods/commands").glob("*.py")
    if not path.stem.startswith("_")
)


def test_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = _ROOT / "docs/guide/codemods.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert not failed


def test_every_command_has_a_section() -> None:
    text = (_ROOT / "docs/guide/codemods.md").read_text(encoding="utf-8")
    assert [name for name in _COMMANDS if f"\n## {name}\n" not in text] == []


def test_every_command_is_listed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "libcst.tool", "list"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = sorted(line.partition(".")[0] for line in done.stdout.splitlines())
    assert names == _COMMANDS
