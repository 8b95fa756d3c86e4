"""Look-ups, answers and needles."""

from __future__ import annotations

import pytest

from omni_codemods.table.table import packaged
from omni_codemods.translate import translate
from omni_codemods.translate.index import Answer, build_index, parse_answer
from omni_codemods.translate.needles import build_needles

TABLE = packaged().select()
INDEX = build_index(TABLE, "npu")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a.b.C", Answer("a.b", "C")),
        ("a.b:c.d.e", Answer("a.b", "c", ".d.e")),
        ("a:c.d()", Answer("a", "c", ".d()")),
        ("a:c", Answer("a", "c")),
    ],
)
def test_answers(text: str, answer: Answer) -> None:
    assert parse_answer(text) == answer


def test_find_goes_to_the_nearest_entry() -> None:
    found = INDEX.find("torch.cuda.Event.record.x")
    assert found is not None
    assert (found[0].id, found[1]) == ("torch-cuda.Event", "torch.cuda.Event")
    assert INDEX.find("torch.nn.Module") is None
    assert INDEX.namespace_of("torch.cudax") is None


def test_callees_are_found_by_their_npu_path() -> None:
    callee = INDEX.callees["vllm_ascend.ascend_forward_context.set_ascend_forward_context"]
    assert set(callee.keywords) == {"cudagraph_runtime_mode"}
    assert "slot_mapping" in callee.dropped


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "cudagraph_mode = 1\n",
        "class Sampler: ...\n",
        "from vllm.config import VllmConfig\n",
        "barracuda = my_cuda\n",
        "this is ( no Python\n",
    ],
)
def test_files_without_needles_are_not_even_parsed(text: str) -> None:
    assert build_needles(TABLE, "npu").find_words(text) == ()
    assert translate(text).text == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("x.cuda()", "cuda"),
        ("from vllm.v1.sample.sampler import Sampler", "Sampler"),
        ("backend='nccl'", "nccl"),
        ("self._dummy_run()", "_dummy_run"),
    ],
)
def test_needles(text: str, word: str) -> None:
    assert word in build_needles(TABLE, "npu").find_words(text)
