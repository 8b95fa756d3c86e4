from __future__ import annotations

from pathlib import Path

from followed import LOCAL
from gitrepos import commit, git
from omni_port.survey.neighbours import find_neighbours


def found(world: Path, *sources: str) -> dict[str, tuple[str, str | None]]:
    upstreams = find_neighbours(world / "down", iter([s.encode() for s in sources]))
    return {one.name: (one.target, one.repository) for one in upstreams}


def test_checkouts_whose_packages_are_imported(world: Path) -> None:
    assert found(world, LOCAL) == {"npulib": ("v3", "../npulib")}
    assert found(world, LOCAL, "    import gpulib.runner as g\n") == {
        "gpulib": ("v2", "../gpulib"),
        "npulib": ("v3", "../npulib"),
    }


def test_nothing_imported_nothing_followed(world: Path) -> None:
    assert found(world, "import os\nfrom down import x\n") == {}


def test_a_checkout_at_no_tag_stands_at_a_commit(world: Path) -> None:
    sha = commit(world / "npulib", {"x.py": ""})
    assert found(world, LOCAL) == {"npulib": (sha[:12], "../npulib")}


def test_a_folder_that_is_no_checkout_is_none(world: Path) -> None:
    (world / "npulib" / ".git").rename(world / "hidden")
    assert found(world, LOCAL) == {}


def test_a_checkout_that_git_cannot_read_is_left_out(world: Path) -> None:
    (world / "npulib" / ".git" / "HEAD").write_text("nonsense")
    assert found(world, LOCAL) == {}


def test_a_name_that_toml_would_not_take(world: Path) -> None:
    (world / "npulib").rename(world / "my npulib")
    assert found(world, LOCAL) == {"my-npulib": ("v3", "../my npulib")}
    assert git(world / "my npulib", "status", "--short") == ""
