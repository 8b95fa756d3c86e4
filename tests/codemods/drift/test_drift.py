"""A GPU class and its NPU counterpart, method by method."""

from __future__ import annotations

import pytest

from omni_codemods.drift.drift import ClassDrift, MethodDrift, Status, find_drift
from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.findings.model import Span
from omni_codemods.sources.heritage import Home, Inherited
from omni_codemods.sources.modules import Sources

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
    return {method.name: method for method in found.methods}


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
    assert drift(npu=npu)["extra"].status is Status.NPU_ONLY


def test_a_gpu_class_that_cannot_be_read_from_the_npu_file_has_its_bases() -> None:
    npu = NPU.replace("class NPU:", "from gpu import GPU\n\n\nclass NPU(GPU, Base):")
    gpu = GPU.replace("class GPU:", "from mixins import Mixin\n\n\nclass GPU(Mixin):")
    bases = [
        find_drift(gpu=gpu, npu=text, gpu_class="GPU", npu_class="NPU").bases for text in (npu, NPU)
    ]
    assert bases == [(), ("mixins.Mixin",)]


def test_what_the_gpu_class_has_from_a_base_of_its_own() -> None:
    base = "class Only:\n    def extra(self):\n        return {}\n\n\nclass GPU(Only):"
    for value, status in ((3, Status.INHERITED), (4, Status.NPU_ONLY)):
        extra = drift(gpu=GPU.replace("class GPU:", base.format(value)))["extra"]
        assert extra.status is status
        assert extra.inherited == Inherited("__local__.Only", Span(5, 6))


FILES = {
    "pkg/__init__.py": "",
    "pkg/gpu.py": GPU.replace("class GPU:", "class GPU(Base, Mixin):").replace(
        "import torch\n", "import torch\nfrom .base import Base, Mixin\n"
    ),
    "pkg/base.py": (
        "class Mixin:\n    def mix(self):\n        return 9\n\n\n"
        "class Base:\n    def gone(self):\n        return {}\n\n"
        "    def extra(self):\n        return {}\n"
    ),
    "pkg/npu.py": NPU.replace("class NPU:", "class NPU(Base):").replace(
        "import torch\n", "import torch\nfrom .base import Base\n"
    ),
}


def drift_in_package(gone: int, extra: int, npu: str = FILES["pkg/npu.py"]) -> ClassDrift:
    files = {**FILES, "pkg/base.py": FILES["pkg/base.py"].format(gone, extra)}
    sources = Sources({"pkg": files.get})
    return find_drift(
        gpu=FILES["pkg/gpu.py"],
        npu=npu,
        gpu_class="GPU",
        npu_class="NPU",
        gpu_home=Home("pkg.gpu", sources),
        npu_home=Home("pkg.npu", sources),
    )


def test_what_a_class_has_from_a_base_in_another_file_is_compared() -> None:
    methods = {m.name: m for m in drift_in_package(2, 3).methods}
    for name, span in (("gone", Span(7, 8)), ("extra", Span(10, 11))):
        assert methods[name].status is Status.INHERITED
        assert not methods[name].drifts
        assert methods[name].inherited == Inherited("pkg.base.Base", span)


def test_what_a_base_says_otherwise_is_on_one_side_only() -> None:
    methods = {m.name: m for m in drift_in_package(4, 5).methods}
    assert (methods["gone"].status, methods["extra"].status) == (Status.GPU_ONLY, Status.NPU_ONLY)
    assert methods["gone"].inherited == Inherited("pkg.base.Base", Span(7, 8))


def test_bases_that_the_npu_class_lacks() -> None:
    assert drift_in_package(2, 3).bases == ("pkg.base.Mixin",)
    both = FILES["pkg/npu.py"].replace("Base", "Base, Mixin")
    assert drift_in_package(2, 3, both).bases == ()


def test_a_subclass_of_the_gpu_class_lacks_none_of_its_bases() -> None:
    npu = FILES["pkg/npu.py"].replace("Base", "GPU").replace(".base", ".gpu")
    found = drift_in_package(2, 3, npu)
    assert found.bases == ()
    assert {m.name: m.status for m in found.methods}["gone"] is Status.INHERITED


def test_a_base_that_cannot_be_read_may_come_first() -> None:
    npu = FILES["pkg/npu.py"].replace("NPU(Base)", "NPU(Unknown, GPU)")
    npu = npu.replace(".base import Base", ".gpu import GPU\nfrom outside import Unknown")
    methods = {m.name: m for m in drift_in_package(2, 3, npu).methods}
    assert methods["gone"].status is Status.GPU_ONLY
    assert methods["gone"].inherited is None


TRANSLATED = """class GPU:
    def load(self):
        from vllm.compilation.cuda_graph import CUDAGraphWrapper

        self.model = CUDAGraphWrapper(self.model, {})
"""


def test_what_is_shown_is_what_was_compared() -> None:
    npu = TRANSLATED.replace("class GPU", "class NPU").replace("CUDAGraph", "ACLGraph")
    npu = npu.replace("vllm.compilation.cuda_graph", "vllm_ascend.compilation.acl_graph")
    assert drift(TRANSLATED.format("1"), npu.format("1"))["load"].status is Status.TRANSLATED
    (difference,) = drift(TRANSLATED.format("1"), npu.format("2"))["load"].differences
    assert difference.gpu_code == "        self.model = CUDAGraphWrapper(self.model, 1)\n"
    assert difference.translated == "        self.model = ACLGraphWrapper(self.model, 1)\n"
    assert (difference.gpu, difference.npu) == (Span(5, 5), Span(5, 5))


KEYWORDS = """\
from vllm.forward_context import set_forward_context


class GPU:
    def run(self):
        with set_forward_context(self.a,
                                 ubatch_slices=self.u,
                                 slot_mapping=self.s,
                                 cudagraph_runtime_mode=self.m):
            self.go(1)
        self.done(2)
"""


def test_the_lines_of_a_statement_that_the_table_shortens() -> None:
    npu = (
        "class NPU:\n    def run(self):\n"
        "        with set_ascend_forward_context(self.b, aclgraph_runtime_mode=self.m):\n"
        "            self.go(1)\n        self.done(3)\n"
    )
    first, second = drift(KEYWORDS, npu)["run"].differences
    assert (first.gpu, first.npu) == (Span(6, 9), Span(3, 3))
    assert first.gpu_code.endswith("cudagraph_runtime_mode=self.m):\n")
    assert first.translated.endswith("aclgraph_runtime_mode=self.m):\n")
    assert (second.gpu, second.npu) == (Span(11, 11), Span(5, 5))


SPLIT = """\
class GPU:
    def run(self):
        from vllm.compilation.cuda_graph import CUDAGraphStat, CUDAGraphWrapper

        return CUDAGraphWrapper(self.m, 1), CUDAGraphStat
"""


def test_a_statement_that_the_table_splits_stands_where_it_stood() -> None:
    npu = "class NPU:\n    def run(self):\n        return ACLGraphWrapper(self.m, 1), {}\n"
    npu = npu.format("CUDAGraphStat")
    (difference,) = drift(SPLIT, npu)["run"].differences
    assert difference.gpu == Span(3, 3)
    assert difference.npu is None
    assert difference.translated.count("import") == 2


def test_an_import_that_the_table_rewrites_stands_where_it_stood() -> None:
    other = "from vllm.distributed.parallel_state import graph_capture"
    gpu = SPLIT.replace("CUDAGraphStat, ", "").replace("  return", f"  {other}\n        return")
    npu = "class NPU:\n    def run(self):\n        return ACLGraphWrapper(self.m, 1), {}\n"
    (difference,) = drift(gpu, npu.format("CUDAGraphStat"))["run"].differences
    assert (difference.gpu, difference.npu) == (Span(3, 5), None)
    assert "ACLGraphWrapper\n" in difference.translated


PROPERTY = """\
class GPU:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value
"""


def test_a_getter_is_compared_with_the_getter() -> None:
    npu = PROPERTY.replace("GPU", "NPU").replace("return self._size", "return self._size + 1")
    found = drift(PROPERTY, npu)
    assert {name: m.status for name, m in found.items()} == {
        "size": Status.DIFFERS,
        "size.setter": Status.SHARED,
    }
    (difference,) = found["size"].differences
    assert (difference.gpu, difference.npu) == (Span(4, 4), Span(4, 4))


def test_a_setter_that_one_side_lacks() -> None:
    npu = PROPERTY.replace("GPU", "NPU").partition("    @size.setter")[0]
    assert drift(PROPERTY, npu)["size.setter"].status is Status.GPU_ONLY
    inheriting = npu.replace("class NPU", "class NPU(GPU)")
    assert drift(PROPERTY, inheriting)["size.setter"].status is Status.GPU_ONLY
    nothing = "class NPU(GPU):\n    pass\n"
    assert drift(PROPERTY, nothing)["size.setter"].status is Status.INHERITED


def test_what_is_known_stays_known_when_others_move_or_change_alike() -> None:
    digests = drift()["other"].digests
    both = [text.replace("self.two", "self.second") for text in (GPU, NPU)]
    assert drift(*both)["other"].digests == digests
    both = [
        text.replace("    b = self", "    self.n += 1\n        b = self") for text in (GPU, NPU)
    ]
    assert drift(*both)["other"].digests == digests


def test_errors_name_their_side() -> None:
    with pytest.raises(MethodNotFound, match="no class NPU") as missing:
        drift(npu=NPU.replace("class NPU", "class NPURunner"))
    assert missing.value.side == "npu"
    assert "NPURunner" in missing.value.hint
    with pytest.raises(SourceError) as broken:
        drift(gpu="class GPU(:\n")
    assert broken.value.side == "gpu"
