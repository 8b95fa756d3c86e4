from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port import revisions
from omni_port.base.errors import RevisionError

pytestmark = needs_git


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_repository(tmp_path_factory.mktemp("repo"))
    commit(folder, {"pkg/x.py": "x = 1\n"}, "one thing")
    git(folder, "tag", "-a", "v1.0", "-m", "annotated")
    git(folder, "tag", "-a", "nested", "v1.0", "-m", "a tag of a tag")
    commit(folder, {"pkg/x.py": "x = 2\n"}, "another")
    git(folder, "branch", "feature/x", "v1.0")
    git(folder, "tag", "key", git(folder, "rev-parse", "HEAD:pkg/x.py"))
    git(folder, "tag", "folder", git(folder, "rev-parse", "HEAD:pkg"))
    return folder


def name(repo: Path, revision: str) -> tuple[str, str]:
    with revisions.open_tree(str(repo), revision) as tree:
        return tree.revision, tree.note


@pytest.mark.parametrize(
    "revision",
    ["v1.0", "nested", "main~1", "HEAD~1", "v1.0^{commit}", "refs/tags/v1.0", "feature/x",
     ":/one thing", "HEAD^{/one thing}", "HEAD@{1}"],
)  # fmt: skip
def test_every_spelling_of_a_commit(repo: Path, revision: str) -> None:
    sha = git(repo, "rev-parse", "v1.0^{commit}")
    assert name(repo, revision) == (sha, "")
    assert name(repo, sha[:9]) == (sha, "")


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("", "a revision is empty"),
        ("  ", "a revision is empty"),
        ("--help", "option to git"),
        ("--upload-pack=x", "option to git"),
        ("-v1.0", "option to git"),
        ("v1.0 ", "spaces around it"),
        ("v1.0\n", "spaces around it"),
        ("v1.0\nmain", "line break"),
        ("v1.0\0", "line break"),
        ("v1.0..main", "is a range"),
        ("v1.0...main", "is a range"),
        ("^v1.0", "is a range"),
        ("main^@", "is a range"),
        ("v1.0 main", "unknown revision"),
        ("main; touch x", "unknown revision"),
        ("main^{nonsense}", "unknown revision"),
        ("key", "names a blob in .*, not a commit"),
        ("folder", "names a tree in .*, not a commit"),
        ("HEAD:pkg", "names a tree in .*, not a commit"),
        ("v1.0:pkg/x.py", "names a blob in .*, not a commit"),
        (":/nothing like it", "unknown revision"),
        ("0" * 40, "unknown revision"),
    ],
)
def test_what_names_no_commit(repo: Path, revision: str, message: str) -> None:
    with pytest.raises(RevisionError, match=message) as caught:
        name(repo, revision)
    assert caught.value.hint


def test_an_unknown_revision_names_close_ones_and_how_to_get_it(repo: Path) -> None:
    with pytest.raises(RevisionError, match=r"unknown revision 'v1\.1'") as caught:
        name(repo, "v1.1")
    assert caught.value.hint.startswith("close: v1.0; git -C ")
    assert "fetch --tags" in caught.value.hint


def test_an_unknown_sha_is_no_matter_of_tags(repo: Path) -> None:
    with pytest.raises(RevisionError) as caught:
        name(repo, "80d8c194f")
    assert "fetch may bring it" in caught.value.hint
    assert "close" not in caught.value.hint


def test_a_shallow_clone_is_said_to_be_one(repo: Path, tmp_path: Path) -> None:
    clone = tmp_path / "shallow"
    git(repo, "clone", "-q", "--depth=1", f"file://{repo}", str(clone))
    for revision in ("v1.0", git(repo, "rev-parse", "main~1"), "main~1"):
        with pytest.raises(RevisionError, match="unknown revision") as caught:
            name(clone, revision)
        assert "shallow" in caught.value.hint
        assert f"git -C {clone} fetch --unshallow" in caught.value.hint
    assert name(clone, "main")[0] == git(repo, "rev-parse", "main")


def test_a_branch_of_a_remote_is_close(repo: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(repo, "clone", "-q", str(repo), str(clone))
    with pytest.raises(RevisionError) as caught:
        name(clone, "x")
    assert "close: origin/feature/x" in caught.value.hint


def test_of_a_tag_and_a_branch_of_one_name_the_tag_counts_and_that_is_said(
    repo: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "both"
    git(repo, "clone", "-q", str(repo), str(clone))
    git(clone, "branch", "v1.0", "main")
    sha = git(repo, "rev-parse", "v1.0^{commit}")
    said = "'v1.0' names refs/tags/v1.0 and refs/heads/v1.0: refs/tags/v1.0 counts"
    assert name(clone, "v1.0") == (sha, said)
    git(clone, "config", "core.warnAmbiguousRefs", "false")
    assert name(clone, "v1.0") == (sha, said)
    assert name(clone, "refs/heads/v1.0")[1] == ""


def test_the_beginning_of_several_objects(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "many")
    commit(folder, {f"f{number}.py": f"x = {number}\n" for number in range(400)})
    shas = sorted(git(folder, "rev-parse", *(f"HEAD:f{n}.py" for n in range(400))).split())
    # With 400 objects two of them begin alike nearly always; these very ones do.
    twins = [a[:4] for a, b in itertools.pairwise(shas) if a[:4] == b[:4]]
    with pytest.raises(RevisionError, match="beginning of several objects"):
        name(folder, twins[0])
