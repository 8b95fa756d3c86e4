from __future__ import annotations

from pathlib import Path

from followed import LOCAL
from gitrepos import commit, git, make_repository, needs_git
from omni_port.survey.search import index_project
from omni_port.survey.step import find_step

PATH = "down/npu/npu_runner.py"


def test_the_first_of_the_tags_at_which_the_copies_are_as_now(world: Path) -> None:
    down = world / "down"
    commit(down, {"other.py": "x = 1\n"}, date="2026-02-01T00:00:00Z")
    git(down, "tag", "r2")
    commit(down, {PATH: LOCAL + "\n\nX = 1\n"}, date="2026-03-01T00:00:00Z")
    git(down, "tag", "r3")
    (down / PATH).write_text(LOCAL)
    found = find_step(index_project(down, [], []), [PATH])
    assert (found.current, found.guessed) == ("r1", True)
    assert "they are the same" in found.how


def test_the_nearest_tag(world: Path) -> None:
    down = world / "down"
    commit(down, {PATH: LOCAL + "\n\nX = 1\n"}, date="2026-03-01T00:00:00Z")
    git(down, "tag", "r2")
    (down / PATH).write_text(LOCAL + "\n\nX = 1\nY = 2\n")
    found = find_step(index_project(down, [], []), [PATH])
    assert found.current == "r2"
    assert "1 line differs" in found.how


def test_a_tag_that_has_not_all_of_the_files_does_not_count(world: Path) -> None:
    down = world / "down"
    commit(down, {"down/npu/second.py": "x = 1\n"}, date="2026-03-01T00:00:00Z")
    git(down, "tag", "r2")
    found = find_step(index_project(down, [], []), [PATH, "down/npu/second.py"])
    assert found.current == "r2"


def test_without_tags_the_last_commit_that_changed_a_copy(world: Path) -> None:
    down = world / "down"
    git(down, "tag", "-d", "r1")
    sha = git(down, "rev-parse", "HEAD")
    commit(down, {"other.py": "x = 1\n"})
    found = find_step(index_project(down, [], []), [PATH])
    assert found.current == sha[:12]
    assert "last commit" in found.how


@needs_git
def test_what_git_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    index = index_project(tmp_path, [], [])
    found = find_step(index, ["a.py"])
    assert (found.current, "no git repository" in found.how) == (None, True)
    make_repository(tmp_path)
    commit(tmp_path, {"b.py": "y = 1\n"})
    git(tmp_path, "rm", "-q", "--cached", "a.py")
    found = find_step(index, ["c.py"]) if "c.py" in index.data else find_step(index, [])
    assert found.current is None
