from __future__ import annotations

import json
from pathlib import Path

import pytest

from omni_port.address import parse_address
from omni_port.drifting import DriftRequest, compare_classes, load_baseline, write_baseline
from omni_port.errors import ConfigurationError, UsageError

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


@pytest.mark.parametrize("text", ["", "[]", json.dumps({"version": 1, "methods": {}})])
def test_what_is_no_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(ConfigurationError, match="not a baseline"):
        load_baseline(tmp_path / "known.json", "NPU < GPU")


def test_both_classes_are_named(tmp_path: Path) -> None:
    asked = request(tmp_path)
    with pytest.raises(UsageError, match="name the class"):
        compare_classes(DriftRequest(parse_address(f"{tmp_path}/npu.py"), asked.gpu))
