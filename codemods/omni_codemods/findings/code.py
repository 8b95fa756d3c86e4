"""What a code of a finding is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One code: *title* in a few words, *meaning* in sentences, *example* as Python, *remedy*.

    *mended* is the example after the remedy, empty where there is nothing to do or to show.
    """

    code: str
    title: str
    meaning: str
    example: str
    remedy: str
    mended: str = ""
