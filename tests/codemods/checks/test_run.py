from __future__ import annotations

import pytest

from checked import HEAD, check, codes
from omni_codemods.findings.check_codes import BLOCK_GONE, SIBLING_KEYWORD
from omni_codemods.findings.codes import CODES, Code
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Severity

CHECKED = [code for code in CODES.values() if code.code.startswith("OP6")]


def in_file(example: str) -> str:
    return HEAD + example if "NPUModelRunner" in example and "import" not in example else example


def old_copy(code: Code) -> str | None:
    return code.mended if code is BLOCK_GONE else None


def sibling(code: Code) -> str | None:
    if code is not SIBLING_KEYWORD:
        return None
    return code.example.replace("pooler_output", "multimodal_outputs")


@pytest.mark.parametrize("code", CHECKED, ids=lambda code: code.code)
def test_examples_show_their_code(code: Code) -> None:
    found = check(
        in_file(code.example), old=old_copy(code), gpu=sibling(code), module="vllm_omni.runner"
    )
    assert code.code in {finding.code for finding in found}


@pytest.mark.parametrize("code", [c for c in CHECKED if c.mended], ids=lambda code: code.code)
def test_mended_examples_raise_it_no_more(code: Code) -> None:
    found = check(in_file(code.mended), old=old_copy(code))
    assert code.code not in {finding.code for finding in found}


def test_a_finished_port_has_no_findings() -> None:
    text = HEAD + (
        "class Runner(NPUModelRunner):\n"
        "    def _dummy_run(self, num_tokens, mode=None, *, uniform=False):\n"
        "        logits, tokens, size = self._prepare_inputs(num_tokens)\n"
        "        # ---- Omni-new ----\n"
        "        self.hook.feed(logits, tokens)\n"
        "        # ---- Omni-new ----\n"
        "        return super()._dummy_run(size, mode, uniform=uniform)\n"
    )
    assert check(text) == []


def test_an_empty_file_has_none() -> None:
    assert check("") == []


def test_a_file_that_is_no_python_is_one_finding() -> None:
    (found,) = check("import torch\ntorch.cuda.synchronize(\n")
    assert (found.code, found.line, found.severity) == ("OP601", 2, Severity.ERROR)


@pytest.mark.parametrize("text", ["def f(a, a):\n    pass\n", "x = 1\0\n", "if x:\npass\n"])
def test_what_only_looks_like_python_is_one_too(text: str) -> None:
    assert [code for code, _ in codes(check(text))] == ["OP601"]


def test_columns_are_characters() -> None:
    (found,) = check("def f(x):\n    x = 'äöü'; return gone\n")
    assert (found.code, found.line, found.column) == ("OP610", 2, 22)


def test_an_old_copy_that_is_no_python_is_told_from_the_file() -> None:
    with pytest.raises(SourceError) as caught:
        check("x = 1\n", old="# ---- Omni-new ----\nx = (\n")
    assert caught.value.side == "old"
    with pytest.raises(SourceError) as caught:
        check("x = 1\n", gpu="x = (\n")
    assert caught.value.side == "gpu"


def test_fences_are_checked() -> None:
    text = "def run(x):\n    # ---- Omni-new ----\n    x.feed()\n    return x\n"
    assert codes(check(text)) == [("OP201", 2)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("base", ["||||||| base\nx = 1\n", ""])
def test_conflicts_are_told_and_the_rest_is_checked(newline: str, base: str) -> None:
    text = (
        f"<<<<<<< local\nx = 0\n{base}=======\nx = 2\n>>>>>>> target\n\n\ndef f():\n    return y\n"
    )
    line = text.count("\n")
    found = check(text.replace("\n", newline))
    assert codes(found) == [("OP602", 1), ("OP610", line)]


def test_a_line_of_equals_signs_is_no_conflict() -> None:
    assert check('"""\nTitle\n=======\n"""\n') == []


def test_findings_come_in_the_order_of_their_places() -> None:
    text = "import torch\n\n\ndef f(x):\n    y.go()\n    torch.cuda.synchronize()\n    z.go()\n"
    assert codes(check(text)) == [("OP610", 5), ("OP603", 6), ("OP610", 7)]
