from __future__ import annotations

import pytest

from checked import check

HEAD = "from vllm_omni.outputs import Output\nfrom vllm.outputs import Other\n\n\n"


def sample(call: str, name: str = "sample") -> str:
    return f"{HEAD}class Runner:\n    def {name}(self, r, p):\n        return {call}\n"


def messages(mine: str, theirs: str) -> list[str]:
    found = check(mine, gpu=theirs, module="vllm_omni.npu.runner")
    return [finding.message for finding in found if finding.code == "OP613"]


def test_keywords_on_one_side_only() -> None:
    mine, theirs = sample("Output(r=r, pooled=p)"), sample("Output(r=r, many=p)")
    assert messages(mine, theirs) == [
        "the sibling passes many= to Output (line 7 there)",
        "the sibling does not pass pooled= to Output (line 7 there)",
    ]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Output(r=r, many=1)", "Output(many=2, r=r)"),
        ("Output(r=r, **p)", "Output(r=r, many=p)"),
        ("Output(r, many=p)", "Output(r=r, many=p)"),
        ("Output(r=r)", "(Output(r=r, many=p), Output(r=r))"),
        ("Other(r=r)", "Other(r=r, many=p)"),
        ("self.make(r=r)", "self.make(r=r, many=p)"),
        ("Output(r=r)", "None"),
    ],
)
def test_calls_that_agree_or_cannot_be_compared(mine: str, theirs: str) -> None:
    assert messages(sample(mine), sample(theirs)) == []


def test_methods_of_another_name_are_not_compared() -> None:
    assert messages(sample("Output(r=r)"), sample("Output(many=r)", "draft")) == []


def test_the_same_name_from_another_module_is_another_callee() -> None:
    theirs = sample("Output(many=r)").replace("vllm_omni.outputs", "vllm_omni.gpu.outputs")
    assert messages(sample("Output(r=r)"), theirs) == []
