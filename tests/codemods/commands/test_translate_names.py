"""The translation under LibCST's codemod runner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import libcst as cst
from libcst.codemod import CodemodContext

from omni_codemods.commands.translate_names import TranslateNamesCommand

TEXT = "import torch\nx = '\u00e9', torch.cuda.CUDAGraph()\nbad = torch.cuda.cudart()\n"


def test_translates_and_warns() -> None:
    context = CodemodContext()
    tree = TranslateNamesCommand(context).transform_module(cst.parse_module(TEXT))
    assert tree.code == TEXT.replace("cuda.CUDAGraph", "npu.NPUGraph")
    assert [warning.split()[1] for warning in context.warnings] == ["OP101"]


def test_encoding_and_line_ends_stay() -> None:
    data = ("# coding: latin-1\r\n" + TEXT.replace("\n", "\r\n")).encode("latin-1")
    tree = TranslateNamesCommand(CodemodContext()).transform_module(cst.parse_module(data))
    assert tree.bytes == data.replace(b"cuda.CUDAGraph", b"npu.NPUGraph")


def test_nothing_to_do_gives_the_tree_back() -> None:
    tree = cst.parse_module("x = 1\n")
    assert TranslateNamesCommand(CodemodContext()).transform_module_impl(tree) is tree


def test_target_and_dialect() -> None:
    text = "from vllm.v1.worker.gpu_worker import Worker\nclass W(Worker): ...\n"
    command = TranslateNamesCommand(CodemodContext(), target="vllm-ascend==0.11.0")
    assert "vllm_ascend.worker.worker_v1" in command.transform_module(cst.parse_module(text)).code
    text = "import torch\ntorch.cuda.synchronize()\n"
    command = TranslateNamesCommand(CodemodContext(), dialect="accelerator")
    assert "torch.accelerator" in command.transform_module(cst.parse_module(text)).code


def test_runs_under_the_libcst_tool(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(TEXT, encoding="utf-8")
    command = "omni_codemods.commands.translate_names.TranslateNamesCommand"
    done = subprocess.run(
        [sys.executable, "-m", "libcst.tool", "codemod", "-x", command, str(file), "--no-format"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert file.read_text(encoding="utf-8") == TEXT.replace("cuda.CUDAGraph", "npu.NPUGraph")
    assert "OP101" in done.stderr
