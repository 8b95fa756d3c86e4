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
    def run(self, x):
        y = self.read(x)
        y, audio = self.split(y)
        return y

    def store(self, audio):
        self.stored = audio
"""
GPU_AFTER = """\
import torch
from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper


class GPU:
    def run(self, x):
        torch.cuda.synchronize()
        y = self.read(x)
        y, audio = self.split(y)
        self.store(audio)
        return y

    def store(self, audio):
        self.stored = audio

    def flush(self):
        torch.cuda.synchronize()
        self.stored = None
"""
LOCAL = """\
import torch


class NPU:
    def run(self, x):
        y = self.read(x)
        # ---- Omni-new ----
        y, audio = self.split(y)
        # ---- Omni-new ----
        return y
"""
STORE = "        self.store(audio)\n"
RESULT = LOCAL.replace("        return y\n", STORE + "        return y\n")
UP = LOCAL.replace("class NPU", "class Up").replace("        y, audio = self.split(y)\n", "")
UP = "\n".join(line for line in UP.split("\n") if "Omni-new" not in line)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> Path:
    texts = {"gpu": GPU, "gpu_after": GPU_AFTER, "local": LOCAL, "up": UP}
    texts["target"] = UP.replace("self.read(x)", "self.read(x, deep=1)")
    texts["clash"] = GPU.replace("self.split(y)", "self.split(y, rate=2)")
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


ENDS = ("--gpu-base", "gpu.py::GPU", "--gpu-target", "gpu_after.py::GPU")
SYNC = ("sync-method", "--method", "run", "--local", "local.py::NPU", *ENDS)
CLASH = (*SYNC[:-1], "clash.py::GPU")
UPSTREAM = ("--base", "up.py::Up", "--target", "target.py::Up")
REBASE = ("rebase-method", "--method", "run", "--local", "local.py::NPU", *UPSTREAM)


def test_result_on_stdout_and_summary_on_stderr(command: Command, files: Path) -> None:
    ran = command(*SYNC)
    assert ran.code == ExitCode.DONE
    assert ran.text == RESULT
    assert "carried   exact    gpu 10 -> 10" in ran.err
    assert "proposed  guessed  gpu 7 -> -" in ran.err
    assert "sibling new method" in ran.err
    assert "(not in the text; -v or --report shows it)" in ran.err
    assert "no --gpu-upstream-base" in ran.err
    assert "3 edits (3 of the sibling): 1 carried, 2 proposed" in ran.err
    assert "OP501" in ran.err
    assert (files / "local.py").read_text() == LOCAL


def test_verbose_shows_what_is_proposed(command: Command) -> None:
    ran = command("-v", *SYNC)
    assert "\n    torch.npu.synchronize()\n" in ran.err
    assert "\n    def flush(self):\n        torch.npu.synchronize()\n" in ran.err


def test_output_in_place_and_diff(command: Command, files: Path) -> None:
    assert command(*SYNC, "-o", "out.py").out == b""
    assert (files / "out.py").read_text() == RESULT
    assert f"+{STORE}" in command(*SYNC, "--diff").text
    assert (files / "local.py").read_text() == LOCAL
    command(*SYNC, "--in-place")
    assert (files / "local.py").read_text() == RESULT
    assert command(*SYNC).text == RESULT


def test_an_unchanged_sibling(command: Command) -> None:
    ran = command(*SYNC[:-1], "gpu.py::GPU")
    assert ran.text == LOCAL
    assert "run: the sibling changed nothing that this method lacks" in ran.err


def test_a_conflict_exits_3(command: Command) -> None:
    ran = command(*CLASH, "--policy", "strict")
    assert ran.code == ExitCode.PERSON
    assert "<<<<<<< local (local.py)\n" in ran.text
    assert "||||||| gpu-base (gpu.py)\n" in ran.text
    assert ">>>>>>> gpu-target (clash.py)\n" in ran.text


def test_what_a_block_holds_follows_and_is_shown(command: Command) -> None:
    ran = command(*CLASH)
    assert ran.code == ExitCode.DONE
    assert "followed  exact" in ran.err
    assert "changed what a block holds, as the sibling did:\n" in ran.err
    assert "what is left to look at: 1 change of what a block holds" in ran.err


@pytest.mark.parametrize("arguments", [SYNC, CLASH, (*REBASE, *ENDS), REBASE])
def test_the_json_report_keeps_to_its_schema(
    command: Command, files: Path, arguments: tuple[str, ...]
) -> None:
    command(*arguments, "--report", "report.json")
    report = json.loads((files / "report.json").read_text())
    jsonschema.validate(report, load_schema("rebase"))
    assert report["command"] == arguments[0]
    assert (
        ("gpu-base" in report["sides"]) == (report["judged"] is not None) == (arguments != REBASE)
    )


def test_the_json_report_has_what_is_proposed(command: Command, files: Path) -> None:
    command(*SYNC, "--report", "report.json")
    report = json.loads((files / "report.json").read_text())
    assert report["summary"]["proposed"] == 2
    proposed = [edit for edit in report["edits"] if edit["outcome"] == "proposed"]
    assert [edit["sibling"] for edit in proposed] == [
        {"start": 7, "end": 7},
        {"start": 16, "end": 18},
    ]
    assert all(edit["local"] is None for edit in proposed)
    assert proposed[0]["proposed"] == "torch.npu.synchronize()\n"


def test_the_markdown_report_shows_the_code(command: Command, files: Path) -> None:
    command(*SYNC, "--report", "report.md")
    text = (files / "report.md").read_text()
    assert text.startswith("# Sync of `NPU.run`\n")
    assert "### New method, lines 16-18 of gpu-target\n" in text
    assert "```python\ntorch.npu.synchronize()\n```" in text
    assert "| carried | exact | gpu 10 | 10 | sibling insertion |" in text
    assert "What the sibling did to the method, gpu-base to gpu-target" in text
    assert "| gpu-target | `gpu_after.py::GPU` |" in text


def test_a_rebase_with_a_sibling_does_both(command: Command, files: Path) -> None:
    ran = command(*REBASE, *ENDS, "--report", "report.md")
    assert ran.code == ExitCode.DONE
    assert ran.text == RESULT.replace("self.read(x)", "self.read(x, deep=1)")
    assert "1 block, 0 drift, 3 of the sibling" in ran.err
    text = (files / "report.md").read_text()
    assert text.startswith("# Rebase of `NPU.run`\n")
    assert "What upstream did to the method" in text
    assert "What the sibling did to the method" in text


def test_with_the_siblings_upstream(command: Command, files: Path) -> None:
    (files / "up_gpu.py").write_text(UP)
    after = UP.replace("        y = self", "        torch.cuda.synchronize()\n        y = self")
    (files / "up_gpu_after.py").write_text(after)
    upstreams = ("--gpu-upstream-base", "up_gpu.py::Up", "--gpu-upstream-target")
    ran = command(*SYNC, *upstreams, "up_gpu_after.py::Up")
    assert ran.text == RESULT
    assert "told by the sibling's upstream at both ends" in ran.err


def test_a_table_of_ones_own(command: Command, files: Path) -> None:
    table = 'name = "ours"\nextends = true\n\n[[symbol]]\nid = "keep"\n'
    table += 'gpu = "ours.Store"\nnpu = "ours.npu.NPUStore"\n'
    (files / "ours.toml").write_text(table)
    use = "        audio = Store(audio)\n"
    after = "from ours import Store\n" + GPU.replace(
        "        return y\n", use + "        return y\n"
    )
    (files / "gpu_after.py").write_text(after)
    local = "from ours import Store\nfrom ours.npu import NPUStore\n" + LOCAL
    (files / "local.py").write_text(local)
    assert "audio = NPUStore(audio)" in command(*SYNC, "--table", "ours.toml").text
    assert "audio = Store(audio)" in command(*SYNC).text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (SYNC[:-2], "need each other"),
        ((*REBASE, *ENDS[:2]), "need each other"),
        ((*REBASE, "--table-target", "vllm-ascend==0.19.1rc1"), "--gpu-base"),
        ((*SYNC, "--gpu-upstream-base", "up.py"), "need each other"),
        ((*SYNC, "--target", "nonsense"), "nonsense"),
        ((*SYNC, "--report", "x.txt"), "must end in"),
    ],
)
def test_usage(command: Command, arguments: tuple[str, ...], message: str) -> None:
    ran = command(*arguments)
    assert ran.code == ExitCode.USAGE
    assert message in ran.err
    assert ran.out == b""


def test_errors_name_the_file_of_their_side(command: Command, files: Path) -> None:
    ran = command(*SYNC[:-1], "gpu_after.py::GPURunner")
    assert ran.code == ExitCode.INPUT
    assert "gpu_after.py::GPURunner" in ran.err
    assert "gpu-target: no class GPURunner" in ran.err
    (files / "gpu.py").write_text("class GPU(:\n")
    ran = command(*SYNC)
    assert ran.code == ExitCode.INPUT
    assert "gpu.py" in ran.err
