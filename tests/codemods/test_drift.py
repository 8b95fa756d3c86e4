"""A GPU class and its NPU counterpart, method by method."""

from __future__ import annotations

import pytest

from omni_codemods.drift import MethodDrift, Status, find_drift
from omni_codemods.errors import MethodNotFound, SourceError
from omni_codemods.model import Span

GPU = """\
import torch


class GPU:
    def same(self):
        return 1

    def synced(self):
        torch.cuda.synchronize()

    def other(self, x):
        a = self.one(x)
        b = self.two(a)
        return b

    def gone(self):
        return 2
"""
NPU = """\
import torch


class NPU:
    def extra(self):
        return 3

    def same(self):
        # why
        return (1)

    def synced(self):
        torch.npu.synchronize()

    def other(self, x):
        a = self.one(x, fast=True)
        b = self.two(a)
        self.three(b)
        return b
"""


def drift(gpu: str = GPU, npu: str = NPU) -> dict[str, MethodDrift]:
    found = find_drift(gpu=gpu, npu=npu, gpu_class="GPU", npu_class="NPU")
    return {method.name: method for method in found}


def test_each_status() -> None:
    assert {name: m.status for name, m in drift().items()} == {
        "same": Status.SHARED,
        "synced": Status.TRANSLATED,
        "other": Status.DIFFERS,
        "gone": Status.GPU_ONLY,
        "extra": Status.NPU_ONLY,
    }
    assert [m.drifts for m in drift().values()] == [False, False, True, True, True]


def test_where_they_differ() -> None:
    other = drift()["other"]
    assert (other.gpu, other.npu) == (Span(11, 14), Span(15, 19))
    assert [(d.gpu, d.npu) for d in other.differences] == [
        (Span(12, 12), Span(16, 16)),
        (None, Span(18, 18)),
    ]
    assert other.differences[0].gpu_code == "        a = self.one(x)\n"
    assert other.differences[0].npu_code == "        a = self.one(x, fast=True)\n"
    assert other.differences[1].gpu_code == ""


def test_lines_are_those_of_the_gpu_file_before_translation() -> None:
    gpu = (
        "from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper\n\n\n"
        "class GPU:\n    def run(self):\n        self.model = CUDAGraphWrapper(self.model)\n"
        "        return self.gpu()\n"
    )
    npu = "class NPU:\n    def run(self):\n        self.model = ACLGraphWrapper(self.model)\n"
    npu += "        return self.npu()\n"
    (difference,) = drift(gpu, npu)["run"].differences
    assert (difference.gpu, difference.npu) == (Span(7, 7), Span(4, 4))
    assert difference.gpu_code == "        return self.gpu()\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        a = self.one(x)\n", "        a = self.one(\n            x,\n        )\n"),
        ("        b = self.two(a)\n", "\n        # two\n        b = self.two(a)  # here\n"),
        ("    def other(self, x):\n", '    def other(self, x):\n        """What it does."""\n'),
    ],
)
def test_layout_comments_and_docstrings_are_no_drift(old: str, new: str) -> None:
    assert old in GPU
    npu = GPU.replace("class GPU", "class NPU").replace(old, new)
    assert drift(GPU, npu)["other"].status is Status.SHARED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def other(self, x)", "def other(self, x, y=1)"),
        ("        return b\n", "        if b:\n            return b\n"),
        ("        a = self.one(x)\n", ""),
    ],
)
def test_code_is(old: str, new: str) -> None:
    npu = GPU.replace("class GPU", "class NPU").replace(old, new)
    assert drift(GPU, npu)["other"].status is Status.DIFFERS


def test_indentation_is_code() -> None:
    gpu = "class GPU:\n    def f(self):\n        if a:\n            b()\n        c()\n"
    npu = "class NPU:\n    def f(self):\n        if a:\n            b()\n            c()\n"
    assert drift(gpu, npu)["f"].status is Status.DIFFERS


def test_a_digest_stays_where_lines_move_and_goes_where_code_changes() -> None:
    digests = drift()["other"].digests
    moved = NPU.replace("class NPU:", "LIMIT = 1\n\n\nclass NPU:")
    assert drift(npu=moved)["other"].digests == digests
    changed = NPU.replace("fast=True", "fast=False")
    assert drift(npu=changed)["other"].digests[0] != digests[0]
    assert drift(npu=changed)["other"].digests[1] == digests[1]


def test_what_the_npu_class_has_from_the_gpu_class_is_no_drift() -> None:
    npu = NPU.replace("class NPU:", "from gpu import GPU\n\n\nclass NPU(GPU, Base):")
    gone = drift(npu=npu)["gone"]
    assert gone.status is Status.INHERITED
    assert not gone.drifts


def test_errors_name_their_side() -> None:
    with pytest.raises(MethodNotFound, match="no class NPU") as missing:
        drift(npu=NPU.replace("class NPU", "class NPURunner"))
    assert missing.value.side == "npu"
    assert "NPURunner" in missing.value.hint
    with pytest.raises(SourceError) as broken:
        drift(gpu="class GPU(:\n")
    assert broken.value.side == "gpu"
