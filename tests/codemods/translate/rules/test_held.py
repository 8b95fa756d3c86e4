"""What a run or the kind of code holds back: conditional entries, shared code; CUDA's packages."""

from __future__ import annotations

import pytest
from libcst import parse_module

from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate
from omni_codemods.translate.codemod import translate_module

SAMPLER = "from vllm.v1.sample.sampler import Sampler\n"
CONTEXT = "from vllm.forward_context import set_forward_context\n"
SHARED = [
    "from torch import nn\nclass Model(nn.Module): ...\n",
    "import torch.nn as n\nclass Model(n.Module): ...\n",
    "import torch\nclass Model(Base, torch.nn.Module): ...\n",
    "from torch.nn import Module as M\nif a:\n    class Model(M): ...\n",
    "class Model(Qwen2ForCausalLM): ...\n",
    "class OursPlatform(Platform): ...\n",
]
NAMES = [
    SAMPLER + "x = Sampler()\n",
    "import vllm.v1.sample.sampler as s\nx = s.Sampler()\n",
    "from vllm.v1.worker.gpu_input_batch import InputBatch\ny: InputBatch\n",
    "from vllm.v1.worker.gpu.input_batch import InputBatch\ny: InputBatch\n",
    CONTEXT + "with set_forward_context(a, b, cudagraph_runtime_mode=c): pass\n",
    "def f():\n    from vllm.forward_context import set_forward_context as s\n    return s\n",
]


def codes(text: str, only: str = "") -> list[str]:
    return [finding.code for finding in translate(text, only=only).findings]


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("name", NAMES)
def test_code_that_both_devices_run(shared: str, name: str) -> None:
    check_noop(shared + name, dedent=False)
    assert codes(shared + name) == ["OP126"]


@pytest.mark.parametrize(
    "own",
    [
        "from torch import nn\nclass GPUKernel(nn.Module): ...\n",
        "class Runner(Base): ...\n",
        "class Linear(mine.Module): ...\n",
    ],
)
def test_code_of_one_device_goes(own: str) -> None:
    check_rewrite(
        f"{own}{SAMPLER}x = Sampler()\n",
        f"{own}from vllm_ascend.sample.sampler import AscendSampler\nx = AscendSampler()\n",
        dedent=False,
    )


def test_other_names_of_shared_code_go() -> None:
    text = "import torch\nclass Model(torch.nn.Module): x = torch.cuda.Event()\n"
    check_rewrite(text, text.replace("torch.cuda", "torch.npu"), dedent=False)


CONDITIONAL = [
    SAMPLER + "Sampler()\n",
    "import torch\nx.to('cuda')\n",
    "import torch\nd = 'cuda'\nx.to(d)\n",
    "f(backend='nccl')\n",
    "f(backend='cpu:gloo,cuda:nccl')\n",
    "import torch.distributed as dist\ndist.Backend.NCCL\n",
    "import os\nos.environ['CUDA_VISIBLE_DEVICES']\n",
    "def get_static_graph_wrapper_cls(): return 'vllm.compilation.cuda_graph.CUDAGraphWrapper'\n",
    "from vllm.v1.worker.gpu_model_runner import GPUModelRunner\nclass A(GPUModelRunner): ...\n",
    "self.drafter.dummy_run(cudagraph_runtime_mode=m)\n",
]


@pytest.mark.parametrize("text", CONDITIONAL)
def test_conditional_entries(text: str) -> None:
    result = translate(text)
    assert [change.status for change in result.changes] == ["conditional"] * len(result.changes)
    assert result.changes
    held = translate(text, only="safe")
    assert held.text == text
    assert held.changes == ()
    assert {f.code for f in held.findings} - {"OP105"} == {"OP125"}
    module, other = translate_module(parse_module(text), only="safe")
    assert (module.code, other.findings) == (text, held.findings)


@pytest.mark.parametrize("text", CONDITIONAL)
def test_a_keep_comment_answers(text: str) -> None:
    kept = text.replace("\n", "  # omni-port: keep\n")
    assert "OP125" not in codes(kept, "safe")


def test_safe_entries_go() -> None:
    text = "import torch\ntorch.cuda.synchronize()\nx = torch.device('cuda')\n"
    held = translate(text, only="safe")
    assert held.text == text.replace("torch.cuda", "torch.npu")
    assert [change.status for change in held.changes] == ["safe"]
    assert translate(held.text, only="safe").text == held.text


def test_a_test_stays_with_a_device_that_is_held_back() -> None:
    text = "import torch\nx.to('cuda' if torch.cuda.is_available() else 'cpu')\n"
    assert translate(text, only="safe").text == text


@pytest.mark.parametrize(
    "line",
    [
        "import flashinfer",
        "import numba.cuda",
        "from flash_attn.ops import a",
        "from cuda import cudart",
        "import os, pynvml as p",
        "import cupy\nimport flashinfer\nfrom cupy import x",
    ],
)
def test_a_package_for_cuda_alone_is_said_once(line: str) -> None:
    text = f"import torch\n{line}\n"
    check_noop(text, dedent=False)
    assert codes(text + "torch.cuda.init()\n") == ["OP127"]


@pytest.mark.parametrize(
    "line",
    [
        "try:\n    import flashinfer\nexcept ImportError:\n    flashinfer = None",
        "def f():\n    import flashinfer",
        "if a:\n    import cupy",
        "import flashinfer_like",
        "from . import cupy",
        "import cupy  # omni-port: keep",
        "import numba",
    ],
)
def test_a_package_that_it_can_do_without(line: str) -> None:
    assert "OP127" not in codes(f"import torch\n{line}\ntorch.cuda.init()\n")
