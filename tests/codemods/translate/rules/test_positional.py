"""Positional arguments past the common ones."""

from __future__ import annotations

from omni_codemods.findings.model import Severity
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate

IMPORT = "from vllm.forward_context import set_forward_context\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_positional_arguments_past_the_common_ones() -> None:
    text = IMPORT + "set_forward_context(a, b, 0, n)\n"
    found = [f for f in translate(text).findings if f.code == "OP111"]
    assert [(f.line, f.column, f.severity) for f in found] == [(2, 26, Severity.ERROR)]
    assert "set_ascend_forward_context(a, b, 0, n)" in translate(text).text


def test_starred_arguments_are_reported() -> None:
    assert "OP111" in codes(IMPORT + "set_forward_context(*args)\n")
    assert "OP112" in codes(IMPORT + "set_forward_context(a, b, **options)\n")


def test_graph_takes_its_fourth_argument_by_name() -> None:
    check_rewrite(
        "import torch\nwith torch.cuda.graph(g, p, s, 'thread_local'):\n    pass\n",
        "import torch\nwith torch.npu.graph(g, p, s, capture_error_mode='thread_local'):\n    pass\n",  # noqa: E501
        dedent=False,
    )
    check_rewrite(
        "import torch\nwith torch.cuda.graph(cuda_graph=g, pool=None):\n    pass\n",
        "import torch\nwith torch.npu.graph(npu_graph=g, pool=None):\n    pass\n",
        dedent=False,
    )
    check_noop("def graph(cuda_graph): ...\ngraph(cuda_graph=1)\n", dedent=False)
