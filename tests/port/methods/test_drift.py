from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitrepos import commit, make_repository, needs_git
from omni_codemods.drift.drift import Status
from omni_port.base.address import parse_address
from omni_port.base.errors import ConfigurationError, UsageError
from omni_port.methods.drift import DriftRequest, compare_classes, load_baseline, write_baseline

GPU = "class GPU:\n    def run(self):\n        return 1\n\n    def gone(self):\n        pass\n"
NPU = "class NPU:\n    def run(self):\n        return 2\n"


def request(folder: Path) -> DriftRequest:
    (folder / "gpu.py").write_text(GPU)
    (folder / "npu.py").write_text(NPU)
    return DriftRequest(
        parse_address(f"{folder}/npu.py::NPU"), parse_address(f"{folder}/gpu.py::GPU")
    )


def test_all_is_new_without_a_baseline(tmp_path: Path) -> None:
    drift = compare_classes(request(tmp_path))
    assert [(one.method.name, one.new) for one in drift.methods] == [("run", 1), ("gone", 1)]
    assert drift.new == 2


def test_what_a_baseline_knows_is_not(tmp_path: Path) -> None:
    asked, path = request(tmp_path), tmp_path / "known.json"
    write_baseline(path, compare_classes(asked))
    known = load_baseline(path, asked.pair)
    assert set(known) == {"run", "gone"}
    assert compare_classes(asked, known).new == 0
    assert compare_classes(asked, {"run": known["run"]}).new == 1
    assert load_baseline(path, "Other < GPU") == {}


def test_a_difference_twice_is_known_once(tmp_path: Path) -> None:
    asked = request(tmp_path)
    (digest,) = compare_classes(asked).methods[0].method.digests
    assert compare_classes(asked, {"run": (digest, digest)}).methods[0].new == 0


def test_a_baseline_of_another_version(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(json.dumps({"version": 1, "classes": {}}))
    with pytest.raises(ConfigurationError, match="version 1") as refused:
        load_baseline(tmp_path / "known.json", "NPU < GPU")
    assert "--write-baseline" in refused.value.hint
    with pytest.raises(ConfigurationError):
        write_baseline(tmp_path / "known.json", compare_classes(request(tmp_path)))
    assert json.loads((tmp_path / "known.json").read_text())["version"] == 1


def package(folder: Path) -> DriftRequest:
    home = folder / "src" / "pkg"
    (home / "npu").mkdir(parents=True)
    (home / "__init__.py").write_text("")
    (home / "npu" / "__init__.py").write_text("")
    (home / "mixins.py").write_text(
        "class Mixin:\n    pass\n\n\nclass Base:\n    def gone(self):\n        pass\n"
    )
    (home / "gpu.py").write_text(
        "from .mixins import Base, Mixin\n\n\n" + GPU.replace("GPU:", "GPU(Base, Mixin):")
    )
    (home / "npu" / "npu.py").write_text(
        "from pkg.mixins import Base\n\n\n" + NPU.replace("NPU:", "NPU(Base):")
    )
    return DriftRequest(
        parse_address(f"{home}/npu/npu.py::NPU"), parse_address(f"{home}/gpu.py::GPU")
    )


def test_bases_are_read_in_the_package(tmp_path: Path) -> None:
    drift = compare_classes(package(tmp_path))
    gone = drift.methods[1].method
    assert (gone.name, gone.status, gone.drifts) == ("gone", Status.INHERITED, False)
    assert gone.inherited is not None
    assert gone.inherited.owner == "pkg.mixins.Base"
    assert drift.bases == drift.new_bases == ("pkg.mixins.Mixin",)
    assert drift.new == 2  # what run() returns, and the base


@needs_git
def test_bases_are_read_at_the_revision(tmp_path: Path) -> None:
    asked = package(tmp_path)
    commit(make_repository(tmp_path), {})
    (tmp_path / "src/pkg/mixins.py").write_text("class Base:\n    pass\n")
    at = f"{tmp_path}@HEAD:src/pkg"
    then = DriftRequest(parse_address(f"{at}/npu/npu.py::NPU"), parse_address(f"{at}/gpu.py::GPU"))
    assert compare_classes(then).methods[1].method.status is Status.INHERITED
    assert compare_classes(asked).methods[1].method.status is Status.GPU_ONLY


def test_a_base_that_is_known_is_not_new(tmp_path: Path) -> None:
    asked, path = package(tmp_path), tmp_path / "known.json"
    write_baseline(path, compare_classes(asked))
    known = load_baseline(path, asked.pair)
    drift = compare_classes(asked, known)
    assert (drift.new, drift.bases, drift.new_bases) == (0, ("pkg.mixins.Mixin",), ())
    gpu = tmp_path / "src/pkg/gpu.py"
    gpu.write_text(gpu.read_text().replace("Mixin)", "Mixin, Late)") + "\n\nclass Late: ...\n")
    again = compare_classes(asked, known)
    assert (again.new, again.new_bases) == (1, ("pkg.gpu.Late",))


@pytest.mark.parametrize("text", ["", "[]", json.dumps({"version": 1, "methods": {}})])
def test_what_is_no_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(ConfigurationError, match="not a baseline"):
        load_baseline(tmp_path / "known.json", "NPU < GPU")


def test_both_classes_are_named(tmp_path: Path) -> None:
    asked = request(tmp_path)
    with pytest.raises(UsageError, match="name the class"):
        compare_classes(DriftRequest(parse_address(f"{tmp_path}/npu.py"), asked.gpu))
