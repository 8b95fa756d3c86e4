"""Code in messages: short, and with what differs in sight."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence

# Code longer than this is cut; so much of what is the same stays before what differs.
_WIDTH, _LEAD = 60, 12


def shorten(one: str, other: str) -> tuple[str, str]:
    """Return two pieces of code for a message, each cut around the first place they differ at."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    start = sum(1 for _ in same)
    start = max(0, start - _LEAD) if max(len(one), len(other)) > _WIDTH else 0
    return _cut(one, start), _cut(other, start)


def _cut(code: str, start: int) -> str:
    lead = "..." if start else ""
    rest = code[start:]
    return lead + (rest if len(rest) <= _WIDTH else f"{rest[: _WIDTH - 3]}...")


def find_moved(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the names that stand elsewhere in the order, as few as explain it; both have all."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    kept = {before[m.a + n] for m in matcher.get_matching_blocks() for n in range(m.size)}
    return [name for name in after if name not in kept]


def other_places(modules: Sequence[str]) -> str:
    """Return how to go on after ``gone``, where *modules* define something else of that name."""
    if not modules:
        return ": the target defines nothing of this name"
    return f": what {', '.join(modules[:3])} calls so is something else"
