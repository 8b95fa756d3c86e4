"""Bytes outside the changes stay: line ends, encodings, tabs, odd layouts; and what is refused."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError, TableError
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_line_ends(newline: str, end: str) -> None:
    before = (
        "from vllm.compilation.cuda_graph import (\n    CUDAGraphStat,\n    CUDAGraphWrapper,\n)\n"
        "import torch\n\n\tx = 1\n"
        "torch.cuda.synchronize()  # é\n"
        "CUDAGraphWrapper()" + end
    ).replace("\n\tx = 1\n", "\nif x:\n\ttorch.cuda.init()\n")
    after = (
        "from vllm.compilation.cuda_graph import (\n    CUDAGraphStat,\n)\n"
        "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"
        "import torch\n\nif x:\n\ttorch.npu.init()\n"
        "torch.npu.synchronize()  # é\n"
        "ACLGraphWrapper()" + end
    )
    check_rewrite(before.replace("\n", newline), after.replace("\n", newline), dedent=False)


def test_byte_order_mark_coding_cookie_and_form_feed() -> None:
    check_rewrite(
        "\ufeff# -*- coding: latin-1 -*-\n\x0cimport torch\nx = 'é', torch.cuda.Event\n",
        "\ufeff# -*- coding: latin-1 -*-\n\x0cimport torch\nx = 'é', torch.npu.Event\n",
        dedent=False,
    )


def test_import_at_the_end_without_a_newline() -> None:
    check_rewrite(
        "from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper",
        "from vllm.compilation.cuda_graph import CUDAGraphStat\n"
        "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper",
        dedent=False,
    )


def test_wide_characters_before_a_name() -> None:
    check_rewrite(
        "import torch\nx = '日本語', torch.cuda.Event, '😀', torch.cuda.CUDAGraph\n",
        "import torch\nx = '日本語', torch.npu.Event, '😀', torch.npu.NPUGraph\n",
        dedent=False,
    )


@pytest.mark.parametrize("text", ["", "\n", "# cuda", "x = 1", "\ufeff", "import torch", "\x0c\n"])
def test_nothing_to_do(text: str) -> None:
    check_noop(text, dedent=False)


def test_what_does_not_parse() -> None:
    with pytest.raises(SourceError) as caught:
        translate("import torch\ntorch.cuda.init(\n")
    assert (caught.value.line, caught.value.column) == (2, 15)
    with pytest.raises(SourceError):
        translate("torch.cuda\x00")
    with pytest.raises(SourceError) as deep:
        translate("torch.cuda = " + "(" * 500 + ")" * 500)
    assert deep.value.hint


def test_warnings_of_the_parser_are_not_ours() -> None:
    check_rewrite(
        "import torch\nx = '\\d', torch.cuda.Event\n",
        "import torch\nx = '\\d', torch.npu.Event\n",
        dedent=False,
    )


def test_unknown_dialect() -> None:
    with pytest.raises(TableError, match="no dialect"):
        translate("x", dialect="tpu")


def test_changes_have_entry_and_place() -> None:
    result = translate("import torch\n\nx = torch.cuda.CUDAGraph()\n")
    (change,) = result.changes
    assert (change.entry, change.line, change.column) == ("torch-cuda.CUDAGraph", 3, 4)
    assert (change.before, change.after) == ("torch.cuda.CUDAGraph", "torch.npu.NPUGraph")
