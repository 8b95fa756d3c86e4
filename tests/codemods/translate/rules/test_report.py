"""What a person must look at: missing members, calls to review, objects of unknown type."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.table.table import packaged
from omni_codemods.testing import check_noop
from omni_codemods.translate import translate

RUNNER = (
    "from vllm.v1.worker.gpu_model_runner import GPUModelRunner\n"
    "class R(GPUModelRunner):\n    def f(self):\n        self._dummy_run(1)\n"
)


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_calls_to_review_in_a_class_that_changed_its_base() -> None:
    (finding,) = translate(RUNNER).findings
    assert (finding.code, finding.line, finding.column) == ("OP121", 4, 8)
    assert finding.severity is Severity.NOTE


def test_no_review_elsewhere() -> None:
    assert codes("class R:\n    def f(self):\n        self._dummy_run(1)\n") == []
    assert codes(RUNNER.replace("self._dummy_run", "other._dummy_run")) == []


def test_members_missing_in_some_releases() -> None:
    text = "from vllm.compilation.cuda_graph import CUDAGraphWrapper as W\nW.clear_all_graphs()\n"
    has = packaged().select("vllm-ascend==0.22.1rc1")
    assert codes(text) == ["OP122"]
    assert [f.code for f in translate(text, table=has).findings] == []


def test_names_that_came_later() -> None:
    text = (
        "from vllm.compilation.breakable_cudagraph import BreakableCUDAGraphWrapper\n"
        "BreakableCUDAGraphWrapper()\n"
    )
    old = packaged().select("vllm-ascend==0.26.0rc1")
    result = translate(text, table=old)
    assert result.text == text
    assert [f.code for f in result.findings] == ["OP101"]
    assert "BreakableACLGraphWrapper" in translate(text).text


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("def f(x): return x.cuda()\n", Severity.WARNING),
        ("def f(x): return x.is_cuda\n", Severity.NOTE),
        ("def f(x): return x[0].stream().cuda_stream\n", Severity.NOTE),
    ],
)
def test_objects_of_unknown_type(text: str, severity: Severity) -> None:
    check_noop(text, dedent=False)
    assert [(f.code, f.severity) for f in translate(text).findings] == [("OP113", severity)]


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return x.is_cuda()\n",
        "x = torch.version.cuda\n",
        "def f(x): return x.cuda\n",
        "x.cuda()  # omni-port: keep\n",
        "if is_npu:\n    x.npu()\nelse:\n    x.cuda()\n",
    ],
)
def test_not_reported(text: str) -> None:
    assert codes("import torch\n" + text) == []


@pytest.mark.parametrize(
    ("call", "release", "reported"),
    [
        ("empty_cache", "0.17.0rc1", True),
        ("empty_cache", "0.18.0", False),
        ("get_memory_info", "0.18.0", True),
        ("get_memory_info", "0.30.0rc2", False),
        ("synchronize", "0.11.0", False),
    ],
)
def test_memory_calls_of_the_accelerator(call: str, release: str, reported: bool) -> None:
    text = f"import torch\n\ntorch.accelerator.{call}()\n"
    found = translate(text, table=packaged().select(release)).findings
    assert [one.code for one in found] == ["OP103"] * reported
