"""Keywords renamed, dropped and needed, and positional arguments, by callee only."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.model import Severity
from omni_codemods.table import packaged
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate

IMPORT = "from vllm.forward_context import set_forward_context\n"
NEW_IMPORT = "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def check_call(before: str, after: str) -> None:
    check_rewrite(
        IMPORT + f"def f():\n    set_forward_context({before})\n",
        NEW_IMPORT + f"def f():\n    set_ascend_forward_context({after})\n",
        dedent=False,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a, b, cudagraph_runtime_mode=m", "a, b, aclgraph_runtime_mode=m"),
        ("a, b, cudagraph_runtime_mode = m", "a, b, aclgraph_runtime_mode = m"),
        (
            "a, b, cudagraph_runtime_mode=cudagraph_runtime_mode",
            "a, b, aclgraph_runtime_mode=cudagraph_runtime_mode",
        ),
        (
            "a, b, cudagraph_runtime_mode=g(cudagraph_runtime_mode=m)",
            "a, b, aclgraph_runtime_mode=g(cudagraph_runtime_mode=m)",
        ),
        ("a, b, slot_mapping=s", "a, b"),
        ("a, b, slot_mapping=s,", "a, b,"),
        ("a, b, slot_mapping=(s), num_tokens=n", "a, b, num_tokens=n"),
        ("slot_mapping=s", ""),
        ("slot_mapping=s,", ""),
        ("slot_mapping=s, ubatch_slices=u", ""),
        ("a, slot_mapping=s, ubatch_slices=u, num_tokens=n", "a, num_tokens=n"),
        ("a, slot_mapping=s, num_tokens=n, ubatch_slices=u", "a, num_tokens=n"),
        ("slot_mapping=s, num_tokens=n", "num_tokens=n"),
        ("\n        a,\n        slot_mapping=s,\n    ", "\n        a,\n    "),
        ("\n        a,\n        slot_mapping=s  # gone\n    ", "\n        a,\n    "),
        (
            "\n        a,\n        # kept\n        slot_mapping=f(\n            s),  # gone\n        num_tokens=n,\n    ",  # noqa: E501
            "\n        a,\n        # kept\n        num_tokens=n,\n    ",
        ),
        ("a, b, is_padding=(((p)))", "a, b"),
        ("a, (b), is_padding=p", "a, (b)"),
        ("a, b, virtual_engine=0, num_tokens=n", "a, b, num_tokens=n"),
        ("a, 'é', slot_mapping=s, cudagraph_runtime_mode=m", "a, 'é', aclgraph_runtime_mode=m"),
    ],
)
def test_keywords(before: str, after: str) -> None:
    check_call(before, after)


def test_dropping_is_reported_with_its_place() -> None:
    text = IMPORT + "def f():\n    set_forward_context(a, b, slot_mapping=s)\n"
    found = [f for f in translate(text).findings if f.code == "OP109"]
    assert [(f.line, f.column) for f in found] == [(3, 30)]
    assert "slot_mapping" in found[0].message
    assert found[0].hint


def test_a_value_with_an_effect_is_not_dropped() -> None:
    text = IMPORT + "def f():\n    set_forward_context(a, b, slot_mapping=(s := make()))\n"
    assert "slot_mapping=(s := make())" in translate(text).text
    assert "OP109" in codes(text)


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


def test_needed_keywords_are_named_once() -> None:
    text = IMPORT + "set_forward_context(a, b)\n"
    found = [f.message for f in translate(text).findings if f.code == "OP110"]
    assert len(found) == 1
    assert "num_actual_tokens" in found[0]
    assert "model_instance" in found[0]
    assert "skip_compiled" not in found[0]


def test_needed_keywords_that_are_there() -> None:
    text = IMPORT + "set_forward_context(a, b, num_actual_tokens=n, model_instance=m)\n"
    assert codes(text) == []


def test_positional_arguments_past_the_common_ones() -> None:
    text = IMPORT + "set_forward_context(a, b, 0, n)\n"
    found = [f for f in translate(text).findings if f.code == "OP111"]
    assert [(f.line, f.column, f.severity) for f in found] == [(2, 26, Severity.ERROR)]
    assert "set_ascend_forward_context(a, b, 0, n)" in translate(text).text


def test_starred_arguments_are_reported() -> None:
    assert "OP111" in codes(IMPORT + "set_forward_context(*args)\n")
    assert "OP112" in codes(IMPORT + "set_forward_context(a, b, **options)\n")


def test_graph_takes_its_fourth_argument_by_name() -> None:
    check_rewrite(
        "import torch\nwith torch.cuda.graph(g, p, s, 'thread_local'):\n    pass\n",
        "import torch\nwith torch.npu.graph(g, p, s, capture_error_mode='thread_local'):\n    pass\n",  # noqa: E501
        dedent=False,
    )
    check_rewrite(
        "import torch\nwith torch.cuda.graph(cuda_graph=g, pool=None):\n    pass\n",
        "import torch\nwith torch.npu.graph(npu_graph=g, pool=None):\n    pass\n",
        dedent=False,
    )
    check_noop("def graph(cuda_graph): ...\ngraph(cuda_graph=1)\n", dedent=False)


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


_VALUES = ("x", "(x)", "f(a, b)", "[1,\n 2]", "'#, ('", "lambda: (1, 2)", "x  # c\n")
_NAMES = ("num_tokens", "slot_mapping", "ubatch_slices", "cudagraph_runtime_mode", "is_padding")
_AFTER = (",", " ,", ", ", ",\n", ",  # note\n", "  # note\n,\n", ",\n\n    ")
_RENAMED = {"cudagraph_runtime_mode": "aclgraph_runtime_mode"}
_DROPPED = {"slot_mapping", "ubatch_slices", "is_padding"}


@given(
    positional=st.lists(st.sampled_from(_VALUES[:-1]), max_size=2),
    keywords=st.lists(st.sampled_from(_NAMES), unique=True),
    values=st.lists(st.sampled_from(_VALUES), min_size=5, max_size=5),
    after=st.lists(st.sampled_from(_AFTER), min_size=8, max_size=8),
    start=st.sampled_from(("", "\n", "  # first\n", "\n    # own line\n    ")),
    end=st.sampled_from(("", ",", ",\n", "\n", "  # last\n", ",  # last\n")),
)
def test_any_layout_of_a_call(
    positional: list[str],
    keywords: list[str],
    values: list[str],
    after: list[str],
    start: str,
    end: str,
) -> None:
    written = [*positional, *(f"{k}={v}" for k, v in zip(keywords, values, strict=False))]
    body = "".join(
        argument + (after[i] if i + 1 < len(written) else end) for i, argument in enumerate(written)
    )
    text = f"{IMPORT}set_forward_context({start}{body if written else ''})\ndone()\n"
    result = translate(text).text
    call = ast.parse(result).body[1].value  # type: ignore[attr-defined]
    assert [keyword.arg for keyword in call.keywords] == [
        _RENAMED.get(name, name) for name in keywords if name not in _DROPPED
    ]
    original = ast.parse(text).body[1].value  # type: ignore[attr-defined]
    assert [ast.dump(a) for a in call.args] == [ast.dump(a) for a in original.args]
    left = {k.arg: ast.dump(k.value) for k in original.keywords}
    for keyword in call.keywords:
        before = {new: old for old, new in _RENAMED.items()}.get(keyword.arg, keyword.arg)
        assert ast.dump(keyword.value) == left[before]
    assert "# own line" not in text or "# own line" in result
    assert "# first" not in text or "# first" in result
    assert result.endswith(")\ndone()\n")
    assert translate(result).text == result
