"""Namespaces: a member goes only where the table knows that it exists."""

from __future__ import annotations

import pytest

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import torch\ntorch.cuda.synchronize()\n", "import torch\ntorch.npu.synchronize()\n"),
        ("import torch as t\nt.cuda.Event()\n", "import torch as t\nt.npu.Event()\n"),
        ("import torch.cuda as tc\ntc.Event()\n", "import torch.npu as tc\ntc.Event()\n"),
        ("from torch import cuda\ncuda.Event()\n", "from torch import npu\nnpu.Event()\n"),
        ("from torch import cuda as c\nc.Event()\n", "from torch import npu as c\nc.Event()\n"),
        (
            "from torch import cuda, nn\ncuda.Event(nn)\n",
            "from torch import nn\nfrom torch import npu\nnpu.Event(nn)\n",
        ),
        ("import torch.cuda\ntorch.cuda.Event()\n", "import torch.npu\ntorch.npu.Event()\n"),
        ("from torch.cuda import Event\nEvent()\n", "from torch.npu import Event\nEvent()\n"),
        (
            "from torch.cuda import CUDAGraph\ng = CUDAGraph()\n",
            "from torch.npu import NPUGraph\ng = NPUGraph()\n",
        ),
        (
            "from torch.cuda import CUDAGraph as Graph\ng = Graph()\n",
            "from torch.npu import NPUGraph as Graph\ng = Graph()\n",
        ),
        (
            "from torch.cuda import CUDAGraph, Stream\ng = CUDAGraph(Stream)\n",
            "from torch.npu import NPUGraph, Stream\ng = NPUGraph(Stream)\n",
        ),
        (
            "import torch.cuda as tc\ng = tc.CUDAGraph()\n",
            "import torch.npu as tc\ng = tc.NPUGraph()\n",
        ),
        (
            "import torch\nwith torch.cuda.amp.autocast():\n    pass\n",
            "import torch\nwith torch.npu.amp.autocast():\n    pass\n",
        ),
        (
            "import torch\nx = (torch\n     .cuda  # the device\n     .Event)\n",
            "import torch\nx = (torch\n     .npu  # the device\n     .Event)\n",
        ),
        (
            "import torch\nx = torch . cuda . CUDAGraph ( )\n",
            "import torch\nx = torch . npu . NPUGraph ( )\n",
        ),
        (
            "import torch\nx = torch.cuda.memory.MemPool()\n",
            "import torch\nx = torch.npu.memory.MemPool()\n",
        ),
        (
            "from torch.cuda.graphs import CUDAGraph\nCUDAGraph()\n",
            "from torch.npu import NPUGraph\nNPUGraph()\n",
        ),
        ("import torch, os\ntorch.cuda.init(os)\n", "import torch, os\ntorch.npu.init(os)\n"),
        (
            "import os, torch.cuda\ntorch.cuda.init(os)\n",
            "import os, torch.npu\ntorch.npu.init(os)\n",
        ),
        (
            "import torch\nf = lambda: torch.cuda.Event\n",
            "import torch\nf = lambda: torch.npu.Event\n",
        ),
        (
            "import torch\n@torch.cuda.amp.autocast()\ndef f(): ...\n",
            "import torch\n@torch.npu.amp.autocast()\ndef f(): ...\n",
        ),
    ],
)
def test_import_forms(before: str, after: str) -> None:
    check_rewrite(before, after, dedent=False)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import torch\nx = torch.cuda.OutOfMemoryError\n", "OP101"),
        ("import torch\ntorch.cuda.nvtx.range_push('a')\n", "OP101"),
        ("import torch.cuda.nvtx as nvtx\nnvtx.range_push('a')\n", "OP101"),
        ("from torch.cuda.nvtx import range_push\nrange_push('a')\n", "OP101"),
        ("from torch.cuda import OutOfMemoryError\nx = OutOfMemoryError\n", "OP101"),
        ("import torch\ntorch.cuda.cudart()\n", "OP101"),
        ("import torch\ntorch.cuda.brand_new()\n", "OP102"),
        ("from torch.cuda import brand_new\nbrand_new()\n", "OP102"),
        ("import torch\ntorch.cuda.memory.brand_new()\n", "OP102"),
        ("import torch\ntorch.cuda.get_device_capability()\n", "OP103"),
        ("import torch\ntorch.cuda.get_device_properties(0).major\n", "OP103"),
        ("import torch\nreturn_value = torch.cuda\n", "OP104"),
        ("import torch\ncuda = getattr(torch, 'cuda')\n", "OP105"),
        ("import torch\nhas = hasattr(torch, 'cuda')\n", "OP105"),
        ("import torch\nhas = hasattr(torch.cuda, 'Event')\n", "OP104"),
        ("from mock import patch\npatch('torch.cuda.synchronize')\n", "OP105"),
        ("from torch.cuda import *\nsynchronize()\n", "OP106"),
        ("import torch\nx = torch.ones(1).cuda()\n", "OP113"),
        ("def f(x): return x.cuda(0)\n", "OP113"),
        ("def f(x): return x.is_cuda\n", "OP113"),
    ],
)
def test_left_and_reported(text: str, code: str) -> None:
    check_noop(text, dedent=False)
    assert code in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.cuda.Event = torch.npu.Event\n",
        "import torch\ndel torch.cuda.Event\n",
        "import torch\nsaved = torch.cuda.Event\ntorch.cuda.Event = fake\ntorch.cuda.Event = saved\n",  # noqa: E501
        "import torch\nversion = torch.version.cuda\n",
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n",
        "def f(torch):\n    torch.cuda.synchronize()\n",
        "import torch\ndef f():\n    torch = fake()\n    torch.cuda.synchronize()\n",
        "import torch\nx = [torch.cuda for torch in fakes]\n",
        "import mytorch as torch\ntorch.cuda.synchronize()\n",
        "from mylib import cuda\ncuda.synchronize()\n",
        "# torch.cuda.synchronize()\nimport torch\n",
        '"""Calls torch.cuda.synchronize()."""\nimport torch\n',
        "import torch\nprint('see torch.cuda.synchronize for more')\n",
        "cuda = 1\nprint(cuda)\n",
        "import triton.language as tl\ntl.extra.cuda.libdevice()\n",
        "class A:\n    def cuda(self): ...\n",
        "from vllm.platforms import current_platform\nx = current_platform.is_cuda()\n",
    ],
)
def test_left_alone(text: str) -> None:
    check_noop(text, dedent=False)


def test_alias_with_a_member_that_stays() -> None:
    before = "import torch.cuda as tc\ntc.Event()\nx = tc.OutOfMemoryError\n"
    after = (
        "import torch.cuda as tc\nfrom torch.npu import Event\nEvent()\nx = tc.OutOfMemoryError\n"
    )
    check_rewrite(before, after, dedent=False)
    assert codes(before) == ["OP101"]


def test_alias_with_a_member_that_stays_where_torch_is_bound() -> None:
    check_rewrite(
        "import torch\nimport torch.cuda as tc\ntc.Event()\nx = tc.OutOfMemoryError\n",
        "import torch\nimport torch.cuda as tc\ntorch.npu.Event()\nx = tc.OutOfMemoryError\n",
        dedent=False,
    )


def test_submodule_import_stays_while_something_needs_it() -> None:
    check_rewrite(
        "import torch.cuda\ntorch.cuda.Event()\nx = torch.cuda.OutOfMemoryError\n",
        "import torch.cuda\ntorch.npu.Event()\nx = torch.cuda.OutOfMemoryError\n",
        dedent=False,
    )


def test_module_name_taken() -> None:
    text = "from torch import cuda\nnpu = 1\ncuda.Event()\n"
    check_noop(text, dedent=False)
    assert codes(text) == ["OP108"]


def test_from_import_split_when_one_stays() -> None:
    check_rewrite(
        "from torch.cuda import CUDAGraph, OutOfMemoryError\nCUDAGraph(OutOfMemoryError)\n",
        "from torch.cuda import OutOfMemoryError\nfrom torch.npu import NPUGraph\n"
        "NPUGraph(OutOfMemoryError)\n",
        dedent=False,
    )


def test_dialects() -> None:
    text = "import torch\ntorch.cuda.synchronize()\ntorch.cuda.Event()\n"
    assert translate(text, dialect="accelerator").text == (
        "import torch\ntorch.accelerator.synchronize()\ntorch.npu.Event()\n"
    )
    assert translate(text, dialect="platform").text == (
        "import torch\nfrom vllm_omni.platforms import current_omni_platform\n"
        "current_omni_platform.synchronize()\ntorch.npu.Event()\n"
    )


def test_dialect_with_another_name() -> None:
    text = "from torch.cuda import current_device\ncurrent_device()\n"
    assert translate(text, dialect="accelerator").text == (
        "from torch.accelerator import current_device_index\ncurrent_device_index()\n"
    )


def test_attributes_that_do_not_go_one_by_one() -> None:
    check_rewrite(
        "import torch\nx = torch.cuda.graphs.CUDAGraph()\n",
        "import torch\nx = torch.npu.NPUGraph()\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "if platform.is_cuda():\n    import torch.cuda as tc\ndef f(): tc.init()\n",
        "if is_npu:\n    import torch.npu as d\nelse:\n    import torch.cuda as d\nd.init()\n",
        "import torch.cuda as tc  # omni-port: keep\ntc.init()\n",
        "from torch import cuda  # omni-port: keep\ncuda.init()\n",
    ],
)
def test_imports_that_stay_keep_their_uses(text: str) -> None:
    check_noop(text, dedent=False)


def test_kept_import_of_the_root_does_not_matter() -> None:
    check_rewrite(
        "import torch  # omni-port: keep\ntorch.cuda.init()\n",
        "import torch  # omni-port: keep\ntorch.npu.init()\n",
        dedent=False,
    )
