from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.errors import ConfigurationError
from omni_port.project import Settings, load_settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    return tmp_path


def test_without_configuration(folder: Path) -> None:
    assert load_settings(folder / "a" / "b") == Settings()


def test_the_nearest_one_counts_whole(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.omni-port]\ntarget = "1"\ndialect = "npu"\n')
    (folder / "a" / "omni-port.toml").write_text('target = "2"\n')
    assert load_settings(folder / "a" / "b") == Settings(target="2")
    assert load_settings(folder) == Settings(target="1", dialect="npu")


def test_a_pyproject_of_other_tools_does_not_count(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.omni-port]\ntarget = "1"\n')
    (folder / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load_settings(folder / "a").target == "1"


def test_nothing_outside_of_the_repository(folder: Path) -> None:
    (folder / "omni-port.toml").write_text('target = "1"\n')
    (folder / "a" / ".git").mkdir()
    assert load_settings(folder / "a" / "b") == Settings()


def test_tables_are_relative_to_the_file(folder: Path) -> None:
    (folder / "omni-port.toml").write_text('tables = ["t/own.toml"]\n')
    assert load_settings(folder / "a").tables == (str(folder / "t" / "own.toml"),)


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ('dialekt = "npu"', "dialekt", "did you mean 'dialect'"),
        ("wholly-unlike = 1", "wholly-unlike", "known: target, dialect, tables, exclude"),
        ("tables = 1", "$.tables", "known"),
        ("target = ", "omni-port.toml", "mend the TOML"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, text: str, says: str, hint: str) -> None:
    (folder / "omni-port.toml").write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(folder)
    assert says in f"{caught.value.path}: {caught.value.message}"
    assert hint in caught.value.hint
