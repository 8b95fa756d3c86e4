"""Star imports and type comments."""

from __future__ import annotations

from omni_codemods.testing import check_noop
from omni_codemods.translate import translate


def codes(text: str) -> list[str]:
    return [finding.code for finding in translate(text).findings]


def test_star_import_is_a_finding() -> None:
    text = "from vllm.forward_context import *\nset_forward_context(a, b, slot_mapping=1)\n"
    check_noop(text, dedent=False)
    assert codes(text) == ["OP106"]
    assert codes("from vllm.forward_context import *\nother()\n") == []


def test_type_comments_stay_and_are_reported() -> None:
    text = "import torch\nx = f()  # type: torch.cuda.Event\ny = g()  # type: ignore\n"
    check_noop(text, dedent=False)
    assert [(f.code, f.line, f.column) for f in translate(text).findings] == [("OP117", 2, 17)]
