"""Proposals that a person took, each known by its code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from omni_codemods.text.code_lines import code_of


@dataclass(frozen=True, slots=True)
class Taken:
    """Which proposals are put in: those of *keys*; with *only*, nothing else is brought over."""

    keys: frozenset[str] = field(default_factory=frozenset)
    only: bool = False

    def has(self, text: str) -> bool:
        """Whether the proposal with the code *text* was taken."""
        return bool(self.keys) and proposal_key(text) in self.keys


NOTHING_TAKEN = Taken()


def proposal_key(text: str) -> str:
    """Return what names a proposal by its code alone, wherever it stands and however it is laid
    out: twelve hexadecimal digits."""
    return hashlib.sha256(f"proposal\0{code_of(text)}".encode()).hexdigest()[:12]
