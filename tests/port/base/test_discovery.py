from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from omni_port.base.discovery import find_python_files


def build(root: Path, **texts: str) -> None:
    """Write files; in the names __ stands for a slash."""
    for name, text in texts.items():
        path = root / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(root: Path, *, exclude: Iterable[str] = ()) -> list[str]:
    paths = find_python_files([root], exclude=exclude)
    return [path.relative_to(root).as_posix() for path in paths]


def ignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")


def test_python_files_in_order(tmp_path: Path) -> None:
    build(tmp_path, b_py="", a__z_py="", a__b__c_py="", notes="", a__data_pyc="")
    assert found(tmp_path) == ["a/b/c.py", "a/z.py", "b.py"]


@pytest.mark.parametrize("folder", [".git", ".venv", "__pycache__", "node_modules"])
def test_never_entered(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "x.py").write_text("")
    assert found(tmp_path) == []


def test_gitignore(tmp_path: Path) -> None:
    build(tmp_path, keep_py="", gone_py="", build__x_py="", sub__build__y_py="", sub__gone_py="")
    ignore(tmp_path, "/build/", "gone.py")
    assert found(tmp_path) == ["keep.py", "sub/build/y.py"]


def test_a_deeper_gitignore_has_the_last_word(tmp_path: Path) -> None:
    build(tmp_path, a__gen_py="", b__gen_py="")
    ignore(tmp_path, "gen.py")
    ignore(tmp_path / "b", "!gen.py")
    assert found(tmp_path) == ["b/gen.py"]


def test_gitignore_above_counts_up_to_the_repository(tmp_path: Path) -> None:
    build(tmp_path, repo__pkg__x_py="", repo__pkg__gen_py="")
    (tmp_path / "repo" / ".git").mkdir()
    ignore(tmp_path, "x.py")
    ignore(tmp_path / "repo", "/pkg/gen.py")
    assert found(tmp_path / "repo" / "pkg") == ["x.py"]


def test_exclude_is_like_gitignore_and_last(tmp_path: Path) -> None:
    build(tmp_path, a__x_py="", b__x_py="", c_py="")
    ignore(tmp_path, "!c.py")
    assert found(tmp_path, exclude=["a/", "c.py"]) == ["b/x.py"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    build(tmp_path, out__x_py="", tree__y_py="")
    (tmp_path / "tree" / "link.py").symlink_to(tmp_path / "out" / "x.py")
    (tmp_path / "tree" / "folder").symlink_to(tmp_path / "out")
    assert found(tmp_path / "tree") == ["y.py"]


def test_a_named_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    build(tmp_path, script="", ignored_py="")
    ignore(tmp_path, "ignored.py")
    named = [tmp_path / "script", tmp_path / "ignored.py", tmp_path / "gone.py"]
    assert find_python_files(named) == named


def test_each_file_once(tmp_path: Path) -> None:
    build(tmp_path, a__x_py="")
    paths = find_python_files([tmp_path / "a" / "x.py", tmp_path, tmp_path / "a" / ".." / "a"])
    assert paths == [tmp_path / "a" / "x.py"]
