"""Open questions, as ``decide --format json`` prints them and as a decider is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from omni_port.decisions.facts import Facts
from omni_port.decisions.proposal import Proposal
from omni_port.decisions.question import Question
from omni_port.decisions.record import Decision
from omni_port.documents.common import Line, Tool, Value, publish, this_tool

# So many lines before and after the hunk are shown to a decider.
_AROUND = 15


class PlaceValue(Value, frozen=True):
    """Where the question stands: the line of its hunk, and the function around that."""

    path: str
    line: Line
    method: str


class FactValue(Value, frozen=True):
    """A fact in a sentence, and the side that it speaks for, empty for neither."""

    said: str
    speaks_for: str


class EarlierValue(Value, frozen=True):
    """An answer that was given to the same question before, and waits for a person here."""

    take: str
    because: str
    by: str
    on: str
    upgrade: str
    text: str


class QuestionValue(Value, frozen=True):
    """One question: what each side says, every place that asks it, and what speaks for whom.

    *recommended* is the side on which the facts agree, empty where they do not; *around* is the
    code around the first place, the hunk within.
    """

    number: int
    key: str
    local: str
    base: str
    target: str
    places: tuple[PlaceValue, ...]
    facts: tuple[FactValue, ...]
    recommended: Annotated[str, Meta(description="local, target, or empty")]
    reason: str
    earlier: EarlierValue | None
    around: str


class PartValue(Value, frozen=True):
    """A piece of a proposal: where it is for, where it stands with its sibling, and its code.

    *line* is 0 where it has none in the local file; *source* may be empty.
    """

    key: str
    path: str
    method: str
    line: int
    source: str
    code: str
    summary: str
    reason: str
    ours: Annotated[str, Meta(description="the local code that it is about; may be empty")]


class ProposalValue(Value, frozen=True):
    """What is taken or left as one; *kind* is proposal, or what it is that is to be looked at."""

    number: int
    key: str
    kind: str
    cause: str
    parts: tuple[PartValue, ...]


class DecideDocument(Value, frozen=True):
    """What omni-port decide and take --format json print."""

    version: Literal[1]
    tool: Tool
    questions: tuple[QuestionValue, ...]
    proposals: tuple[ProposalValue, ...]


def make_decide_document(
    questions: Sequence[QuestionValue], proposals: Sequence[Proposal] = ()
) -> DecideDocument:
    """Return the document."""
    return DecideDocument(1, this_tool(), tuple(questions), tuple(map(_proposal, proposals)))


def _proposal(one: Proposal) -> ProposalValue:
    parts = tuple(publish(part, PartValue) for part in one.parts)
    return ProposalValue(one.number, one.key, one.kind, one.cause, parts)


def make_question(
    question: Question, facts: Facts, earlier: Decision | None, texts: Mapping[str, str]
) -> QuestionValue:
    """Return *question* as it is published."""
    place = question.places[0]
    return QuestionValue(
        question.number,
        question.key,
        question.local,
        question.base,
        question.target,
        tuple(publish(one, PlaceValue) for one in question.places),
        tuple(publish(one, FactValue) for one in facts.facts),
        facts.recommended,
        facts.reason,
        None if earlier is None else publish(earlier, EarlierValue),
        _around(texts[place.path], place.line, question),
    )


def _around(text: str, line: int, question: Question) -> str:
    sides = (question.local, question.base, question.target)
    height = 4 + sum(side.count("\n") for side in sides)
    first = max(0, line - 1 - _AROUND)
    return "".join(text.splitlines(keepends=True)[first : line - 1 + height + _AROUND])
