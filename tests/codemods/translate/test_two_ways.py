"""Facts from ``ast`` and pieces put back, or libcst's metadata and the whole tree: the same."""

from __future__ import annotations

import os
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.translate import translate
from omni_codemods.translate.codemod import translate_module

_IMPORTS = (
    "import torch",
    "import torch.cuda",
    "import torch.cuda as tc, os",
    "from torch import cuda, nn",
    "from torch.cuda import (\n    Event,  # one\n    CUDAGraph as G,\n)",
    "import os; import torch; x = 1",
    "from vllm.forward_context import set_forward_context, get_forward_context",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper  # why",
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper  # noqa: F401",
    "import vllm.forward_context as fc",
    "from vllm.v1.worker.gpu_worker import Worker",
    "from torch.cuda import *",
)
_USES = (
    "torch.cuda.synchronize()",
    "with torch.cuda.stream(s): pass",
    "x = (torch  # a\n     .cuda  # b\n     .CUDAGraph)()",
    "y: 'torch.cuda.Event | None' = f'{torch.cuda.current_device()}'",
    "del torch.cuda",
    "torch.zeros(1, device='cuda:0'), tc.Stream(), Event()",
    "set_forward_context(a, b, cudagraph_runtime_mode=m, num_tokens=(1),)",
    "fc.set_forward_context(\n    a,\n    b,\n    ubatch_slices=u,  # gone\n)",
    "class W(Worker, metaclass=M): g = CUDAGraphWrapper",
    "os.environ['CUDA_VISIBLE_DEVICES'] = os.getenv('CUDA_VISIBLE_DEVICES', '')",
    "if torch.cuda.is_available(): z = cuda.Event()",
    "__all__ = ['CUDAGraphWrapper', 'Event']",
    "@torch.cuda.amp.autocast(True)\ndef deco(e: Event = Event()) -> G: return lambda: G",
    "try: torch.cuda.empty_cache()\nexcept torch.cuda.OutOfMemoryError: raise",
    "x = 'cuda'; init_process_group('nccl', backend='nccl')",
    "init_process_group(backend='cpu:gloo,cuda:nccl'); b = 'cuda:nccl'",
    "torch.load(p, 'cuda:0'), torch.Stream('cuda'), torch.distributed.Backend.NCCL",
    "torch.backends.cuda.matmul.allow_tf32 = True",
    "y = f(device=f'{d}cuda:{i}', backend=f'cuda:{b}')",
    "d = f'cuda:{i}'; x.to(d); b = 'nccl'; f(backend=b)",
    "ok = torch.cuda.is_available()\nif ok: torch.cuda.init()",
    "ok = x.is_cuda\nif ok: torch.cuda.nvtx.mark('a')\nelse: torch.cuda.init()",
    "torch = None",
    "é = 'ü', torch.cuda.Event",
)


@st.composite
def modules(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.sampled_from(_IMPORTS), min_size=1, max_size=4))
    parts += draw(st.lists(st.sampled_from(_USES), min_size=1, max_size=5))
    if draw(st.booleans()):
        body = draw(st.lists(st.sampled_from(_IMPORTS[:-1] + _USES), min_size=1, max_size=4))
        lines = "\n".join(body).split("\n")
        parts.insert(draw(st.integers(0, len(parts))), "def f(a):\n    " + "\n    ".join(lines))
    newline = draw(st.sampled_from(("\n", "\n", "\r\n")))
    return "\n".join(parts).replace("\n", newline) + draw(st.sampled_from(("", newline)))


def check_agreement(text: str) -> None:
    """Assert that both ways give the same text, changes and findings."""
    one = translate(text)
    module, other = translate_module(cst.parse_module(text))
    assert module.code == one.text
    assert other.changes == one.changes
    assert other.findings == one.findings
    assert other.kept == one.kept


@given(modules())
def test_random_modules(text: str) -> None:
    check_agreement(text)


_CORPUS = Path(os.environ.get("OMNI_PORT_CORPUS", Path.home() / ".cache/omni-port/corpus"))


@pytest.mark.corpus
@pytest.mark.parametrize("tree", ["omni-0.18.0", "omni-0.26.0", "omni-0.30.0", "vllm-0.26.0"])
def test_released_trees(tree: str) -> None:
    if not (_CORPUS / tree).exists():
        pytest.skip("make corpus")
    for path in sorted((_CORPUS / tree).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if translate(text).text != text:
            check_agreement(text)
