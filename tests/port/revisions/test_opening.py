from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port import revisions
from omni_port.base.errors import RevisionError
from omni_port.revisions import opening

pytestmark = needs_git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "repo")
    commit(folder, {"x.py": "x = 1\n"})
    return folder


def revision_of(repo: Path | str, spelling: str = "main") -> str:
    with revisions.open_tree(str(repo), spelling) as tree:
        return tree.revision


def test_a_branch_that_moves_in_a_session_is_read_as_it_was(repo: Path) -> None:
    with revisions.session():
        before = revision_of(repo)
        after = commit(repo, {"x.py": "x = 2\n"})
        assert revision_of(repo) == before != after
        with revisions.session():
            assert revision_of(repo) == before
        assert revision_of(repo) == before
    assert revision_of(repo) == after


def test_without_a_session_nothing_is_remembered(repo: Path) -> None:
    revision_of(repo)
    after = commit(repo, {"x.py": "x = 2\n"})
    assert revision_of(repo) == after


def test_what_is_committed_by_us_is_seen_in_the_session(repo: Path) -> None:
    git(repo, "config", "user.name", "n")
    git(repo, "config", "user.email", "e@example.org")
    with revisions.session():
        before = revision_of(repo, "HEAD")
        (repo / "x.py").write_text("x = 2\n")
        after = revisions.commit_paths(repo, ["x.py"], "two")
        assert revision_of(repo, "HEAD") == after != before


def test_a_session_opens_each_repository_once(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[str] = []
    real = opening._open

    def counting(name: str) -> opening.Repository:
        count.append(name)
        return real(name)

    monkeypatch.setattr(opening, "_open", counting)
    with revisions.session():
        for _ in range(3):
            revision_of(repo)
    assert count == [str(repo)]
    for _ in range(2):
        revision_of(repo)
    assert len(count) == 3


def test_a_forked_worker_opens_its_own(repo: Path) -> None:
    with revisions.session():
        with revisions.open_tree(str(repo), "main") as tree:
            assert tree.read("x.py") == b"x = 1\n"
        child = os.fork()
        if child == 0:
            with revisions.open_tree(str(repo), "main") as tree:
                os._exit(0 if tree.read("x.py") == b"x = 1\n" else 1)
        assert os.waitpid(child, 0)[1] == 0
        with revisions.open_tree(str(repo), "main") as tree:
            assert tree.read("x.py") == b"x = 1\n"


def test_the_environment_is_as_it_was(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_OPTIONAL_LOCKS", "1")
    monkeypatch.setenv("GIT_INDEX_FILE", "elsewhere")
    monkeypatch.delenv("GIT_LITERAL_PATHSPECS", raising=False)
    before = dict(os.environ)
    revisions.checkout_of(repo)
    revision_of(repo)
    assert dict(os.environ) == before


def test_what_git_says_is_an_error_of_ours(repo: Path) -> None:
    with opening.opened(str(repo)) as found:
        with pytest.raises(RevisionError, match=r"git fails in .*: fatal: ") as caught:
            found.run("rev-parse", "--verify", "nothing")
        assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message


def test_what_looks_like_a_repository_and_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    for look in (lambda: revision_of(folder), lambda: revisions.checkout_of(folder)):
        with pytest.raises(RevisionError, match="not a git repository"):
            look()
