"""What is known of a revision: the commit that a spelling names, and the files that it lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A commit by its full SHA; *note* is what one should know of the spelling, or nothing."""

    sha: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at a path: the mode as git writes it, and the SHA of the object."""

    mode: str
    sha: str


Listing = Mapping[str, Entry]
