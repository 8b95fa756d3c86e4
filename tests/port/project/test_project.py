from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from omni_port.base.errors import ConfigurationError, UsageError
from omni_port.project.project import (
    Port,
    Project,
    Settings,
    choose_ports,
    load_settings,
    require_project,
)


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
        ('dialekt = "npu"', "dialekt", "did you mean dialect"),
        ("wholly-unlike = 1", "wholly-unlike", "known: target, dialect, tables, exclude"),
        ("tables = 1", "$.tables", "as a list"),
        ("target = ", "omni-port.toml", "mend the TOML"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, text: str, says: str, hint: str) -> None:
    (folder / "omni-port.toml").write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(folder)
    assert says in f"{caught.value.path}: {caught.value.message}"
    assert hint in caught.value.hint


PROJECT = """\
[upstream.up]
repository = "../up"
current = "v1"
target = "v2"

[upstream.folders]
target = "old/../new"

[siblings]
repository = "."
current = "r1"

[[port]]
local = "pkg/a.py::A"
upstream = "up:u.py::U"
sibling = "pkg/g.py::G"

[[port]]
local = "pkg/a.py::A.run"
upstream = "folders:u.py::U.walk"

[[port]]
local = "pkg/b.py::run"
upstream = "up:u.py::run"
methods = ["run"]
"""


def project(folder: Path, text: str = PROJECT) -> Project:
    (folder / "omni-port.toml").write_text(text)
    return require_project(folder)


def names(ports: Iterable[Port]) -> list[str]:
    return [port.name for port in ports]


def test_places_at_both_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "a")
    one = project(folder)
    first, second, _ = one.ports
    assert str(one.local(first.local)) == "../pkg/a.py::A"
    assert str(one.at(first.upstream, "current")) == "../../up@v1:u.py::U"
    assert str(one.at(first.upstream, "target")) == "../../up@v2:u.py::U"
    assert str(one.at(first.upstream, "current", "v0")) == "../../up@v0:u.py::U"
    assert str(one.at(second.upstream, "target")) == "../new/u.py::U.walk"
    assert first.sibling is not None
    assert str(one.at(first.sibling, "current")) == "..@r1:pkg/g.py::G"
    assert str(one.at(first.sibling, "target")) == "../pkg/g.py::G"
    assert str(one.tree("up", "target")) == "../../up@v2:."
    assert str(one.tree("folders", "target")) == "../new"
    assert str(one.tree(None, "target")) == ".."


def test_an_end_that_is_not_configured_is_named(folder: Path) -> None:
    one = project(folder)
    with pytest.raises(ConfigurationError, match=r"\[upstream.folders\] says no 'current'"):
        one.at(one.ports[1].upstream, "current")
    with pytest.raises(ConfigurationError, match=r"\[upstream.folders\] says no 'current'"):
        one.tree("folders", "current")
    alone = project(folder, PROJECT.replace('[siblings]\nrepository = "."\ncurrent = "r1"\n', ""))
    sibling = alone.ports[0].sibling
    assert sibling is not None
    with pytest.raises(ConfigurationError, match=r"\[siblings\] says no 'current'"):
        alone.at(sibling, "current")


def test_ports_are_chosen_by_name_and_method(folder: Path) -> None:
    one = project(folder)
    assert names(choose_ports(one)) == ["A", "A.run", "run"]
    assert names(choose_ports(one, names=["A"])) == ["A", "A.run"]
    assert names(choose_ports(one, names=["A.run"])) == ["A.run"]
    assert names(choose_ports(one, method="stop")) == ["A", "A.run"]
    with pytest.raises(UsageError) as caught:
        list(choose_ports(one, names=["A.runn"]))
    assert caught.value.hint == "did you mean A.run or run?"


@pytest.mark.parametrize(
    ("old", "new", "says", "hint"),
    [
        ('up:u.py::U"', 'upp:u.py::U"', "$.port[0].upstream", "upstreams: up, folders"),
        ('up:u.py::U"', 'u.py::U"', "$.port[0].upstream", "NAME:PATH::QUALNAME"),
        ('up:u.py::U"', 'up:u.py"', "$.port[0].upstream", "after the path"),
        ('pkg/a.py::A"', 'pkg/a.py"', "$.port[0].local", "after the path"),
        ('pkg/a.py::A"', 'x@v1:pkg/a.py::A"', "$.port[0].local", "after the path"),
        ('pkg/a.py::A"', 'pkg/a.py::1"', "$.port[0].local", "an address is"),
        ("pkg/g.py::G", "pkg/g.py::", "$.port[0].sibling", "an address is"),
        ("pkg/b.py::run", "pkg/a.py::A.run", "$.port[2].local", "PATH::CLASS.METHOD"),
    ],
)
def test_a_place_that_is_none_says_which(
    folder: Path, old: str, new: str, says: str, hint: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        project(folder, PROJECT.replace(old, new, 1))
    assert says in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.path.endswith("omni-port.toml")


def test_a_port_that_is_not_there_is_no_error_before_it_is_used(folder: Path) -> None:
    assert len(project(folder).ports) == 3


def test_without_ports_or_a_file_init_is_named(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no omni-port\.toml here") as caught:
        require_project(folder)
    assert "omni-port init" in caught.value.hint
    with pytest.raises(ConfigurationError, match="names no port") as caught:
        project(folder, 'target = "x"\n')
    assert "omni-port init" in caught.value.hint
