from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import UsageError
from omni_port.project.project import require_project
from omni_port.survey.initial import InitRequest, make_project_file

NPULIB = "npulib=../npulib@v1..v3"


def test_the_file_is_a_project_file(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = world / "down"
    monkeypatch.chdir(root)
    made = make_project_file(InitRequest(root, upstreams=(NPULIB, "gpulib=../gpulib@v1..v2")))
    assert not (root / "omni-port.toml").exists()
    (root / "omni-port.toml").write_text(made.text)
    (port,) = require_project(root).ports
    assert (port.name, port.methods) == ("DownNPURunner", ("prepare", "execute"))
    assert str(port.sibling_upstream) == "gpulib:gpulib/runner.py::GPURunner"


def test_paths_are_relative_to_the_root_wherever_one_stands(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = world / "down" / "down" / "npu"
    monkeypatch.chdir(folder)
    request = InitRequest(folder, upstreams=("npulib=../../../npulib@v1..v3",))
    assert request.root == world / "down"
    assert make_project_file(request).draft.upstreams[0].repository == "../npulib"


def test_without_a_repository_the_folder_is_the_root(tmp_path: Path) -> None:
    assert InitRequest(tmp_path).root == tmp_path


def test_what_was_configured_stays(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = world / "down"
    monkeypatch.chdir(root)
    (root / "omni-port.toml").write_text(
        'target = "vllm-ascend==0.18.0"\ntables = ["t/own.toml"]\nexclude = ["third_party/"]\n'
        '[check]\nignore = ["OP612"]\n[[gate.rule]]\nname = "mine"\nchange = ["moved"]\n'
        '[[gate.override]]\nrule = "mine"\nreason = "a \\"word\\""\n[upstream.old]\ntarget = "x"\n'
    )
    made = make_project_file(InitRequest(root, upstreams=(NPULIB,)))
    (root / "omni-port.toml").write_text(made.text)
    settings = require_project(root).settings
    assert settings.target == "vllm-ascend==0.18.0"
    assert settings.tables == (str(root / "t/own.toml"),)
    assert settings.exclude == ("third_party/",)
    assert settings.check.ignore == ("OP612",)
    assert [rule.name for rule in settings.gate.rule] == ["mine"]
    assert settings.gate.override[0].reason == 'a "word"'
    assert list(settings.upstream) == ["npulib"]


def test_without_an_upstream_it_is_said_how_to_name_one(tmp_path: Path) -> None:
    root = tmp_path / "alone"
    root.mkdir()
    (root / "a.py").write_text("import os\n")
    with pytest.raises(UsageError, match="no upstream is named") as caught:
        make_project_file(InitRequest(root))
    assert "--upstream" in caught.value.hint
