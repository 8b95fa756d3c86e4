"""``__all__`` follows."""

from __future__ import annotations

from omni_codemods.testing import check_rewrite
from omni_codemods.translate import translate

SYMBOL = "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
NEW = "from vllm_ascend.compilation.acl_graph import ACLGraphWrapper\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_exports_follow_and_are_reported() -> None:
    before = SYMBOL + '__all__ = ["CUDAGraphWrapper", "other"]\n__all__ += ["CUDAGraphWrapper"]\n'
    after = NEW + '__all__ = ["ACLGraphWrapper", "other"]\n__all__ += ["ACLGraphWrapper"]\n'
    check_rewrite(before, after, dedent=False)
    assert codes(before) == ["OP116", "OP116"]


def test_exports_of_an_alias_stay() -> None:
    before = SYMBOL.replace("Wrapper\n", "Wrapper as CUDAGraphWrapper\n")
    after = NEW.replace("Wrapper\n", "Wrapper as CUDAGraphWrapper\n")
    tail = '__all__ = ["CUDAGraphWrapper"]\n'
    check_rewrite(before + tail, after + tail, dedent=False)
