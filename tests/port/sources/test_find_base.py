from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from followed import LOCAL, RUNNER, RUNNER_3, make_upstreams
from gitrepos import commit, git
from omni_port.base.address import Address, parse_address
from omni_port.base.errors import InputError, RevisionError, UsageError
from omni_port.sources.file_at import read_address
from omni_port.sources.find_base import find_base

PATH = "npulib/worker/runner.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    (tmp_path / "local.py").write_text(LOCAL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def target(revision: str = "v3", qualname: str | None = "NPURunner") -> Address:
    return Address(PATH, "npulib", revision, qualname)


def test_a_tag(folder: Path) -> None:
    local = read_address(parse_address("local.py::DownNPURunner"))
    found = find_base(local, "execute", target())
    assert str(found.address) == f"npulib@v1:{PATH}::NPURunner"
    assert "v1 leaves the least difference, 0 tokens" in found.how
    assert "the next, v2" in found.how
    assert found.sure


def test_a_commit_between_two_tags(folder: Path) -> None:
    between = RUNNER_3.replace("self.sampler(logits,", "self.sampler(logits, self.generators,")
    sha = commit(folder / "npulib", {PATH: between})
    commit(folder / "npulib", {PATH: RUNNER + "\n\nX = 1\n"})
    git(folder / "npulib", "tag", "v4")
    (folder / "local.py").write_text(between)
    found = find_base(read_address(Address("local.py")), "execute", target("v4"))
    assert found.address.revision == sha[:12]
    assert f"{sha[:7]} (" in found.how
    assert not found.sure
    assert "not sure, look at it" in found.how


def test_the_newest_of_the_tags_with_the_same_code(folder: Path) -> None:
    commit(folder / "npulib", {"other.py": ""})
    git(folder / "npulib", "tag", "v3.1")
    (folder / "local.py").write_text(RUNNER_3)
    found = find_base(read_address(Address("local.py")), "execute", target("v3.1"))
    assert found.address.revision == "v3.1"
    assert "as 1 other version" in found.how


def test_another_name_upstream(folder: Path) -> None:
    (folder / "local.py").write_text(LOCAL.replace("def execute(", "def execute_twice("))
    local = read_address(parse_address("local.py::DownNPURunner.execute_twice"))
    found = find_base(
        local, "execute_twice", target(qualname="NPURunner.execute"), base_method="execute"
    )
    assert (found.address.revision, found.address.qualname) == ("v1", "NPURunner.execute")


def test_a_function_that_is_assigned_to_the_class(folder: Path) -> None:
    body = RUNNER.partition("    def execute")[2]
    text = "def execute" + body.replace("\n    ", "\n") + "\n\nNPURunner.execute = execute\n"
    (folder / "local.py").write_text(text)
    found = find_base(read_address(Address("local.py")), "execute", target(qualname=None))
    assert found.address.revision == "v1"


def test_a_file_without_a_history(folder: Path) -> None:
    local = read_address(Address("local.py"))
    with pytest.raises(UsageError, match="without a history") as caught:
        find_base(local, "execute", Address(f"npulib/{PATH}"))
    assert "--base" in caught.value.hint


def test_what_is_a_copy_of_no_version(folder: Path) -> None:
    (folder / "local.py").write_text("class R:\n    def execute(self, batch):\n        return 3\n")
    with pytest.raises(InputError, match="is a copy of no version") as caught:
        find_base(read_address(Address("local.py")), "execute", target())
    assert caught.value.path == "local.py"


def test_a_function_that_no_version_has(folder: Path) -> None:
    local = read_address(Address("local.py"))
    with pytest.raises(InputError, match=r"no version in the history .* has NPURunner.talk"):
        find_base(local, "talk", target())


def test_what_is_not_there(folder: Path) -> None:
    local = read_address(Address("local.py"))
    with pytest.raises(InputError, match="no function gone"):
        find_base(local, "gone", target())
    with pytest.raises(RevisionError):
        find_base(local, "execute", target("v9"))
