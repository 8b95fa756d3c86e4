"""What may be taken or left, as text: why it is one thing, where each part stands, and its code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from omni_port.base.words import count
from omni_port.decisions.proposal import TAKEABLE, Part, Proposal


def render_proposal(one: Proposal) -> str:
    """Return the proposal ready for a terminal."""
    return "\n".join(_lines(one))


def _lines(one: Proposal) -> Iterator[str]:
    first = one.parts[0]
    what = one.cause or first.summary
    yield click.style(f"{one.number}. {one.kind}: {what}", bold=True)
    shown: set[tuple[str, str]] = set()
    for part in one.parts:
        others = [p for p in one.parts if p.key == part.key and p.code == part.code]
        if (part.key, part.code) in shown:
            continue
        shown.add((part.key, part.code))
        yield f"  {_places(others)}"
        if part.reason and part.reason != one.cause:
            yield f"    {part.reason}"
        if part.ours:
            yield "    ours:"
            yield from (click.style(f"    | {x}", fg="green") for x in part.ours.splitlines())
            if not part.code:
                continue
            yield "    the upstream's:"
        yield from (click.style(f"    | {line}", fg="cyan") for line in _code(part))
    if one.kind in TAKEABLE:
        yield f'  omni-port take {one.number}, or omni-port leave {one.number} --because "..."'
    else:
        yield f'  looked at: omni-port leave {one.number} --because "..."'


def _places(parts: Sequence[Part]) -> str:
    first = parts[0]
    place = f"{first.path}:{first.line}" if first.line else first.path
    more = [f"{part.path} {part.method}" for part in parts[1:]]
    also = f", and {count(len(more), 'more place')}: {', '.join(more)}" if more else ""
    source = f" from {first.source}" if first.source else ""
    return f"{place} {first.method}{source}{also}"


def _code(part: Part) -> list[str]:
    return (part.code or part.summary).rstrip("\n").split("\n")
