"""A small upstream to check files against."""

from __future__ import annotations

from omni_codemods.checks.run import CheckOptions, Gpu, check_text
from omni_codemods.findings.model import Finding
from omni_codemods.sources.modules import Sources

ASCEND = {
    "vllm_ascend/__init__.py": "",
    "vllm_ascend/worker/__init__.py": "",
    "vllm_ascend/worker/model_runner_v1.py": """\
from dataclasses import dataclass

import torch
from vllm.v1.worker.gpu_model_runner import GPUModelRunner


@dataclass
class Plan:
    size: int


class Pool:
    def __init__(self, size, *, device="npu"):
        self.size = size


class NPUModelRunner(GPUModelRunner):
    @torch.inference_mode()
    def _dummy_run(self, num_tokens, mode=None, *, uniform=False):
        return self._run(num_tokens)

    def _prepare_inputs(self, batch):
        if not batch:
            return None, [], 0
        return batch.logits, batch.tokens, len(batch)

    def _build(self, num_reqs, *, max_across_dp):
        return num_reqs

    def _loose(self, *args, **kwargs):
        return args

    @traced
    def _odd(self, one):
        return one

    def buffers(self, size=None):
        return size

    @staticmethod
    def _pair(one):
        return one, one
""",
    "vllm_ascend/ops/__init__.py": "from .rotary import update_cos_sin as update_cos_sin\n",
    "vllm_ascend/ops/rotary.py": "def update_cos_sin(positions, /, step=1):\n    return step\n",
    "vllm_ascend/ops/fused_moe.py": "class AscendMoERunner:\n    pass\n",
}
VLLM = {
    "vllm/__init__.py": "",
    "vllm/envs.py": "LEVEL = 1\n",
    "vllm/plans.py": """\
from dataclasses import dataclass


@dataclass
class BasePlan:
    steps: int
    hint: str = ""
""",
    "vllm/pool.py": """\
class BlockPool:
    def __init__(self, size, events=None):
        self.size = size

    def take(self, n, hint=None):
        return n
""",
    "vllm/context.py": """\
import contextlib

_current = None


@contextlib.contextmanager
def set_context(step):
    global _current
    before, _current = _current, step
    try:
        yield
    finally:
        _current = before


def get_context():
    assert _current is not None
    return _current
""",
    "vllm/v1/worker/gpu_model_runner.py": """\
class GPUModelRunner:
    def __init__(self, config):
        self.config = config
        self.hook = None
        self.budget = 1

    def profile_run(self):
        return self._dummy_run(self.budget)

    def _run(self, num_tokens):
        return num_tokens
""",
}
HEAD = "from vllm_ascend.worker.model_runner_v1 import NPUModelRunner\n\n\n"


def sources(*trees: dict[str, str]) -> Sources:
    return Sources({next(iter(tree)).partition("/")[0]: tree.get for tree in trees})


def check(
    text: str,
    *trees: dict[str, str],
    module: str | None = None,
    package: bool = False,
    old: str | None = None,
    gpu: str | None = None,
) -> list[Finding]:
    options = CheckOptions(sources(*(trees or (ASCEND, VLLM))))
    sibling = None if gpu is None else Gpu(gpu)
    found = check_text(text, options, module=module, package=package, old=old, gpu=sibling)
    return list(found)


def runner(body: str, head: str = HEAD, bases: str = "NPUModelRunner") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").split("\n"))
    return f"{head}class Runner({bases}):\n{lines}"


def codes(found: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in found]
