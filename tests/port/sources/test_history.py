from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from followed import LOCAL, RUNNER, RUNNER_2, RUNNER_3, make_upstreams
from gitrepos import commit, git, needs_git
from omni_codemods.text.outline import locate
from omni_port.base.errors import RevisionError
from omni_port.sources.history import Versions

EXECUTE = locate(LOCAL, "execute")
PATH = "npulib/worker/runner.py"


@pytest.fixture
def upstreams(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    return tmp_path


def test_tags_are_ranked(upstreams: Path) -> None:
    versions = Versions(PATH, str(upstreams / "npulib"), "v3")
    found = versions.rank_tags(EXECUTE, "NPURunner.execute")
    assert found is not None
    assert (found.best.names, found.left) == (("v1",), 0)
    assert found.margin == found.left_at("v2")
    assert found.left_at("v9") is None
    assert found.revisions["v1"] == git(upstreams / "npulib", "rev-parse", "v1")


def test_tags_after_the_target_are_none(upstreams: Path) -> None:
    versions = Versions(PATH, str(upstreams / "npulib"), "v2")
    assert [name for name, _, _ in versions.tags()] == ["v1", "v2"]


def test_commits_between_the_tags_around_the_best(upstreams: Path) -> None:
    repository = upstreams / "npulib"
    between = RUNNER_3.replace("non_blocking=True", "non_blocking=self.asynchronous")
    sha = commit(repository, {PATH: between}, date="2026-04-01T00:00:00Z")
    commit(repository, {PATH: RUNNER.replace("GPURunner", "Base")}, date="2026-05-01T00:00:00Z")
    git(repository, "tag", "v4")
    local = locate(between, "prepare")
    versions = Versions(PATH, str(repository), "v4")
    tags = versions.rank_tags(local, "NPURunner.prepare")
    assert tags is not None
    assert tags.best.names == ("v3",)
    found = versions.rank_all(local, "NPURunner.prepare")
    assert found is not None
    (name,) = found.best.names
    assert found.revisions[name] == sha
    assert name == f"{sha[:7]} (2026-04-01)"


def test_where_a_tag_is_the_same_no_commit_is_looked_at(upstreams: Path) -> None:
    versions = Versions(PATH, str(upstreams / "npulib"), "v3")
    found = versions.rank_all(EXECUTE, "NPURunner.execute")
    assert found is not None
    assert set(found.revisions) == {"v1", "v2", "v3"}


def test_commits_alone_without_tags(upstreams: Path) -> None:
    repository = upstreams / "npulib"
    for tag in ("v1", "v2"):
        git(repository, "tag", "-d", tag)
    versions = Versions(PATH, str(repository), "v3~1")
    assert versions.rank_tags(EXECUTE, "NPURunner.execute") is None
    for found in (
        versions.rank_all(EXECUTE, "NPURunner.execute"),
        versions.rank_last(EXECUTE, "NPURunner.execute", 5),
    ):
        assert found is not None
        assert found.left == 0
    last = versions.rank_last(EXECUTE, "NPURunner.execute", 1)
    assert last is not None
    assert last.left > 0


def test_a_function_that_no_version_has(upstreams: Path) -> None:
    versions = Versions(PATH, str(upstreams / "npulib"), "v3")
    assert versions.rank_all(EXECUTE, "NPURunner.gone") is None
    assert Versions("gone.py", str(upstreams / "npulib"), "v3").rank_all(EXECUTE, "f") is None


def test_a_version_that_is_not_python_is_no_candidate(upstreams: Path) -> None:
    commit(upstreams / "npulib", {PATH: "def ("})
    git(upstreams / "npulib", "tag", "v4")
    found = Versions(PATH, str(upstreams / "npulib"), "v4").rank_tags(EXECUTE, "NPURunner.execute")
    assert found is not None
    assert all("v4" not in rank.names for rank in found.ranks)


def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RevisionError):
        Versions(PATH, str(tmp_path / "gone"), "v3").tags()


def test_folders(tmp_path: Path) -> None:
    for name, text in (("1", RUNNER), ("2", RUNNER_2)):
        (tmp_path / name / "npulib/worker").mkdir(parents=True)
        (tmp_path / name / PATH).write_text(text)
    folders = [str(tmp_path / "1"), str(tmp_path / "2"), str(tmp_path / "gone")]
    versions = Versions(PATH, folders=folders)
    found = versions.rank_all(EXECUTE, "NPURunner.execute")
    assert found is not None
    assert found.best.names == (folders[0],)
    assert versions.rank_last(EXECUTE, "NPURunner.execute", 3) is None


@needs_git
def test_only_the_likeliest_are_compared_closely(upstreams: Path) -> None:
    repository = upstreams / "npulib"
    for number in range(15):
        extra = "".join(f"        self.step_{n}(batch)\n" for n in range(number + 2))
        commit(repository, {PATH: RUNNER.replace("        logits =", extra + "        logits =")})
    versions = Versions(PATH, str(repository), "HEAD")
    found = versions.rank_last(EXECUTE, "NPURunner.execute", 99)
    assert found is not None
    assert found.left == 0
    assert sum(len(rank.names) for rank in found.ranks) == 12


def test_a_function_with_text_at_the_margin_is_told_apart_by_what_follows(upstreams: Path) -> None:
    repository = upstreams / "npulib"
    shas = []
    for word in ("first", "second", "third"):
        body = (
            f'    text = """\nat the margin\n"""\n    return self.{word}(text, batch, self.model)\n'
        )
        shas.append(commit(repository, {"f.py": f"def walk(self, batch):\n{body * 4}"}))
    local = locate((repository / "f.py").read_text().replace("third", "second"), "walk")
    found = Versions("f.py", str(repository), "HEAD").rank_last(local, "walk", 9)
    assert found is not None
    (best,) = found.best.names
    assert (found.revisions[best], found.left) == (shas[1], 0)


def test_what_stands_around_a_function_does_not_matter(upstreams: Path) -> None:
    commit(upstreams / "npulib", {PATH: f"X = 1\n{RUNNER}"})
    versions = Versions(PATH, str(upstreams / "npulib"), "HEAD")
    found = versions.rank_last(EXECUTE, "NPURunner.execute", 9)
    assert found is not None
    assert len(found.best.names) == 2
    assert found.best.same_code
