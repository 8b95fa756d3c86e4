"""Keywords renamed, by callee only."""

from __future__ import annotations

import pytest

from omni_codemods.table.table import packaged
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate

IMPORT = "from vllm.forward_context import set_forward_context\n"
NEW_IMPORT = "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


@pytest.mark.parametrize(
    "call",
    [
        "self._dummy_run(n, cudagraph_runtime_mode=m)",
        "self._build_attention_metadata(cudagraph_runtime_mode=m)",
        "super()._dummy_run(cudagraph_runtime_mode=m)",
        "current_omni_platform.set_forward_context(a, cudagraph_runtime_mode=m)",
        "f(cuda_graph=g)",
        "wrap(set_forward_context, cudagraph_runtime_mode=m)",
        "forward_context.cudagraph_runtime_mode",
        "{'cudagraph_runtime_mode': m}",
        "getattr(context, 'cudagraph_runtime_mode')",
    ],
)
def test_keyword_of_another_callee_stays(call: str) -> None:
    body = f"import torch\nfrom vllm.forward_context import BatchDescriptor\nx = {call}\n"
    check_noop(body, dedent=False)
    assert codes(body) == []


def test_keyword_of_another_callee_is_noted() -> None:
    text = IMPORT + "def f(self):\n    self._dummy_run(1, cudagraph_runtime_mode=m)\n"
    assert [(k.code, k.line, k.column) for k in translate(text).kept] == [("OP134", 3, 23)]


def test_a_word_of_everyday_is_not_noted() -> None:
    text = (
        "import torch\nname = torch.cuda.get_device_name(device=0)\nx = f(1, device=d, stream=s)\n"
    )
    found = translate(text)
    assert "get_device_name(device_name=0)" in found.text
    assert found.kept == ()


def test_parameter_and_local_of_that_name_stay() -> None:
    check_rewrite(
        f"""
        {IMPORT}
        def f(cudagraph_runtime_mode=None):
            cudagraph_runtime_mode = cudagraph_runtime_mode or 1
            with set_forward_context(None, c, cudagraph_runtime_mode=cudagraph_runtime_mode):
                pass
        """,
        f"""
        {NEW_IMPORT}
        def f(cudagraph_runtime_mode=None):
            cudagraph_runtime_mode = cudagraph_runtime_mode or 1
            with set_ascend_forward_context(None, c, aclgraph_runtime_mode=cudagraph_runtime_mode):
                pass
        """,
    )


def test_keywords_follow_every_way_to_the_callee() -> None:
    for head, callee in [
        ("import vllm.forward_context as fc\n", "fc.set_forward_context"),
        ("from vllm.forward_context import set_forward_context as sfc\n", "sfc"),
        (
            "from vllm.v1.worker.gpu_model_runner import set_forward_context\n",
            "set_forward_context",
        ),
    ]:
        result = translate(f"{head}def f():\n    {callee}(a, b, cudagraph_runtime_mode=m)\n").text
        assert "aclgraph_runtime_mode=m" in result
        assert "vllm_ascend.ascend_forward_context" in result


def test_platform_hook_keeps_the_gpu_keyword() -> None:
    text = IMPORT + "def f():\n    set_forward_context(a, b, cudagraph_runtime_mode=m)\n"
    assert translate(text, dialect="platform").text == (
        "from vllm_omni.platforms import current_omni_platform\n"
        "def f():\n"
        "    current_omni_platform.set_forward_context(a, b, cudagraph_runtime_mode=m)\n"
    )


def test_ranges_decide_on_keywords() -> None:
    text = "def f(self):\n    self._dummy_run(n, cudagraph_runtime_mode=m)\n"
    old = packaged().select("vllm-ascend==0.12.0rc1")
    assert "aclgraph_runtime_mode=m" in translate(text, table=old).text
    assert translate(text).text == text
    engine = IMPORT + "set_forward_context(a, b, virtual_engine=0)\n"
    kept = packaged().select("vllm-ascend==0.18.0")
    assert "virtual_engine=0" in translate(engine, table=kept).text
    assert "virtual_engine" not in translate(engine).text
