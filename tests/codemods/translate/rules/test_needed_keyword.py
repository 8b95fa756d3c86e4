"""Keywords that the NPU callee wants."""

from __future__ import annotations

from omni_codemods.translate import translate

IMPORT = "from vllm.forward_context import set_forward_context\n"


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


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
