from __future__ import annotations

import ast
from pathlib import Path

import pytest

from omni_codemods.table.table import packaged
from twin_lines import Judge, Reason, Side, code_lines, count_differing, read_side
from twins import END, START, Twin, iter_twins, render, target_of

GPU = """
import torch
from vllm.forward_context import set_forward_context

class GPURunner:
    def talk(self, n):
        with set_forward_context(None, self.config, cudagraph_runtime_mode=mode):
            torch.cuda.synchronize()
            return self.talker(n)

    def load(self):
        return 1
"""
NPU = """
import torch
from vllm_ascend.ascend_forward_context import set_ascend_forward_context

class NPURunner:
    def talk(self, n):
        \"\"\"Talk.\"\"\"
        with set_ascend_forward_context(
            None, self.config, aclgraph_runtime_mode=mode, num_actual_tokens=n
        ):
            torch.npu.synchronize()  # wait
            return self.talker(n + 1)

    def load(self):
        return 1
"""


def lines(source: str) -> list[str]:
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    return code_lines(node)


@pytest.fixture
def twins(tmp_path: Path) -> list[Twin]:
    npu = tmp_path / "platforms" / "npu" / "worker"
    npu.mkdir(parents=True)
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "gpu_runner.py").write_text(GPU)
    (npu / "npu_runner.py").write_text(NPU)
    (npu / "npu_alone.py").write_text(NPU)
    return list(iter_twins(tmp_path, packaged().select(None), {}))


def test_what_the_table_explains(twins: list[Twin]) -> None:
    talk, load = twins
    assert (talk.name, load.name) == ("npu_runner.talk", "npu_runner.load")
    # The callee, its keyword and the synchronization agree, on both sides each.
    assert (talk.before, talk.explained) == (9, 6)
    assert [(rest.reason, rest.name) for rest in talk.rest] == [
        (Reason.NEEDED, "num_actual_tokens"),
        (Reason.VALUE, "return self talker"),
        (Reason.VALUE, "return self talker"),
    ]
    assert (load.before, load.rest) == (0, ())


def test_render(twins: list[Twin]) -> None:
    text = render("omni", twins)
    assert "2 twins, of which 1 agree as they are." in text
    assert "| `npu_runner.talk` | 12 | 9 | 6 | 3 | 1 | 0 | 0 | 2 | 0 | 0 | 0 |" in text
    assert "| **all** | 14 | 9 | 6 | 3 |" in text
    assert "- NPU keyword, the names most often: `num_actual_tokens`" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n    'doc'\n    return g(a, 1)\n", "def f(a):\n  return g(\n    a, 1)  # x\n"),
        ("def f(): 'doc'\n", "def f():\n    pass\n"),
    ],
)
def test_layout_and_words_do_not_count(one: str, other: str) -> None:
    assert count_differing(lines(one), lines(other)) == 0


def test_one_argument_a_line() -> None:
    assert lines("def f(x):\n    return g(x, y=h(1), z='a, b')\n") == [
        "def f(x):",
        "return g(",
        "x",
        "y=h(1)",
        "z='a, b'",
        ")",
    ]


@pytest.mark.parametrize(
    ("gpu", "npu", "reason", "name"),
    [
        ("", "setup(1)", Reason.UPSTREAM, "setup"),
        ("", "update_cos_sin(x)", Reason.NPU, "update_cos_sin"),
        ("", "x = self.npu_thing", Reason.NPU, "npu_thing"),
        ("", "x = 'npu'", Reason.NPU_LOGIC, "x"),
        ("", "wait(x)", Reason.IMPORT, "wait"),
        ("", "x = 1", Reason.NPU_LOGIC, "x"),
        ("x = 1", "", Reason.GPU_LOGIC, "x"),
        ("tick(x)", "", Reason.IMPORT, "tick"),
    ],
)
def test_reasons(gpu: str, npu: str, reason: Reason, name: str) -> None:
    gpu_side = Side({"tick": "clock.tick"}, {})
    npu_side = Side({"update_cos_sin": "vllm_ascend.ops.update_cos_sin", "wait": "clock.wait"}, {})
    judge = Judge(gpu_side, npu_side, frozenset({"model_instance"}), frozenset({"setup(1)"}))
    (rest,) = judge.iter_rest([gpu] if gpu else [], [npu] if npu else [])
    assert (rest.reason, rest.name) == (reason, name)


def test_a_side_has_functions_methods_and_imports() -> None:
    side = read_side("def f(): ...\nclass C:\n    def m(self):\n        import a.b as c\n")
    assert (list(side.functions), side.imports) == (["f", "C.m"], {"c": "a.b"})


@pytest.mark.parametrize(
    ("omni", "ascend"), [("0.18.0", "0.18.0"), ("0.30.0", "0.30.0rc2"), ("0.20.5", "0.20.2rc1")]
)
def test_the_release_aimed_at(omni: str, ascend: str) -> None:
    assert target_of(omni) == ascend


def test_the_page_of_the_documentation_has_the_comments() -> None:
    page = Path(__file__).parents[2] / "docs" / "internals" / "twins.md"
    assert page.read_text("utf-8").index(START) < page.read_text("utf-8").index(END)
