from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port import revisions
from omni_port.revisions.process import Git, make_environment

pytestmark = needs_git


def hostile(folder: Path, ran: Path, *, how: str) -> None:
    """Let the checkout's own configuration name a program, and make git want to run it."""
    (folder / ".gitattributes").write_text("*.py filter=evil\n")
    git(folder, "config", f"filter.evil.{how}", f"touch {ran}; cat")
    git(folder, "config", "filter.evil.required", "true")
    for path in folder.glob("*.py"):
        os.utime(path, (1, 1))


@pytest.mark.parametrize("how", ["clean", "process", "smudge"])
def test_a_filter_of_the_checkout_does_not_run(tmp_path: Path, how: str) -> None:
    folder = make_repository(tmp_path / "repo")
    commit(folder, {"a.py": "x = 1\n"})
    hostile(folder, tmp_path / "ran", how=how)
    found = revisions.checkout_of(folder)
    assert found is not None
    assert "a.py" not in found.changed
    assert not (tmp_path / "ran").exists()


def test_nor_does_that_of_a_submodule(tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner")
    commit(inner, {"a.py": "x = 1\n"})
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(inner), "sub")
    commit(outer, {"b.py": "x = 1\n"})
    hostile(outer / "sub", tmp_path / "ran", how="clean")
    revisions.checkout_of(outer)
    assert not (tmp_path / "ran").exists()


def test_a_filter_of_the_user_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "repo")
    commit(folder, {"a.py": "x = 1\n"})
    config = tmp_path / "config"
    config.write_text(f'[filter "evil"]\n  clean = touch {tmp_path / "mine"} && cat\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    hostile(folder, tmp_path / "ran", how="clean")
    revisions.checkout_of(folder)
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["$HOME", "~", "a b", 'q"uote'])
def test_a_folder_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = make_repository(tmp_path / name)
    commit(folder, {"a.py": "x = 1\n"})
    monkeypatch.chdir(tmp_path)
    with revisions.open_tree(f"./{name}", "HEAD") as tree:
        assert tree.read("a.py") == b"x = 1\n"


def test_the_own_environment_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    before = dict(os.environ)
    environment = make_environment()
    assert "GIT_DIR" not in environment
    assert environment["GIT_OPTIONAL_LOCKS"] == "0"
    assert "GIT_OPTIONAL_LOCKS" not in make_environment(writes=True)
    assert dict(os.environ) == before


def test_an_object_that_is_not_there(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "repo")
    commit(folder, {"a.py": "x = 1\n"})
    one = Git(str(folder))
    assert one.read_object("HEAD:gone") is None
    assert one.read_object("HEAD:a.py") == b"x = 1\n"
    one.close()
    assert one.read_object("HEAD:a.py") == b"x = 1\n"
    one.close()


def test_git_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert make_environment()["LC_ALL"] == "C"
    assert isinstance(Git(str(tmp_path)).run("--version").text, str)
    assert subprocess.run(["git", "--version"], check=True).returncode == 0
