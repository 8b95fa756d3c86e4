"""Callees that are handed on, or called through ``partial``."""

from __future__ import annotations

from omni_codemods.testing import check_rewrite
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_callee_that_is_handed_on() -> None:
    head = "from vllm.forward_context import set_forward_context\n"
    used = head + "enter = set_forward_context\nenter(a, b, slot_mapping=s)\n"
    assert codes(used) == ["OP123"]
    assert codes(head + "enter = set_forward_context\n") == []


def test_partial_is_a_call() -> None:
    check_rewrite(
        """
        from functools import partial
        from vllm.forward_context import set_forward_context

        enter = partial(set_forward_context, cudagraph_runtime_mode=m, slot_mapping=s)
        """,
        """
        from functools import partial
        from vllm_ascend.ascend_forward_context import set_ascend_forward_context

        enter = partial(set_ascend_forward_context, aclgraph_runtime_mode=m)
        """,
    )
