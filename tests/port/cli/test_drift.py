from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

GPU = """\
import torch


class GPU:
    def same(self):
        torch.cuda.synchronize()

    def other(self, x):
        return self.one(x)
"""
NPU = """\
import torch


class NPU:
    def same(self):
        torch.npu.synchronize()

    def other(self, x):
        return self.one(x, fast=True)
"""
DRIFT = ("drift", "--local", "npu.py::NPU", "--gpu", "gpu.py::GPU")
KNOWN = (*DRIFT, "--baseline", "known.json")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> Path:
    (tmp_path / "gpu.py").write_text(GPU)
    (tmp_path / "npu.py").write_text(NPU)
    return tmp_path


def test_text(command: Command) -> None:
    ran = command(*DRIFT)
    assert ran.code == ExitCode.DONE
    assert ran.text == (
        "translated  same  gpu 5-6, npu 5-6\n"
        "differs     other  gpu 8-9, npu 8-9\n"
        "    gpu 9, npu 9:\n"
        "    -         return self.one(x)\n"
        "    +         return self.one(x, fast=True)\n"
    )
    assert ran.err == "NPU < GPU: 2 methods: 1 translated, 1 differs\n"


def test_json(command: Command) -> None:
    report = json.loads(command(*DRIFT, "--format", "json").text)
    jsonschema.validate(report, load_schema("drift"))
    assert report["summary"]["differs"] == 1
    (difference,) = report["methods"][1]["differences"]
    assert difference["gpu"] == {"start": 9, "end": 9}
    assert difference["local_code"] == "        return self.one(x, fast=True)\n"


TRANSLATED = """\
class {0}:
    def load(self):
        self.cudagraph = {1}CUDAGraphWrapper(self.model)
        self.one(self.first, self.second, self.third)
        self.two(self.first)
        self.three(self.second)
        self.four(self.third)
"""


def test_code_is_shown_as_compared_and_moved_code_by_its_place(
    command: Command, files: Path
) -> None:
    imported = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n\n\n"
    (files / "gpu.py").write_text(imported + TRANSLATED.format("GPU", "1, "))
    one = "        self.one(self.first, self.second, self.third)\n"
    npu = TRANSLATED.format("NPU", "2, ").replace("CUDAGraphW", "ACLGraphW").replace(one, "")
    (files / "npu.py").write_text(npu + one)
    ran = command(*DRIFT)
    assert ran.text == (
        "differs     load  gpu 5-10, npu 2-7\n"
        "    gpu 6 (translated), npu 3:\n"
        "    -         self.cudagraph = 1, ACLGraphWrapper(self.model)\n"
        "    +         self.cudagraph = 2, ACLGraphWrapper(self.model)\n"
        "    gpu 7, npu 7: moved\n"
    )
    report = json.loads(command(*DRIFT, "--format", "json").text)
    jsonschema.validate(report, load_schema("drift"))
    first, second = report["methods"][0]["differences"]
    assert first["gpu_code"] == "        self.cudagraph = 1, CUDAGraphWrapper(self.model)\n"
    assert (first["moved"], second["moved"]) == (False, True)


def test_bases(command: Command, files: Path) -> None:
    mixin = "class Mixin:\n    def same(self):\n        return 1\n\n\n"
    (files / "gpu.py").write_text(GPU.replace("class GPU:", mixin + "class GPU(Mixin):"))
    gone = NPU.replace("class NPU:", mixin.replace("Mixin", "Other") + "class NPU(Other):")
    same = "    def same(self):\n        torch.npu.synchronize()\n\n"
    (files / "npu.py").write_text(gone.replace(same, ""))
    ran = command(*KNOWN)
    first, second = ran.text.splitlines()[:2]
    assert first == "gpu-only    base __local__.Mixin"
    assert second == "gpu-only    same  gpu 10-11, npu - (has that of __local__.Other, 5-6)"
    assert "1 base gpu-only" in ran.err
    report = json.loads(command(*DRIFT, "--format", "json").text)
    jsonschema.validate(report, load_schema("drift"))
    assert report["bases"] == ["__local__.Mixin"]
    assert report["methods"][0]["inherited"] == {
        "class": "__local__.Other",
        "lines": {"start": 5, "end": 6},
    }
    command(*KNOWN, "--write-baseline")
    known = command(*KNOWN, "--check")
    assert known.code == ExitCode.DONE
    assert known.text.splitlines()[0] == "gpu-only    base __local__.Mixin  (known)"


def test_check_without_a_baseline(command: Command, files: Path) -> None:
    assert command(*DRIFT, "--check").code == ExitCode.WOULD_CHANGE
    (files / "npu.py").write_text(NPU.replace(", fast=True", ""))
    assert command(*DRIFT, "--check").code == ExitCode.DONE


def test_only_new_drift_fails(command: Command, files: Path) -> None:
    assert command(*KNOWN, "--check").code == ExitCode.WOULD_CHANGE
    assert command(*KNOWN, "--write-baseline").code == ExitCode.DONE
    known = command(*KNOWN, "--check")
    assert known.code == ExitCode.DONE
    assert "(known)" in known.text
    (files / "gpu.py").write_text("# moved\n" + GPU)
    assert command(*KNOWN, "--check").code == ExitCode.DONE
    new = "    def new(self): ...\n\n    def other"
    for name, text in (("gpu.py", GPU), ("npu.py", NPU)):
        renamed = text.replace("same", "waits").replace("    def other", new)
        (files / name).write_text(renamed)
    assert command(*KNOWN, "--check").code == ExitCode.DONE
    (files / "npu.py").write_text(NPU)
    (files / "gpu.py").write_text(GPU + "\n    def more(self):\n        pass\n")
    more = command(*KNOWN, "--check")
    assert more.code == ExitCode.WOULD_CHANGE
    assert "1 difference not in the baseline" in more.err
    (files / "gpu.py").write_text(GPU.replace("self.one(x)", "self.one(x, 1)"))
    assert command(*KNOWN, "--check").code == ExitCode.WOULD_CHANGE


def test_a_baseline_holds_several_pairs(command: Command, files: Path) -> None:
    command(*KNOWN, "--write-baseline")
    (files / "npu.py").write_text(NPU.replace("class NPU", "class Other"))
    other = [word.replace("::NPU", "::Other") for word in KNOWN]
    command(*other, "--write-baseline")
    baseline = json.loads((files / "known.json").read_text())
    assert list(baseline["classes"]) == ["NPU < GPU", "Other < GPU"]
    assert command(*other, "--check").code == ExitCode.DONE


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((*DRIFT, "--write-baseline"), ExitCode.USAGE, "--write-baseline needs --baseline"),
        (("drift", "--local", "npu.py", *DRIFT[3:]), ExitCode.USAGE, "--local PATH::CLASS"),
        (("drift", "--local", "npu.py::N", *DRIFT[3:]), ExitCode.INPUT, "no class N"),
        (("drift", "--local", "no.py::N", *DRIFT[3:]), ExitCode.INPUT, "no.py"),
    ],
)
def test_errors(command: Command, arguments: tuple[str, ...], code: int, message: str) -> None:
    ran = command(*arguments)
    assert ran.code == code
    assert message in ran.err
    assert ran.out == b""


def test_what_is_no_baseline(command: Command, files: Path) -> None:
    (files / "known.json").write_text("[]")
    ran = command(*KNOWN, "--check")
    assert ran.code == ExitCode.USAGE
    assert "not a baseline" in ran.err
