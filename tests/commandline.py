"""What the ``command`` fixture gives to the tests of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Ran:
    """The exit code of a command, and what it printed."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


class Command(Protocol):
    """Run ``omni-port`` with *arguments* in an empty folder, *stdin* as its input."""

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> Ran: ...
