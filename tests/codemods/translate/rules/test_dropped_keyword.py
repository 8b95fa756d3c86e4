"""Keywords dropped, in any layout, and reported."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_codemods.testing import check_rewrite
from omni_codemods.translate import translate

IMPORT = "from vllm.forward_context import set_forward_context\n"
NEW_IMPORT = "from vllm_ascend.ascend_forward_context import set_ascend_forward_context\n"
_VALUES = ("x", "(x)", "f(a, b)", "[1,\n 2]", "'#, ('", "lambda: (1, 2)", "x  # c\n")
_NAMES = ("num_tokens", "slot_mapping", "ubatch_slices", "cudagraph_runtime_mode", "is_padding")
_AFTER = (",", " ,", ", ", ",\n", ",  # note\n", "  # note\n,\n", ",\n\n    ")
_RENAMED = {"cudagraph_runtime_mode": "aclgraph_runtime_mode"}
_DROPPED = {"slot_mapping", "ubatch_slices", "is_padding"}


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
