from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from omni_port import revisions
from omni_port.errors import ExitCode, RevisionError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

OLD, NEW = b"x = 1\r\n", b"x = 2"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    command = ["git", *identity, *arguments]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repo")
    git(folder, "init", "-q", "-b", "main")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "runner.py").write_bytes(OLD)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "-a", "v1.0", "-m", "annotated")
    (folder / "pkg" / "runner.py").write_bytes(NEW)
    git(folder, "commit", "-q", "-a", "-m", "two")
    return folder


def read(repo: Path, revision: str, path: str = "pkg/runner.py") -> revisions.Blob:
    with revisions.open_tree(str(repo), revision) as tree:
        return tree.require(path)


@pytest.mark.parametrize("revision", ["v1.0", "HEAD~1", "main^", "HEAD@{1}"])
def test_bytes_at_a_revision(repo: Path, revision: str) -> None:
    blob = read(repo, revision)
    assert blob.data == OLD
    assert blob.revision == git(repo, "rev-parse", "v1.0^{commit}")


def test_the_final_newline_is_not_touched(repo: Path) -> None:
    assert read(repo, "HEAD").data == NEW


def test_from_a_folder_inside_paths_are_still_from_the_root(repo: Path) -> None:
    assert read(repo / "pkg", "v1.0", "./pkg//runner.py").path == "pkg/runner.py"


def test_an_unknown_revision_names_close_ones(repo: Path) -> None:
    with pytest.raises(RevisionError, match=r"unknown revision 'v1\.1'") as caught:
        read(repo, "v1.1")
    assert "v1.0" in caught.value.hint
    assert caught.value.exit_code == ExitCode.INPUT


@pytest.mark.parametrize("revision", ["HEAD:pkg", "v1.0:pkg/runner.py", ":/nothing like it"])
def test_what_is_no_commit(repo: Path, revision: str) -> None:
    with pytest.raises(RevisionError, match="unknown revision"):
        read(repo, revision)


def test_a_missing_path_names_close_ones(repo: Path) -> None:
    with pytest.raises(RevisionError, match=r"no file .worker/runner\.py. at v1\.0") as caught:
        read(repo, "v1.0", "worker/runner.py")
    assert "pkg/runner.py" in caught.value.hint


@pytest.mark.parametrize("path", ["pkg", ".", "../x.py", "/etc/passwd"])
def test_what_is_no_file(repo: Path, path: str) -> None:
    with pytest.raises(RevisionError):
        read(repo, "HEAD", path)


def test_not_a_repository(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "gone"):
        with pytest.raises(RevisionError, match="not a git repository"):
            read(folder, "HEAD")


def test_a_revision_that_is_an_option(repo: Path) -> None:
    with pytest.raises(RevisionError, match="option to git"):
        read(repo, "--help")


def test_a_hook_does_not_redirect(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))
    assert read(repo, "v1.0").data == OLD
    assert os.environ["GIT_DIR"] == str(tmp_path)


def test_a_repository_of_somebody_else(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What git checks can be feigned for its own tests, and for these.
    monkeypatch.setattr(revisions, "_KEPT", (*revisions._KEPT, "GIT_TEST_ASSUME_DIFFERENT_OWNER"))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with pytest.raises(RevisionError, match="somebody else") as caught:
        read(repo, "HEAD")
    assert "safe.directory" in caught.value.hint


def versions(repo: Path, since: str | None = None, *, tags: bool = False) -> list[bytes]:
    found = revisions.read_versions(str(repo), since, "main", "pkg/runner.py", tags=tags)
    return [version.blob.data for version in found]


def test_the_versions_of_a_file_are_its_commits_oldest_first(repo: Path) -> None:
    assert versions(repo) == [OLD, NEW]
    assert versions(repo, "v1.0") == [OLD, NEW]
    assert versions(repo, "main") == [NEW]


def test_the_versions_at_tags_are_named_by_them(repo: Path) -> None:
    found = revisions.read_versions(str(repo), None, "main", "pkg/runner.py", tags=True)
    assert [(version.name, version.blob.data) for version in found] == [("v1.0", OLD)]
    assert found[0].blob.revision == git(repo, "rev-parse", "v1.0^{commit}")
    assert versions(repo, "main", tags=True) == []


def test_a_file_of_the_work_tree_has_versions_too(repo: Path) -> None:
    path = str(repo / "pkg" / "runner.py")
    found = revisions.read_versions(str(repo / "pkg"), None, "HEAD", path, tags=False)
    assert [version.blob.path for version in found] == ["pkg/runner.py"] * 2


def test_a_path_that_never_was_has_no_versions(repo: Path) -> None:
    assert revisions.read_versions(str(repo), None, "main", "pkg/gone.py", tags=False) == []


@pytest.mark.parametrize("since", ["--output=x", "v9"])
def test_the_start_must_be_a_revision(repo: Path, since: str) -> None:
    with pytest.raises(RevisionError):
        versions(repo, since)
    assert not (repo / "x").exists()
