from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from followed import CONFIGURATION, make_project, make_upstreams
from omni_port.base.errors import ConfigurationError, InputError, UsageError
from omni_port.methods.requests import gpu_request, rebase_request, require_sibling, upstream_method
from omni_port.project.project import Project, require_project


@pytest.fixture
def down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    monkeypatch.chdir(make_project(tmp_path))
    return tmp_path / "down"


def project(down: Path, text: str = CONFIGURATION) -> Project:
    (down / "omni-port.toml").write_text(text)
    return require_project(down)


def test_the_sides_come_from_the_project(down: Path) -> None:
    one = project(down)
    request = rebase_request(one, one.ports[0], "execute")
    assert str(request.local) == "down/npu/npu_runner.py::DownNPURunner"
    assert str(request.base) == "../npulib@v1:npulib/worker/runner.py::NPURunner"
    assert str(request.target) == "../npulib@v3:npulib/worker/runner.py::NPURunner"
    assert (request.base_method, request.base_how, request.policy) == (None, "", "replay")
    assert request.gpu is not None
    assert str(request.gpu.base) == ".@r1:down/gpu_runner.py::DownGPURunner"
    assert str(request.gpu.target) == "down/gpu_runner.py::DownGPURunner"
    assert request.gpu.upstream_base is None


def test_without_a_sync(down: Path) -> None:
    one = project(down)
    assert rebase_request(one, one.ports[0], "execute", sync=False).gpu is None


def test_a_base_of_the_port_and_one_that_is_given(down: Path) -> None:
    one = project(down, CONFIGURATION + 'base = "v2"\n')
    request = rebase_request(one, one.ports[0], "execute")
    assert request.base.revision == "v2"
    given = rebase_request(one, one.ports[0], "execute", base=request.target)
    assert given.base.revision == "v3"


def test_without_a_current_revision_each_base_is_found(down: Path) -> None:
    one = project(down, CONFIGURATION.replace('current = "v1"\n', ""))
    request = rebase_request(one, one.ports[0], "execute")
    assert request.base.revision == "v1"
    assert request.base_how.startswith("found: v1 leaves the least difference")


def test_of_no_method_in_particular_the_base_is_the_target(down: Path) -> None:
    one = project(down, CONFIGURATION.replace('current = "v1"\n', ""))
    assert rebase_request(one, one.ports[0], "", sync=False).base.revision == "v3"
    known = project(down)
    assert rebase_request(known, known.ports[0], "", sync=False).base.revision == "v1"


def test_a_function_of_another_name(down: Path) -> None:
    path = down / "down/npu/npu_runner.py"
    path.write_text(path.read_text().replace("def execute(", "def execute_twice("))
    text = CONFIGURATION.replace("DownNPURunner", "DownNPURunner.execute_twice")
    text = text.replace("::NPURunner", "::NPURunner.execute").replace('current = "v1"\n', "")
    one = project(down, text.replace('methods = ["prepare", "execute"]\n', ""))
    request = rebase_request(one, one.ports[0], "execute_twice")
    assert request.base_method == "execute"
    assert str(request.base) == "../npulib@v1:npulib/worker/runner.py::NPURunner.execute"
    assert upstream_method(one.ports[0], "execute_twice") == "execute"


def test_folders_without_a_current_one_lack_a_base(down: Path) -> None:
    text = CONFIGURATION.replace('repository = "../npulib"\ncurrent = "v1"\n', "", 1)
    one = project(down, text)
    with pytest.raises(ConfigurationError, match="says no 'current' revision"):
        rebase_request(one, one.ports[0], "execute")


def test_no_sibling_no_sync(down: Path) -> None:
    one = project(down, CONFIGURATION.rpartition("sibling =")[0])
    assert gpu_request(one, one.ports[0]) is None
    text = CONFIGURATION.replace('[siblings]\nrepository = "."\ncurrent = "r1"\n', "")
    one = project(down, text)
    assert gpu_request(one, one.ports[0]) is None


def test_the_siblings_upstream_counts_where_its_revisions_are_known(down: Path) -> None:
    more = 'sibling-upstream = "gpulib:gpulib/runner.py::GPURunner"\n'
    known = '[upstream.gpulib]\nrepository = "../gpulib"\ncurrent = "v1"\ntarget = "v2"\n'
    one = project(down, known + CONFIGURATION + more)
    request = gpu_request(one, one.ports[0])
    assert request is not None
    assert str(request.upstream_base) == "../gpulib@v1:gpulib/runner.py::GPURunner"
    one = project(down, known.replace('current = "v1"\n', "") + CONFIGURATION + more)
    request = gpu_request(one, one.ports[0])
    assert request is not None
    assert request.upstream_base is None


def test_a_method_without_a_base_in_the_history(down: Path) -> None:
    one = project(down, CONFIGURATION.replace('repository = "../npulib"\ncurrent = "v1"\n', ""))
    with pytest.raises((ConfigurationError, UsageError)):
        rebase_request(one, one.ports[0], "execute")


def test_a_sibling_that_is_at_both_ends(down: Path) -> None:
    one = project(down)
    require_sibling(one, one.ports[0])
    require_sibling(one, replace(one.ports[0], sibling=None))


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("::DownGPURunner", "::DownGPURunne", "no class or function DownGPURunne in down/gpu_r"),
        ("gpu_runner.py::", "gpu.py::", "no file 'down/gpu.py' at r1"),
        ('current = "r1"', 'current = "r9"', "unknown revision 'r9'"),
    ],
)
def test_a_sibling_that_is_not_there_is_named_with_its_port(
    down: Path, before: str, after: str, says: str
) -> None:
    assert before in CONFIGURATION
    one = project(down, CONFIGURATION.replace(before, after))
    with pytest.raises(InputError) as caught:
        require_sibling(one, one.ports[0])
    assert caught.value.message.startswith("the sibling of port DownNPURunner: ")
    assert says in caught.value.message
    assert caught.value.path.endswith("omni-port.toml")
    assert caught.value.hint.endswith("a port without `sibling` is rebased, and not synced")


def test_a_sibling_that_the_working_tree_lacks(down: Path) -> None:
    one = project(down)
    (down / "down/gpu_runner.py").unlink()
    with pytest.raises(InputError, match="sibling of port DownNPURunner: cannot be read"):
        require_sibling(one, one.ports[0])


def test_a_project_in_a_folder_of_its_repository(
    down: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CONFIGURATION.replace('"down/', '"').replace('"../', '"../../')
    (down / "omni-port.toml").unlink(missing_ok=True)
    (down / "down/omni-port.toml").write_text(text)
    monkeypatch.chdir(down / "down")
    one = require_project(down / "down")
    request = gpu_request(one, one.ports[0])
    assert request is not None
    assert str(request.base) == ".@r1:down/gpu_runner.py::DownGPURunner"
    require_sibling(one, one.ports[0])
