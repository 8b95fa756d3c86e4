from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitrepos import commit, fingerprint, git, make_repository, needs_git
from omni_port import revisions
from omni_port.base.errors import ExitCode, RevisionError

pytestmark = needs_git

OLD, NEW = b"x = 1\r\n", b"x = 2"


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_repository(tmp_path_factory.mktemp("repo"))
    commit(folder, {"pkg/runner.py": OLD})
    git(folder, "tag", "-a", "v1.0", "-m", "annotated")
    commit(folder, {"pkg/runner.py": NEW})
    return folder


def read(repo: Path, revision: str, path: str = "pkg/runner.py") -> revisions.Blob:
    with revisions.open_tree(str(repo), revision) as tree:
        return tree.require(path)


@pytest.mark.parametrize("revision", ["v1.0", "HEAD~1", "main^", "HEAD@{1}", "v1.0^{commit}"])
def test_bytes_at_a_revision(repo: Path, revision: str) -> None:
    blob = read(repo, revision)
    assert blob.data == OLD
    assert blob.revision == git(repo, "rev-parse", "v1.0^{commit}")


def test_the_final_newline_is_not_touched(repo: Path) -> None:
    assert read(repo, "HEAD").data == NEW


def test_from_a_folder_inside_paths_are_still_from_the_root(repo: Path) -> None:
    assert read(repo / "pkg", "v1.0", "./pkg//runner.py").path == "pkg/runner.py"


def test_a_missing_path_names_close_ones(repo: Path) -> None:
    with pytest.raises(RevisionError, match=r"no file .worker/runner\.py. at v1\.0") as caught:
        read(repo, "v1.0", "worker/runner.py")
    assert "pkg/runner.py" in caught.value.hint
    assert caught.value.exit_code == ExitCode.INPUT


def test_a_path_in_another_case_is_told_its_own(repo: Path) -> None:
    with pytest.raises(RevisionError, match="no file") as caught:
        read(repo, "v1.0", "pkg/Runner.py")
    assert caught.value.hint == "upper and lower case count: pkg/runner.py"


@pytest.mark.parametrize("path", ["../x.py", "/etc/passwd", "pkg/../../x"])
def test_what_is_outside(repo: Path, path: str) -> None:
    with pytest.raises(RevisionError, match="outside the repository"):
        read(repo, "HEAD", path)


@pytest.mark.parametrize("path", ["pkg", ".", "pkg/"])
def test_a_folder_is_said_to_be_one(repo: Path, path: str) -> None:
    with pytest.raises(RevisionError, match="is a folder"):
        read(repo, "HEAD", path)


@pytest.mark.parametrize("path", ["pkg", ".", "pkg/gone.py", "pkg/runner.py/deeper", "*.py"])
def test_reading_gives_nothing_where_no_file_is(repo: Path, path: str) -> None:
    with revisions.open_tree(str(repo), "HEAD") as tree:
        assert tree.read(path) is None


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_repository(tmp_path_factory.mktemp("odd"))
    (folder / "pkg").mkdir()
    for link, target in [
        ("link.py", "pkg/real.py"), ("pkg/up.py", "../link.py"), ("folder", "pkg"),
        ("out.py", "../elsewhere.py"), ("root.py", "/etc/passwd"), ("gone.py", "nothing.py"),
        ("one.py", "two.py"), ("two.py", "one.py"), ("away", ".."),
    ]:  # fmt: skip
        (folder / link).symlink_to(target)
    attributes = "*.py text eol=crlf\nident.py ident\nlatin.py working-tree-encoding=UTF-16\n"
    commit(folder, {"pkg/real.py": b"x = 1\n", "été.py": b"e = 1\n"})
    commit(folder, {".gitattributes": attributes, "ident.py": b"# $Id$\n"})
    return folder


@pytest.mark.parametrize("path", ["link.py", "pkg/up.py", "folder/real.py", "folder/up.py"])
def test_links_in_the_tree_are_followed(odd: Path, path: str) -> None:
    blob = read(odd, "HEAD", path)
    assert (blob.data, blob.path) == (b"x = 1\n", "pkg/real.py")


@pytest.mark.parametrize("path", ["out.py", "root.py", "away/x.py"])
def test_links_out_of_the_tree_are_named(odd: Path, path: str) -> None:
    with pytest.raises(RevisionError, match="is a symbolic link to") as caught:
        read(odd, "HEAD", path)
    assert "outside of the repository" in caught.value.hint


def test_links_that_lead_nowhere(odd: Path) -> None:
    with pytest.raises(RevisionError, match=r"no file 'gone\.py'"):
        read(odd, "HEAD", "gone.py")
    with pytest.raises(RevisionError, match="round in a circle"):
        read(odd, "HEAD", "one.py")


def test_the_bytes_are_the_blobs_whatever_a_checkout_would_make_of_them(odd: Path) -> None:
    git(odd, "config", "core.autocrlf", "true")
    assert read(odd, "HEAD", "ident.py").data == b"# $Id$\n"
    assert read(odd, "HEAD", "pkg/real.py").data == b"x = 1\n"
    assert read(odd, "HEAD", "été.py").data == b"e = 1\n"


def test_a_replaced_object_is_read_as_it_was(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "replaced")
    commit(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    git(folder, "replace", *(git(folder, "rev-parse", f"HEAD:{n}.py") for n in "ab"))
    assert read(folder, "HEAD", "a.py").data == b"a = 1\n"


def test_a_path_in_a_submodule_names_that_repository(tmp_path: Path) -> None:
    inner, outer = make_repository(tmp_path / "inner"), make_repository(tmp_path / "outer")
    sha = commit(inner, {"x.py": "x = 1\n"})
    commit(outer, {"y.py": "y = 1\n"})
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(inner), "third/inner")
    commit(outer, {})
    for path, rest in (("third/inner/x.py", "x.py"), ("third/inner", "PATH")):
        with pytest.raises(RevisionError, match="stands in the submodule 'third/inner'") as caught:
            read(outer, "HEAD", path)
        assert caught.value.hint.endswith(f"/third/inner@{sha[:12]}:{rest}")
    assert read(outer / "third" / "inner", "HEAD", "x.py").data == b"x = 1\n"


def _bare(repo: Path, into: Path) -> Path:
    git(repo, "clone", "-q", "--bare", str(repo), str(into))
    return into


def _worktree(repo: Path, into: Path) -> Path:
    git(repo, "clone", "-q", str(repo), str(into / "main"))
    git(into / "main", "worktree", "add", "-q", str(into / "linked"), "v1.0")
    return into / "linked"


@pytest.mark.parametrize("make", [_bare, _worktree])
def test_bare_repositories_and_linked_worktrees(
    repo: Path, tmp_path: Path, make: Callable[[Path, Path], Path]
) -> None:
    there = make(repo, tmp_path / "there")
    assert read(there, "v1.0").data == OLD
    assert read(there, "main").data == NEW


def test_not_a_repository(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "gone"):
        with pytest.raises(RevisionError, match="not a git repository"):
            read(folder, "HEAD")


def test_a_hook_does_not_redirect(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))
    assert read(repo, "v1.0").data == OLD
    assert os.environ["GIT_DIR"] == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_a_repository_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = make_repository(tmp_path / "theirs")
    commit(folder, {"x.py": "x = 1\n"})
    subprocess.run(["chown", "-R", "12345:12345", str(folder)], check=True)
    for look in (lambda: read(folder, "HEAD", "x.py"), lambda: revisions.checkout_of(folder)):
        with pytest.raises(RevisionError, match="owned by somebody else") as caught:
            look()
        assert caught.value.hint == f"git config --global --add safe.directory {folder}"
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(folder))
    assert read(folder, "HEAD", "x.py").data == b"x = 1\n"


def test_a_lost_object_is_named(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "broken")
    commit(folder, {"x.py": "x = 1\n"})
    sha = git(folder, "rev-parse", "HEAD:x.py")
    (folder / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    with pytest.raises(RevisionError, match=f"lacks the object {sha[:12]}"):
        read(folder, "HEAD", "x.py")


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    folder, clone = make_repository(tmp_path / "full"), tmp_path / "partial"
    commit(folder, {"x.py": "x = 1\n"})
    commit(folder, {"x.py": "x = 2\n"})
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "clone", "-q", "--filter=blob:none", f"file://{folder}", str(clone))
    before = fingerprint(clone)
    assert read(clone, "HEAD", "x.py").data == b"x = 2\n"
    with pytest.raises(RevisionError, match="lacks the object") as caught:
        read(clone, "HEAD~1", "x.py")
    assert "partial clone" in caught.value.hint
    assert fingerprint(clone) == before
    assert git(clone, "show", "HEAD~1:x.py") == "x = 1"


def test_reading_writes_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "theirs")
    first = commit(folder, {"pkg/x.py": "x = 1\n", "y.py": "y = 1\n"})
    git(folder, "tag", "v1")
    commit(folder, {"pkg/x.py": "x = 2\n"})
    # Same bytes, another time: any command that refreshes the index would now write it.
    os.utime(folder / "y.py", (1, 1))
    (folder / "pkg" / "x.py").write_text("x = 3\n")
    before = fingerprint(folder)
    with revisions.session(), revisions.open_tree(str(folder), "v1") as tree:
        assert (tree.revision, tree.read("pkg/x.py")) == (first, b"x = 1\n")
        assert len(tree.paths()) == 2
        assert tree.tags_here() == ["v1"]
    checkout = revisions.checkout_of(folder)
    assert checkout is not None
    assert checkout.changed == ("pkg/x.py",)
    revisions.history(str(folder), "v1", "main", ["pkg/x.py"])
    revisions.read_versions(str(folder), None, "main", "pkg/x.py", tags=True)
    with pytest.raises(RevisionError):
        read(folder, "v2", "y.py")
    assert fingerprint(folder) == before


def test_a_revision_lies_in_the_history_of_another(repo: Path) -> None:
    with revisions.open_tree(str(repo), "main") as tree:
        assert tree.contains(tree.at("v1.0"))
        assert tree.contains(tree.revision)
    with revisions.open_tree(str(repo), "v1.0") as tree:
        assert not tree.contains(tree.at("main"))


def test_sha256_repositories(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    sha = commit(folder, {"x.py": "x = 1\n"})
    blob = read(folder, "main", "x.py")
    assert (blob.data, blob.revision, len(sha)) == (b"x = 1\n", sha, 64)
