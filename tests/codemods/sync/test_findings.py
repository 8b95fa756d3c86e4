"""What a person should look at in synced lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omni_codemods.findings.model import (
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Finding,
    Outcome,
    Severity,
    Span,
)
from omni_codemods.sync.findings import Review, check_calls, check_keywords, check_translation

GPU = """\
class GPU:
    def run(self):
        self.both()
        self.theirs()
        self.other(1)
        return Output(self.ids, multimodal_outputs=self.audio)

    def both(self):
        return 1

    def theirs(self):
        return 2

    def other(self, x):
        return x
"""
NPU = """\
class NPU:
    def run(self):
        self.both()
        self.theirs()
        self.other(1)
        return Output(self.ids, pooler_output=self.audio)

    def both(self):
        return 1

    def other(self, x):
        return -x
"""
REVIEW = Review(NPU, "NPU.run", GPU, "GPU.run", frozenset({"Output"}))


def edit(first: int, last: int, outcome: Outcome = Outcome.CARRIED) -> EditOutcome:
    result = Span(first, last) if outcome is not Outcome.PROPOSED else None
    span = Edit(EditKind.SIBLING, "insertion", Span(first, last), "")
    return EditOutcome(span, outcome, Evidence.EXACT, "", result)


def found(*edits: EditOutcome, review: Review = REVIEW) -> list[tuple[str, int, int]]:
    return [(f.code, f.line, f.column) for f in check_calls(review, edits)]


def test_a_helper_that_is_missing_and_one_that_is_another() -> None:
    assert found(edit(3, 5)) == [("OP501", 4, 8), ("OP503", 5, 8)]
    severities = [f.severity for f in check_calls(REVIEW, [edit(3, 5)])]
    assert severities == [Severity.WARNING, Severity.NOTE]


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [edit(3, 3)],
        [edit(3, 5, Outcome.PROPOSED)],
        [edit(3, 5, Outcome.ABSORBED)],
        [edit(3, 5, Outcome.CONFLICT)],
    ],
)
def test_lines_that_were_not_synced_say_nothing(edits: list[EditOutcome]) -> None:
    assert found(*edits) == []


def test_each_method_is_told_once() -> None:
    assert found(edit(4, 4), edit(4, 4)) == [("OP501", 4, 8)]


def test_what_another_file_gives_is_not_missing() -> None:
    known = replace(REVIEW, inherited=frozenset({"theirs"}))
    assert found(edit(3, 5), review=known) == [("OP503", 5, 8)]


def test_a_call_in_a_comment_is_none() -> None:
    text = NPU.replace("        self.theirs()\n", "        pass  # self.theirs()\n")
    assert found(edit(4, 4), review=replace(REVIEW, text=text)) == []


def test_keywords_on_one_side_only() -> None:
    (finding,) = check_keywords(REVIEW, [Span(6, 6)])
    assert (finding.code, finding.line, finding.column) == ("OP504", 6, 15)
    assert "the sibling passes multimodal_outputs=" in finding.message
    assert "this method passes pooler_output=" in finding.message


@pytest.mark.parametrize(
    ("review", "span"),
    [
        (REVIEW, Span(3, 5)),
        (replace(REVIEW, downstream=frozenset({"Input"})), Span(6, 6)),
        (replace(REVIEW, text=NPU.replace("pooler_output", "multimodal_outputs")), Span(6, 6)),
        (replace(REVIEW, text=NPU.replace("pooler_output=", "**")), Span(6, 6)),
        (replace(REVIEW, text=NPU.replace("return Output(", "return Input(")), Span(6, 6)),
    ],
    ids=["unchanged line", "not the downstream's", "the same", "unpacked", "not called"],
)
def test_no_keywords_to_tell_of(review: Review, span: Span) -> None:
    assert list(check_keywords(review, [span])) == []


def test_what_could_not_be_translated_in_a_synced_line() -> None:
    one, other = Finding("OP110", 4, 2, "wants more"), Finding("OP102", 9, 2, "unknown")
    placed = replace(edit(3, 5), result=Span(30, 32))
    (finding,) = check_translation([placed], [one, other])
    assert (finding.code, finding.line) == ("OP110", 30)
    assert finding.message == "wants more (line 4 of the sibling)"
    assert list(check_translation([edit(3, 5, Outcome.PROPOSED)], [one])) == []
