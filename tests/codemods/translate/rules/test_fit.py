"""Calls of names that went, against what the NPU callee takes in the release aimed at."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.table.table import load_table, merge, packaged
from omni_codemods.translate import translate

BATCH = "from vllm.v1.worker.gpu_input_batch import InputBatch\n"
SAMPLER = "from vllm.v1.sample.sampler import Sampler\n"
CAPTURE = "from vllm.distributed.parallel_state import graph_capture\n"
WRAPPER = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
CONTEXT = "from vllm.forward_context import set_forward_context\n"
TORCH = "import torch\n"


def findings(text: str, target: str = "0.26.0rc1", dialect: str = "npu") -> list[str]:
    table = packaged().select(target)
    found = translate(text, table=table, dialect=dialect).findings
    return [one.message for one in found if one.code in ("OP128", "OP122")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BATCH + "InputBatch(max_num_reqs=1, num_spec_tokens=2)\n", "num_spec_tokens=; it also"),
        (BATCH + "InputBatch(1, 2, 3, device, pin_memory=True)\n", "also wants vocab_size, block"),
        (SAMPLER + "Sampler(use_fp64_gumbel=True)\n", "does not take use_fp64_gumbel="),
        (SAMPLER + "class A:\n    s = Sampler('raw', 1)\n", "takes 1 positional arguments"),
        (SAMPLER + "Sampler('raw', logprobs_mode=1)\n", "by name and by position"),
        (
            CAPTURE + "with graph_capture(d, graph_capture_context=c): ...\n",
            "graph_capture_context=",
        ),
        (WRAPPER + "CUDAGraphWrapper._all_instances.clear()\n", "has no _all_instances"),
        (WRAPPER + "CUDAGraphWrapper.clear_graphs\n", "has no clear_graphs"),
        (TORCH + "torch.cuda.synchronize(d, 1)\n", "takes 1 positional"),
        (TORCH + "torch.cuda.Event(external=True)\n", "(torch_npu 2.14.0)"),
        ("from torch import cuda\ncuda.Event(external=True)\n", "does not take external="),
        (TORCH + "f = lambda: torch.cuda.CUDAGraph(keep_graph=True)\n", "keep_graph="),
    ],
)
def test_what_the_npu_callee_does_not_take(text: str, says: str) -> None:
    (found,) = findings(text)
    assert says in found


@pytest.mark.parametrize(
    "text",
    [
        SAMPLER + "Sampler()\nSampler('raw')\nSampler(logprobs_mode=1)\nSampler(**options)\n",
        SAMPLER + "Sampler(*arguments)\n",
        CAPTURE + "with graph_capture(device=d): ...\n",
        # Renamed, dropped and missing keywords have findings of their own.
        CONTEXT + "set_forward_context(m, c, cudagraph_runtime_mode=x, slot_mapping=y)\n",
        TORCH + "torch.cuda.graph(cuda_graph=g, pool=p)\n",
        TORCH + "torch.cuda.graph(g, p, s, 'relaxed')\n",
        TORCH + "torch.cuda.Event(True)\ntorch.cuda.can_device_access_peer(0, 1)\n",
        WRAPPER + "CUDAGraphWrapper.attribute_of_ours\nCUDAGraphWrapper(r, c, m, o)\n",
        "from elsewhere import Sampler\nSampler(use_fp64_gumbel=True)\n",
        SAMPLER + "Sampler(use_fp64_gumbel=True)  # omni-port: keep\n",
        "def f(Sampler):\n    Sampler(use_fp64_gumbel=True)\n" + SAMPLER,
    ],
)
def test_what_it_takes(text: str) -> None:
    assert findings(text) == []


def test_it_is_an_error_and_says_what_the_callee_takes() -> None:
    result = translate(SAMPLER + "x = Sampler(mode=1)\n", table=packaged().select("0.26.0rc1"))
    (found,) = [one for one in result.findings if one.code == "OP128"]
    assert (found.line, found.column, found.severity) == (2, 4, Severity.ERROR)
    assert found.hint == "It takes (logprobs_mode=...) in vllm_ascend 0.26.0rc1."


def test_what_is_taken_is_that_of_the_release_aimed_at() -> None:
    text = BATCH + "InputBatch(1, 2, 3, d, p, v, b, k, max_num_blocks_per_req=1)\n"
    assert findings(text, "0.17.0rc1") == []
    assert "max_num_blocks_per_req=" in findings(text, "0.16.0rc1")[0]


def test_another_dialect_has_another_callee() -> None:
    assert findings(TORCH + "torch.cuda.synchronize(d, 1)\n", dialect="platform") == []


def test_a_table_that_extends_the_packaged_one_is_held_to_its_facts() -> None:
    extra = load_table('name = "m"\nextends = true\n', name="m.toml")
    table = merge(packaged(), extra).select("0.26.0rc1")
    result = translate(SAMPLER + "Sampler(mode=1)\n", table=table)
    assert "OP128" in {one.code for one in result.findings}
