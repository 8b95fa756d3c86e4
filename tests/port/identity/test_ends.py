from __future__ import annotations

from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port.base.errors import ConfigurationError, RevisionError
from omni_port.identity.ends import Said, digest_folder, freeze_end, freeze_working_tree, version_of
from omni_port.identity.model import End, How
from omni_port.project.project import Project
from omni_port.project.settings import Settings

BUILT = "__version__ = version = '1.2rc1'\n\n__commit_id__ = commit_id = 'g80d8c194f'\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path, Settings(), tmp_path / "omni-port.toml")


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_the_digest_of_a_folder_is_that_of_its_python_files(tmp_path: Path) -> None:
    one = digest_folder(write(tmp_path / "one", {"a.py": "a", "b/c.py": "c"}))
    assert one == digest_folder(write(tmp_path / "two", {"b/c.py": "c", "a.py": "a"}))
    write(tmp_path / "one", {"README.md": "x", "b/__pycache__/c.py": "x", ".git/x.py": "x"})
    assert one == digest_folder(tmp_path / "one")


@pytest.mark.parametrize(
    "files",
    [{"a.py": "a"}, {"a.py": "a", "b/d.py": "c"}, {"a.py": "a", "b/c.py": "d"},
     {"a.py": "", "b/c.py": "ac"}, {"a.py": "ab/c.pyc", "b/c.py": ""}, {}],
)  # fmt: skip
def test_other_files_have_another_digest(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "two").mkdir()
    one = write(tmp_path / "one", {"a.py": "a", "b/c.py": "c"})
    assert digest_folder(one) != digest_folder(write(tmp_path / "two", files))


def test_a_folder_is_frozen_by_its_content(project: Project) -> None:
    folder = write(project.root / "up-1.0", {"pkg/x.py": "x = 1\n", "pkg/_version.py": BUILT})
    end = freeze_end(project, Said("up", "target", "up-1.0"), ["pkg"])
    assert end == End(
        "up", "target", "up-1.0", How.CONFIGURED,
        digest=digest_folder(folder), version="1.2rc1", commit="80d8c194f",
    )  # fmt: skip
    bare = write(project.root / "up-1.0rc2", {"x.py": "x = 1\n"})
    end = freeze_end(project, Said("up", "target", str(bare)), ["pkg"])
    assert (end.version, end.commit) == ("1.0rc2", None)
    assert end.label == f"{bare} (files {digest_folder(bare)[:12]})"


def test_a_folder_that_is_not_there(project: Project) -> None:
    with pytest.raises(ConfigurationError, match=r"no folder - at \[upstream.up\] target"):
        freeze_end(project, Said("up", "target", "gone"))


@needs_git
def test_a_revision_is_frozen_to_its_commit(project: Project) -> None:
    repo = make_repository(project.root / "up")
    sha = commit(repo, {"pkg/x.py": "x = 1\n"})
    git(repo, "tag", "-a", "v1.0", "-m", "annotated")
    git(repo, "tag", "nightly")
    write(repo, {"pkg/x.py": "x = 2\n"})
    end = freeze_end(project, Said("up", "current", "v1.0", repository="up"))
    assert (end.revision, end.version, end.digest) == (sha, "1.0", None)
    assert end.label == f"v1.0 ({sha[:12]})"
    assert end.checkout is not None
    assert (end.checkout.branch, end.checkout.changed) == ("main", ("pkg/x.py",))
    assert freeze_end(project, Said("up", "current", sha, repository="up")).label == sha[:12]


@needs_git
def test_an_unknown_revision_says_where_it_is_configured(project: Project) -> None:
    commit(make_repository(project.root / "up"), {"x.py": ""})
    for said, where in [
        (Said("up", "target", "v9", repository="up"), "[upstream.up] target"),
        (Said("siblings", "current", "v9", repository="up"), "[siblings] current"),
        (Said("up", "base", "v9", repository="up", port="Runner"), "base of port Runner"),
    ]:
        with pytest.raises(RevisionError, match="unknown revision 'v9'") as caught:
            freeze_end(project, said)
        assert caught.value.path == f"{project.path} ({where})"


def test_the_working_tree_is_frozen_by_the_siblings_files(project: Project) -> None:
    write(project.root, {"gpu/a.py": "a", "gpu/b.py": "b", "other.py": "x"})
    end = freeze_working_tree(project, "siblings", "target", ["gpu/b.py", "gpu/a.py", "gpu/b.py"])
    assert (end.how, end.spelling) == (How.WORKING_TREE, "")
    write(project.root, {"other.py": "y"})
    assert end == freeze_working_tree(project, "siblings", "target", ["gpu/a.py", "gpu/b.py"])
    write(project.root, {"gpu/a.py": "changed"})
    again = freeze_working_tree(project, "siblings", "target", ["gpu/a.py", "gpu/b.py"])
    assert again.digest != end.digest
    assert end.label == f"the working tree (files {str(end.digest)[:12]})"


@pytest.mark.parametrize(
    ("tag", "version"),
    [("v0.26.0", "0.26.0"), ("0.26.0rc1", "0.26.0rc1"), ("v0.26.0-rc1", "0.26.0rc1"),
     ("main", None), ("release-1", None)],
)  # fmt: skip
def test_versions_of_tags(tag: str, version: str | None) -> None:
    assert version_of(tag) == version
