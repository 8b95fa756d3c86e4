from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from followed import LOCAL, RUNNER_3
from gitrepos import commit, fingerprint, git
from omni_port.base.errors import RevisionError
from omni_port.sources.upstream import Upstream
from omni_port.survey.draft import Draft
from omni_port.survey.surveying import SurveyRequest, survey_project

PATH = "down/npu/npu_runner.py"
NPULIB = Upstream("npulib", "v3", repository="../npulib")
GPULIB = Upstream("gpulib", "v2", repository="../gpulib")


def survey(world: Path, *upstreams: Upstream, **options: object) -> Draft:
    request = SurveyRequest(world / "down", upstreams or (NPULIB, GPULIB))
    return survey_project(replace(request, **options))  # type: ignore[arg-type]


def test_a_port_with_its_sibling_and_both_upstreams(world: Path) -> None:
    draft = survey(world)
    (port,) = draft.ports
    assert port.local == f"{PATH}::DownNPURunner"
    assert port.upstream == "npulib:npulib/worker/runner.py::NPURunner"
    assert port.methods == ("prepare", "execute")
    assert port.sibling == "down/gpu_runner.py::DownGPURunner"
    assert port.sibling_upstream == "gpulib:gpulib/runner.py::GPURunner"
    assert (port.sure, port.base) == (True, None)
    npulib, gpulib = draft.upstreams
    assert (npulib.current, npulib.target, npulib.guessed) == ("v1", "v3", frozenset())
    assert "nearest to" in npulib.how
    # Its methods are the same in both tags, so nothing tells them apart.
    assert "current" in gpulib.guessed
    assert "as near: v1" in gpulib.how
    assert draft.siblings is not None
    assert (draft.siblings.current, draft.siblings.guessed) == ("r1", True)


def test_nothing_is_written_anywhere(world: Path) -> None:
    before = fingerprint(world)
    survey(world)
    assert fingerprint(world) == before


def test_a_pin_says_what_is_current(world: Path) -> None:
    commit(world / "down", {"requirements.txt": "npulib==2\n", "pyproject.toml": 'x = "npulib==1"'})
    npulib, _ = survey(world).upstreams
    assert (npulib.current, npulib.guessed) == ("v1", frozenset({"current"}))
    assert npulib.how == "pinned in pyproject.toml:1; elsewhere it is v2"


def test_a_pin_that_the_code_contradicts_gives_methods_a_base_of_their_own(world: Path) -> None:
    commit(world / "down", {"requirements.txt": "npulib==3\n"})
    draft = survey(world)
    how = draft.upstreams[0].how
    assert how.startswith("pinned in requirements.txt:1; 1 of its ")
    assert how.endswith("surely of another revision")
    # `prepare` is surely nearer to v1 than to v3; of `execute` that is not sure.
    bases = {port.local.rpartition(".")[2]: port.base for port in draft.ports}
    assert "v1" in bases.values()


def test_a_pin_without_a_tag_is_told(world: Path) -> None:
    commit(world / "down", {"requirements.txt": "npulib==7.7\n"})
    draft = survey(world)
    assert draft.upstreams[0].current == "v1"
    assert any("requirements.txt:1 pins npulib to 7.7" in remark for remark in draft.remarks)


def test_a_note_says_what_is_current_and_what_a_method_is_from(world: Path) -> None:
    sha = git(world / "npulib", "rev-parse", "v2")
    note = f"    # Upstream source: npulib commit {sha[:9]}, NPURunner.execute.\n    def execute"
    text = LOCAL.replace("    def execute", note)
    commit(world / "down", {PATH: text})
    (npulib, _), (port, *_) = survey(world).upstreams, survey(world).ports
    assert npulib.current == sha[:9]
    assert npulib.how == "named in 1 note beside its copies"
    assert port.local == f"{PATH}::DownNPURunner"
    commit(world / "down", {"requirements.txt": "npulib==1\n"})
    draft = survey(world)
    (own,) = [one for one in draft.ports if one.base]
    assert (own.local, own.base) == (f"{PATH}::DownNPURunner.execute", sha[:9])
    assert own.base_how == "named in its note"


def test_a_note_of_a_commit_that_is_not_there_is_told(world: Path) -> None:
    note = "    # Upstream source: npulib commit 0123456abc, NPURunner.execute.\n    def execute"
    commit(world / "down", {PATH: LOCAL.replace("    def execute", note)})
    draft = survey(world)
    assert any("name 0123456abc: git -C ../npulib fetch" in remark for remark in draft.remarks)
    assert "current" in draft.upstreams[0].guessed


def test_what_was_given_stays(world: Path) -> None:
    draft = survey(world, replace(NPULIB, current="v2"), siblings="r1")
    (npulib,) = draft.upstreams
    assert (npulib.current, npulib.guessed) == ("v2", frozenset())
    # What the code says against it is told all the same.
    assert npulib.how == "as given; 1 of its 2 ports surely of another revision"
    assert draft.siblings is not None
    assert (draft.siblings.how, draft.siblings.guessed) == ("as given", False)


def test_folders_of_releases(world: Path) -> None:
    for number in (1, 3):
        git(world / "npulib", "checkout", "-q", f"v{number}")
        target = world / f"release-{number}"
        target.mkdir()
        (world / "npulib/npulib").rename(target / "npulib")
        git(world / "npulib", "checkout", "-q", "-f", f"v{number}")
    upstream = Upstream("npulib", "../release-3", "../release-1")
    draft = survey(world, upstream)
    (port,) = draft.ports
    assert (draft.upstreams[0].current, draft.upstreams[0].repository) == ("../release-1", None)
    assert port.methods == ("prepare", "execute")


def test_a_second_look_where_the_copies_are_of_another_revision(world: Path) -> None:
    # At the target nothing is like the copy any more.
    gone = RUNNER_3.replace("def prepare", "def other").replace("self.input_ids", "self.buffers")
    commit(world / "npulib", {"npulib/worker/runner.py": gone}, date="2026-06-01T00:00:00Z")
    git(world / "npulib", "tag", "v4")
    (port,) = survey(world, replace(NPULIB, target="v4")).ports
    assert port.methods == ("prepare", "execute")


def test_files_without_fences_are_counted_or_looked_at(world: Path) -> None:
    text = RUNNER_3.replace("class NPURunner(GPURunner)", "class Second(NPURunner)")
    head = "from npulib.worker.runner import NPURunner\n"
    commit(world / "down", {"down/second.py": head + text.partition("\n")[2]})
    upstream = replace(NPULIB, current="v1")
    draft = survey(world, upstream)
    assert len(draft.ports) == 1
    assert any("without fences or notes" in remark for remark in draft.remarks)
    every = survey(world, upstream, everything=True)
    bases = {port.local: port.base for port in every.ports}
    assert bases["down/npu/npu_runner.py::DownNPURunner"] is None
    assert bases["down/second.py::Second.prepare"] == "v3"


def test_a_sibling_that_is_a_copy_is_only_proposed(world: Path) -> None:
    draft = survey(world, everything=True)
    (aside,) = [port for port in draft.ports if not port.sure]
    assert aside.local == "down/gpu_runner.py::DownGPURunner"
    assert "it is a sibling" in aside.why[-1]


def test_paths_say_where_to_look(world: Path) -> None:
    draft = survey(world, paths=(world / "down/down/gpu_runner.py",))
    assert {port.local for port in draft.ports} == {"down/gpu_runner.py::DownGPURunner"}
    (port,) = survey(world, paths=(world / "down/down/npu",)).ports
    assert port.sibling == "down/gpu_runner.py::DownGPURunner"


def test_a_copy_of_the_upstream_in_some_folder_hides_nothing(world: Path) -> None:
    commit(world / "down", {"third_party/npulib/__init__.py": ""})
    (port,) = survey(world).ports
    assert port.upstream == "npulib:npulib/worker/runner.py::NPURunner"


def test_an_upstream_that_nothing_is_from_is_told(world: Path) -> None:
    (world / "down/down/npu/npu_runner.py").write_text("x = 1\n")
    draft = survey(world, NPULIB)
    assert draft.ports == ()
    assert "no copy of anything in npulib was found" in draft.remarks
    assert draft.siblings is None


def test_a_revision_that_is_not_there(world: Path) -> None:
    with pytest.raises(RevisionError, match="v9"):
        survey(world, replace(NPULIB, target="v9"))
