"""The registry of codes, and their examples, which must raise them."""

from __future__ import annotations

import re
import sys

import pytest

from omni_codemods.findings.codes import CODES, Code
from omni_codemods.translate import translate

TRANSLATION = [code for code in CODES.values() if code.code.startswith("OP1")]
HEAD = (
    "import torch\n"
    "from vllm.forward_context import set_forward_context\n"
    "from vllm.v1.worker.gpu_model_runner import GPUModelRunner\n"
    "from vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_codes_are_complete(code: Code) -> None:
    assert re.fullmatch(r"OP\d{3}", code.code)
    for text in (code.title, code.meaning, code.example, code.remedy):
        assert text.strip()
    assert code.meaning.endswith(".")
    assert code.remedy.endswith(".")


def test_keys_are_the_codes() -> None:
    assert {key: code.code for key, code in CODES.items()} == {key: key for key in CODES}


@pytest.mark.parametrize("code", TRANSLATION, ids=lambda code: code.code)
def test_examples_show_their_code(code: Code) -> None:
    if code.code == "OP118" and sys.version_info >= (3, 12):
        pytest.skip("positions in f-strings are exact here")
    example = code.example
    names = ("set_forward_context(", "torch.", "GPUModelRunner", "CUDAGraphWrapper.")
    if "import" not in example and any(name in example for name in names):
        example = HEAD + example
    if "self." in example:
        call = example.removeprefix(HEAD)
        example = f"{HEAD}class R(GPUModelRunner):\n    def f(self):\n        {call}"
    dialect = "platform" if code.code == "OP124" else "npu"
    result = translate(example, dialect=dialect, only="safe" if code.code == "OP125" else "")
    assert code.code in {finding.code for finding in (*result.findings, *result.kept)}


MENDED = [code for code in TRANSLATION if code.mended]


@pytest.mark.parametrize("code", MENDED, ids=lambda code: code.code)
def test_mended_examples_raise_it_no_more(code: Code) -> None:
    result = translate(code.mended if "import" in code.mended else f"import torch\n{code.mended}")
    assert code.code not in {finding.code for finding in result.findings}
    compile(code.mended, code.code, "exec")


def test_codes_that_ask_for_a_change_show_one() -> None:
    without = {code.code for code in TRANSLATION if code.code < "OP130" and not code.mended}
    # Dropped keywords, unknown names and other signatures have no answer that fits all.
    assert without == {"OP102", "OP109", "OP118", "OP121", "OP124"}
