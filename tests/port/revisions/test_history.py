from __future__ import annotations

from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port import revisions
from omni_port.base.errors import RevisionError
from omni_port.revisions import Commit, history

pytestmark = needs_git

RUNNER = "class Runner:\n" + "".join(f"    value_{n} = {n}\n" for n in range(20))


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_repository(tmp_path_factory.mktemp("repo"))
    commit(folder, {"old.py": RUNNER, "b.py": "b = 1\n"}, "one", date="2026-01-01T12:00:00Z")
    git(folder, "tag", "v1")
    commit(folder, {"b.py": "b = 2\n"}, "two", date="2026-02-01T12:00:00Z")
    git(folder, "mv", "old.py", "new.py")
    commit(folder, {}, "three: move", date="2026-03-01T12:00:00Z")
    # Both sides change the file, so that the merge differs from both and would be told too.
    git(folder, "checkout", "-q", "-b", "side")
    commit(folder, {"new.py": RUNNER + "    x = 1\n"}, "four", date="2026-04-01T12:00:00Z")
    git(folder, "checkout", "-q", "main")
    changed = RUNNER.replace("class Runner:", "class Runner(Base):")
    commit(folder, {"new.py": changed}, "five", date="2026-05-01T12:00:00Z")
    git(folder, "merge", "-q", "-m", "the merge", "side", date="2026-06-01T12:00:00Z")
    git(folder, "tag", "v2")
    return folder


def subjects(found: list[Commit]) -> set[str]:
    return {one.subject for one in found}


def test_one_file_is_followed_through_its_name_and_merges_are_not_told(repo: Path) -> None:
    found = history(str(repo), None, "v2", ["new.py"])
    assert [one.subject for one in found].count("the merge") == 0
    assert subjects(found) == {"one", "three: move", "four", "five"}
    assert len(found) == 4
    assert found[-1] == Commit(
        git(repo, "rev-parse", "v1"), "2026-01-01T12:00:00+00:00", "n", "one", ("old.py",)
    )


def test_between_revisions_and_of_several_files(repo: Path) -> None:
    found = history(str(repo), "v1", "v2", ["new.py", "b.py"])
    assert subjects(found) == {"two", "three: move", "four", "five"}
    assert {one.subject: one.paths for one in found}["two"] == ("b.py",)
    assert history(str(repo), "v2", "v1", ["b.py"]) == []
    assert history(str(repo), "v1", "v2", []) == []


def test_since_a_date(repo: Path) -> None:
    def since(date: str) -> set[str]:
        return subjects(history(str(repo), None, "v2", ["new.py", "b.py"], since_date=date))

    assert since("2026-04-01") == {"four", "five"}
    assert since("2026-04-01T12:00:00Z") == {"four", "five"}
    assert since("2026-04-01T14:00:00+01:00") == {"five"}
    assert since("2026-12-31") == set()


@pytest.mark.parametrize("date", ["", "yesterday", "2026-13-01", "--all", "v1"])
def test_what_is_no_date_is_not_taken_for_now(repo: Path, date: str) -> None:
    with pytest.raises(RevisionError, match="is not a date"):
        history(str(repo), None, "v2", ["b.py"], since_date=date)


def test_names_are_no_patterns_and_no_options(repo: Path, tmp_path: Path) -> None:
    for path in ("*.py", ":(glob)*.py", "--all", f"--output={tmp_path}/x"):
        assert history(str(repo), None, "v2", [path]) == []
    assert not (tmp_path / "x").exists()
    for revision in ("--all", f"--output={tmp_path}/x", "v9", ""):
        for since, until in ((revision, "v2"), (None, revision)):
            with pytest.raises(RevisionError):
                history(str(repo), since, until, ["b.py"])


def test_subjects_and_authors_of_any_kind(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "odd")
    git(folder, "config", "log.showSignature", "true")
    commit(folder, {"a b.py": "1\n"}, "a \x01\x1f subject\n\nbody", date="2026-01-01T00:00:00Z")
    found = history(str(folder), None, "main", ["a b.py"])
    assert [(one.subject, one.paths) for one in found] == [("a \x01\x1f subject", ("a b.py",))]


OLD, NEW = b"x = 1\r\n", b"x = 2"


@pytest.fixture(scope="module")
def versioned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_repository(tmp_path_factory.mktemp("versioned"))
    commit(folder, {"pkg/runner.py": OLD}, "one")
    git(folder, "tag", "-a", "v1.0", "-m", "annotated")
    commit(folder, {"pkg/runner.py": NEW}, "two")
    return folder


def versions(repo: Path, since: str | None = None, *, tags: bool = False) -> list[bytes]:
    found = revisions.read_versions(str(repo), since, "main", "pkg/runner.py", tags=tags)
    return [version.blob.data for version in found]


def test_the_versions_of_a_file_are_its_commits_oldest_first(versioned: Path) -> None:
    assert versions(versioned) == [OLD, NEW]
    assert versions(versioned, "v1.0") == [OLD, NEW]
    assert versions(versioned, "main") == [NEW]


def test_the_versions_at_tags_are_named_by_them(versioned: Path) -> None:
    found = revisions.read_versions(str(versioned), None, "main", "pkg/runner.py", tags=True)
    assert [(version.name, version.blob.data) for version in found] == [("v1.0", OLD)]
    assert found[0].blob.revision == git(versioned, "rev-parse", "v1.0^{commit}")
    assert versions(versioned, "main", tags=True) == []


def test_a_file_of_the_work_tree_has_versions_too(versioned: Path) -> None:
    path = str(versioned / "pkg" / "runner.py")
    found = revisions.read_versions(str(versioned / "pkg"), None, "HEAD", path, tags=False)
    assert [version.blob.path for version in found] == ["pkg/runner.py"] * 2


def test_a_file_that_was_a_link_or_a_folder_for_a_while(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "odd")
    commit(folder, {"real.py": "real = 1\n", "x.py": "x = 1"})
    (folder / "x.py").unlink()
    (folder / "x.py").symlink_to("real.py")
    commit(folder, {})
    (folder / "x.py").unlink()
    commit(folder, {"x.py/inside.py": "inside = 1\n"})
    found = revisions.read_versions(str(folder), None, "main", "x.py", tags=False)
    assert [version.blob.data for version in found] == [b"x = 1", b"real = 1\n"]


def test_a_path_that_never_was_has_no_versions(versioned: Path) -> None:
    assert revisions.read_versions(str(versioned), None, "main", "pkg/gone.py", tags=False) == []


@pytest.mark.parametrize("since", ["--output=x", "v9"])
def test_the_start_must_be_a_revision(versioned: Path, since: str) -> None:
    with pytest.raises(RevisionError):
        versions(versioned, since)
    assert not (versioned / "x").exists()
