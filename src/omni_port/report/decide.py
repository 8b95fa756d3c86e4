"""A question as text: where it is asked, what each side says, and what speaks for whom."""

from __future__ import annotations

from collections.abc import Iterator

import click

from omni_port.base.words import count
from omni_port.decisions.facts import Facts
from omni_port.decisions.question import Question
from omni_port.decisions.record import Decision

_SIDES = (("local", "green"), ("base", "white"), ("target", "cyan"))


def render_question(question: Question, facts: Facts, earlier: Decision | None) -> str:
    """Return the question with its facts, ready for a terminal."""
    return "\n".join(_lines(question, facts, earlier))


def _lines(question: Question, facts: Facts, earlier: Decision | None) -> Iterator[str]:
    first = question.places[0]
    more = len(question.places) - 1
    also = f", and at {count(more, 'more place')}" if more else ""
    yield click.style(f"{question.number}. {first} {first.method}{also}", bold=True)
    yield from (f"   also {place} {place.method}" for place in question.places[1:])
    for name, colour in _SIDES:
        yield f"  {name}:"
        code = question.side(name).rstrip("\n")
        lines = code.split("\n") if code.strip() else ["(nothing)"]
        yield from (click.style(f"  | {line}", fg=colour) for line in lines)
    yield from (f"  - {fact.said}" for fact in facts.facts)
    if facts.recommended:
        yield click.style(f"  the facts agree on {facts.recommended}: {facts.reason}", fg="yellow")
    if earlier is not None:
        who = f" by {earlier.by}" if earlier.by else ""
        when = f" on {earlier.on}" if earlier.on else ""
        where = f" for {earlier.upgrade}" if earlier.upgrade else ""
        yield f"  proposed{who}{when}{where}: {earlier.take}, because {earlier.because}"
    yield f'  omni-port decide {question.number} --take local --because "..."'
