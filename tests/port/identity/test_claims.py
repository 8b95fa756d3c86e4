from __future__ import annotations

from pathlib import Path

import pytest

from gitrepos import commit, git, make_repository, needs_git
from omni_port.identity.claims import Claim, Match, compare, lacking, names_of, packages_of
from omni_port.identity.model import End, How
from omni_port.project.project import require_project

SHA = "80d8c194f" + "0" * 31


def end(**facts: str) -> End:
    return End("up", "current", "v1", How.CONFIGURED, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("revisions", "facts", "match"),
    [
        (("80d8c194f",), {"revision": SHA}, Match.SAME),
        ((SHA,), {"revision": SHA}, Match.SAME),
        (("90d8c194f",), {"revision": SHA}, Match.OTHER),
        (("80d8c194f",), {"digest": "80d8c194f"}, Match.UNKNOWN),
        (("80d8c194f1",), {"digest": "d", "commit": "80d8c194f"}, Match.SAME),
        (("90d8c194f1",), {"digest": "d", "commit": "80d8c194f"}, Match.OTHER),
        (("v1.0",), {"digest": "d", "version": "1.0"}, Match.SAME),
        (("1.0",), {"digest": "d", "version": "1.0"}, Match.SAME),
        (("v1.1",), {"digest": "d", "version": "1.0"}, Match.OTHER),
        (("v1.1",), {"digest": "d"}, Match.UNKNOWN),
        (("main",), {"digest": "d", "version": "1.0"}, Match.UNKNOWN),
        (("90d8c194f", "80d8c194f"), {"revision": SHA}, Match.SAME),
        # What is known decides: here the version.
        (("90d8c194f", "v1.0"), {"revision": SHA, "version": "1.0"}, Match.SAME),
        (("80d8c194f", "v2.0"), {"revision": SHA, "version": "1.0"}, Match.OTHER),
        (("90d8c194f", "v1.0"), {"revision": SHA}, Match.OTHER),
    ],
)
def test_claims_without_a_repository(
    revisions: tuple[str, ...], facts: dict[str, str], match: Match
) -> None:
    assert compare(Claim(revisions, "x.py:1"), end(**facts)) is match


@needs_git
def test_tags_are_compared_as_commits(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "up")
    first = commit(repo, {"x.py": "1"})
    for tag in ("v1.0", "1.0.post1", "same"):
        git(repo, "tag", tag)
    second = commit(repo, {"x.py": "2"})
    git(repo, "tag", "v2.0")
    there = end(repository=str(repo), revision=first, version="1.0")
    for spelling in ("v1.0", "1.0", "1.0.post1", "v1.0.post1", "same", first[:8]):
        assert compare(Claim((spelling,), ""), there) is Match.SAME
    for spelling in ("v2.0", "2.0", second, "3.0"):
        assert compare(Claim((spelling,), ""), there) is Match.OTHER
    for spelling in ("--help", "nothing", "*"):
        assert compare(Claim((spelling,), ""), there) is Match.UNKNOWN
    # A commit that is there decides over the tag beside it.
    assert compare(Claim((second[:9], "v1.0"), ""), there) is Match.OTHER
    assert compare(Claim((first[:9], "v2.0"), ""), there) is Match.SAME
    assert compare(Claim(("80d8c194f", "v1.0"), ""), there) is Match.SAME
    assert lacking([Claim((first, second[:9]), "")], there) == ""
    said = lacking([Claim(("80d8c194f", "v9"), "")], there)
    assert said == f"{repo} lacks 80d8c194f: git -C {repo} fetch may bring it"


def test_what_an_upstream_may_be_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "omni-port.toml").write_text(
        '[upstream.ascend]\nrepository = "../Vllm_Ascend.git"\ntarget = "v1"\n'
        '[upstream.vllm]\ntarget = "folder"\n'
        '[[port]]\nlocal = "x.py::X"\nupstream = "ascend:vllm_ascend/worker.py::W"\n'
        'sibling-upstream = "vllm:src/vllm/worker.py::W"\n'
    )
    project = require_project(tmp_path)
    assert packages_of(project, "ascend") == {"vllm_ascend"}
    assert names_of(project, "ascend") == {"ascend", "vllm-ascend"}
    assert packages_of(project, "vllm") == {"vllm"}
    assert names_of(project, "vllm") == {"vllm"}
