from __future__ import annotations

from pathlib import Path

import pytest

from followed import make_upstreams
from gitrepos import needs_git
from omni_port.base.errors import RevisionError, UsageError
from omni_port.sources.upstream import Upstream, open_upstream, parse_upstream


@pytest.mark.parametrize(
    ("text", "upstream"),
    [
        ("up=../up@v2", Upstream("up", "v2", None, "../up")),
        ("up=../up@v1..v2", Upstream("up", "v2", "v1", "../up")),
        ("my-up=@v2", Upstream("my-up", "v2", None, ".")),
        ("up=/a@b/up@feature/x", Upstream("up", "feature/x", None, "/a@b/up")),
        ("up=../up@v1.0.0..v2.0.0rc1", Upstream("up", "v2.0.0rc1", "v1.0.0", "../up")),
    ],
)
def test_repositories(text: str, upstream: Upstream) -> None:
    assert parse_upstream(text) == upstream


def test_folders_are_told_from_dots_by_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "up-1.0", "up-2.0"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    expected = Upstream("up", "../up-2.0", "../up-1.0")
    assert parse_upstream("up=../up-1.0..../up-2.0") == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("../up@v2", "does not start with NAME="),
        ("=../up@v2", "does not start with NAME="),
        ("up=", "does not start with NAME="),
        ("up=../up", "names neither a revision nor two folders"),
        ("up=../gone-1..../gone-2", "names neither a revision nor two folders"),
        ("up=../up@v1..", "a revision is missing"),
        ("up=../up@..v2", "a revision is missing"),
        ("up=../up@--upload-pack=x", "option to git"),
        ("up=../up@-x..v2", "option to git"),
    ],
)
def test_what_is_no_upstream(text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_upstream(text)
    assert says in caught.value.message
    assert "NAME=REPO@TARGET" in caught.value.hint or "tag" in caught.value.hint


@needs_git
def test_files_of_a_revision(tmp_path: Path) -> None:
    make_upstreams(tmp_path)
    upstream = Upstream("npulib", "v3", repository="npulib")
    with open_upstream(upstream, tmp_path, "v1") as tree:
        assert tree.packages == {"npulib": ""}
        assert "pin_memory=True" in (tree.read("npulib/worker/runner.py") or "")
        assert tree.read("npulib/gone.py") is None
        assert tree.read("elsewhere/worker/runner.py") is None
        assert len(tree.revision) == 40
    with pytest.raises(RevisionError), open_upstream(upstream, tmp_path, "v9"):
        pass


def test_files_of_a_folder(tmp_path: Path) -> None:
    for package in ("src/pkg", "tests"):
        (tmp_path / "up" / package).mkdir(parents=True)
        (tmp_path / "up" / package / "__init__.py").write_text("")
    (tmp_path / "up/src/pkg/m.py").write_text("x = 1\n")
    upstream = Upstream("up", "up", "up")
    with open_upstream(upstream, tmp_path, "up") as tree:
        assert tree.packages == {"pkg": "src/"}
        assert tree.read("pkg/m.py") == "x = 1\n"
        assert tree.place("pkg/m.py") == "src/pkg/m.py"
    with pytest.raises(UsageError, match="no folder"), open_upstream(upstream, tmp_path, "gone"):
        pass
