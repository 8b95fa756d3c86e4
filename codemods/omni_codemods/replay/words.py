"""What a replay calls its sides where a person reads it: the caller's words, not the engine's.

A rebase puts local edits into the upstream's code, a sync puts the sibling's into the NPU copy:
the engine does the same in both, and only its caller knows what the sides are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The names of the sides: *change* is one that the skeleton has, *code* its code."""

    edited: str = "the edited side"
    skeleton: str = "the skeleton"
    change: str = "a change of the skeleton"
    code: str = "the skeleton's code"


NEUTRAL = Words()
