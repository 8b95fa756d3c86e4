from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.errors import ExitCode
from omni_port.report.schema import load_schema

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
