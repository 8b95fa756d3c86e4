"""Strings of pairs: ``cpu:gloo,cuda:nccl`` names a backend for each device. No libcst here."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PAIR = re.compile(r"(\w+)(\s*:\s*)(\w+)")
_PAIRS = re.compile(r"\s*\w+\s*:\s*\w+\s*(?:,\s*\w+\s*:\s*\w+\s*)*")


def are_pairs(text: str) -> bool:
    """Whether *text* is one pair, or several with commas between them."""
    return _PAIRS.fullmatch(text) is not None


def second_halves(text: str) -> set[str]:
    """The second halves of all pairs in *text*, in small letters."""
    return {match[3].lower() for match in _PAIR.finditer(text)}


def respell_pairs(text: str, first: Mapping[str, str], second: Mapping[str, str]) -> str:
    """The pairs in *text* with their halves replaced, whatever their case.

    What is no list of pairs stays.
    """
    if not are_pairs(text):
        return text

    def respell(match: re.Match[str]) -> str:
        one, joint, other = match.groups()
        device = first.get(one, first.get(one.lower(), one))
        return f"{device}{joint}{second.get(other.lower(), other)}"

    return _PAIR.sub(respell, text)
