from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port.base.errors import RevisionError
from omni_port.revisions import commit_paths

pytestmark = needs_git


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = make_repository(tmp_path / "repo")
    git(folder, "config", "user.name", "Ann Other")
    git(folder, "config", "user.email", "ann@example.org")
    commit(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n", "pkg/c.py": "c = 1\n"})
    return folder


def hook(repo: Path, name: str, script: str) -> None:
    path = repo / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_exactly_these_paths_signed_off(repo: Path) -> None:
    (repo / "a.py").write_text("a = 2\n")
    (repo / "b.py").write_text("b = 2\n")
    git(repo, "add", "b.py")
    (repo / "pkg" / "c.py").write_text("c = 2\n")
    sha = commit_paths(repo / "pkg", ["a.py"], "Carry a\n\n# not a comment\nWhy.")
    assert sha == git(repo, "rev-parse", "HEAD")
    assert git(repo, "show", "--format=", "--name-only", "HEAD") == "a.py"
    assert git(repo, "log", "-1", "--format=%B") == (
        "Carry a\n\n# not a comment\nWhy.\n\nSigned-off-by: Ann Other <ann@example.org>"
    )
    assert git(repo, "diff", "--cached", "--name-only") == "b.py"
    assert git(repo, "status", "--porcelain") == "M  b.py\n M pkg/c.py"


def test_what_is_staged_of_a_path_gives_way_to_the_work_tree(repo: Path) -> None:
    (repo / "a.py").write_text("a = 2\n")
    git(repo, "add", "a.py")
    (repo / "a.py").write_text("a = 3\n")
    commit_paths(repo, ["a.py"], "Carry a")
    assert git(repo, "show", "HEAD:a.py") == "a = 3"


def test_new_and_deleted_files(repo: Path) -> None:
    (repo / "papers").mkdir()
    (repo / "papers" / "report [1].md").write_text("# Report\n")
    (repo / "other.md").write_text("")
    (repo / "b.py").unlink()
    commit_paths(repo, ["papers/report [1].md", "b.py"], "Report")
    assert git(repo, "show", "--format=", "--name-status", "HEAD") == (
        "D\tb.py\nA\tpapers/report [1].md"
    )
    assert git(repo, "status", "--porcelain") == "?? other.md"


def test_a_path_is_no_pattern(repo: Path) -> None:
    (repo / "a.py").write_text("a = 2\n")
    with pytest.raises(RevisionError, match="git commit failed"):
        commit_paths(repo, ["*.py"], "All")
    assert git(repo, "status", "--porcelain") == "M a.py"


def test_a_hook_that_refuses_says_so_and_nothing_is_left(repo: Path) -> None:
    hook(repo, "pre-commit", "echo the linter found a tab >&2; exit 1")
    (repo / "a.py").write_text("a = 2\n")
    (repo / "new.py").write_text("new = 1\n")
    before = git(repo, "rev-parse", "HEAD")
    with pytest.raises(RevisionError, match="the linter found a tab") as caught:
        commit_paths(repo, ["a.py", "new.py"], "Carry a")
    assert "hook" in caught.value.message
    assert git(repo, "rev-parse", "HEAD") == before
    assert git(repo, "status", "--porcelain") == "M a.py\n?? new.py"
    assert (repo / "new.py").read_text() == "new = 1\n"


def test_hooks_run_with_their_own_environment(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(repo, "commit-msg", 'printf "%s" "$GIT_LITERAL_PATHSPECS$GIT_OPTIONAL_LOCKS" > seen')
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    (repo / "a.py").write_text("a = 2\n")
    commit_paths(repo, ["a.py"], "Carry a")
    assert "0" not in (repo / "seen").read_text()


def test_without_an_identity(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repo, "config", "--unset", "user.name")
    git(repo, "config", "--unset", "user.email")
    git(repo, "config", "user.useConfigOnly", "true")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    (repo / "a.py").write_text("a = 2\n")
    with pytest.raises(RevisionError, match="does not know who commits") as caught:
        commit_paths(repo, ["a.py"], "Carry a")
    assert "git config user.name" in caught.value.hint


@pytest.mark.parametrize("paths", [["a.py"], []])
def test_nothing_to_commit(repo: Path, paths: list[str]) -> None:
    before = git(repo, "rev-parse", "HEAD")
    with pytest.raises(RevisionError, match="to commit"):
        commit_paths(repo, paths, "Nothing")
    assert git(repo, "rev-parse", "HEAD") == before


def test_an_ignored_file_is_refused(repo: Path) -> None:
    commit(repo, {".gitignore": "*.md\n"})
    (repo / "x.md").write_text("")
    with pytest.raises(RevisionError, match="ignored"):
        commit_paths(repo, ["x.md"], "Report")


def test_in_a_merge_git_refuses(repo: Path) -> None:
    (repo / ".git" / "MERGE_HEAD").write_text(git(repo, "rev-parse", "HEAD") + "\n")
    (repo / "a.py").write_text("a = 2\n")
    with pytest.raises(RevisionError, match="partial commit during a merge"):
        commit_paths(repo, ["a.py"], "Carry a")


def test_a_bare_repository_has_nothing_to_commit_from(repo: Path, tmp_path: Path) -> None:
    git(repo, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare"))
    with pytest.raises(RevisionError, match="is bare"):
        commit_paths(tmp_path / "bare", ["a.py"], "Carry a")
