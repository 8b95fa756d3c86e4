from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port import revisions
from omni_port.base.errors import RevisionError
from omni_port.revisions import Checkout, checkout_of, git_folder

pytestmark = needs_git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "repo")
    commit(folder, {"pkg/x.py": "x = 1\n", "y.py": "y = 1\n", "z.py": "z = 1\n"})
    return folder


def require(folder: Path) -> Checkout:
    checkout = checkout_of(folder)
    assert checkout is not None
    return checkout


def test_a_clean_checkout(repo: Path) -> None:
    head = git(repo, "rev-parse", "HEAD")
    assert checkout_of(repo / "pkg") == Checkout(str(repo), head, "main")
    assert require(repo).dirty == ()


def test_what_is_not_committed(repo: Path) -> None:
    (repo / "pkg" / "x.py").write_text("x = 2\n")
    (repo / "y.py").write_text("y = 2\n")
    git(repo, "add", "y.py")
    git(repo, "mv", "z.py", "a name with spaces.py")
    (repo / "new.py").write_text("")
    (repo / "fresh").mkdir()
    (repo / "fresh" / "é.py").write_text("")
    git(repo, "config", "status.relativePaths", "true")
    found = require(repo / "pkg")
    assert found.changed == ("a name with spaces.py", "pkg/x.py", "y.py", "z.py")
    assert found.untracked == ("fresh/", "new.py")
    for path in ("pkg/x.py", "y.py", "z.py", "new.py", "fresh/é.py"):
        assert found.touches(path)
    for path in ("pkg/other.py", "fresher.py", "pkg"):
        assert not found.touches(path)


def test_work_in_a_submodule(repo: Path, tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner")
    commit(inner, {"x.py": "x = 1\n"})
    allow = ("-c", "protocol.file.allow=always")
    git(repo, *allow, "submodule", "--quiet", "add", str(inner), "sub")
    commit(repo, {})
    assert not require(repo).touches("sub/x.py")
    (repo / "sub" / "x.py").write_text("x = 2\n")
    assert require(repo).touches("sub/x.py")
    assert not require(repo).touches("submarine.py")


def test_ignored_files_are_nobodys_change(repo: Path) -> None:
    commit(repo, {".gitignore": "*.log\n"})
    (repo / "a.log").write_text("")
    assert require(repo).dirty == ()


def test_before_the_first_commit_and_without_a_branch(repo: Path, tmp_path: Path) -> None:
    empty = make_repository(tmp_path / "empty")
    assert checkout_of(empty) == Checkout(str(empty), None, "main")
    git(repo, "checkout", "-q", "--detach")
    assert require(repo).branch is None


def test_a_merge_that_stopped(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "other")
    commit(repo, {"y.py": "y = 2\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"y.py": "y = 3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        git(repo, "merge", "other")
    found = require(repo)
    assert (found.changed, found.operation) == (("y.py",), "merge")


def test_bare_shallow_and_linked(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"y.py": "y = 2\n"})
    bare, shallow, linked = (tmp_path / name for name in ("bare", "shallow", "linked"))
    git(repo, "clone", "-q", "--bare", str(repo), str(bare))
    git(repo, "clone", "-q", "--depth=1", f"file://{repo}", str(shallow))
    git(repo, "worktree", "add", "-q", "-b", "side", str(linked))
    head = git(repo, "rev-parse", "HEAD")
    assert checkout_of(bare) == Checkout(str(bare), head, "main", bare=True)
    assert checkout_of(shallow) == Checkout(str(shallow), head, "main", shallow=True)
    assert checkout_of(linked) == Checkout(str(linked), head, "side", linked=True)
    assert git_folder(linked) == repo / ".git" / "worktrees" / "linked"
    assert git_folder(repo / "pkg") == repo / ".git"


def test_outside_of_a_repository(tmp_path: Path) -> None:
    assert checkout_of(tmp_path) is None
    assert git_folder(tmp_path) is None
    assert checkout_of(tmp_path / "gone") is None


def test_a_repository_that_cannot_be_opened_is_no_plain_folder(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / ".git" / "HEAD").unlink()
    with pytest.raises(RevisionError, match="not a git repository"):
        revisions.checkout_of(repo)


def test_a_folder_beside_a_repository_is_in_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_repository(tmp_path / "project")
    (tmp_path / "release").mkdir()
    monkeypatch.chdir(project)
    assert checkout_of("../release") is None
    assert checkout_of(Path("..") / "release") is None
