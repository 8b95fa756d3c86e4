"""Messages on stderr, as loud as asked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from omni_port.cli.streams import say


@dataclass(frozen=True, slots=True)
class Console:
    """*verbosity* is -1 for quiet, 0, or 1 for verbose."""

    verbosity: int = 0

    @property
    def quiet(self) -> bool:
        """Whether only errors are wanted."""
        return self.verbosity < 0

    @property
    def verbose(self) -> bool:
        """Whether the details are wanted too."""
        return self.verbosity > 0

    def say(self, text: str) -> None:
        """Print a message, unless quiet."""
        if not self.quiet and text:
            say(text)

    def say_all(self, texts: Iterable[str]) -> None:
        """Print messages, unless quiet."""
        for text in texts:
            self.say(text)

    def detail(self, text: str) -> None:
        """Print a message when verbose."""
        if self.verbose and text:
            say(text)


def want_colour(choice: str, environment: Mapping[str, str] = os.environ) -> bool | None:
    """Return whether to colour; ``None`` leaves it to what the stream is.

    ``--color`` decides, then ``NO_COLOR``, then ``FORCE_COLOR`` (each where it is not empty).
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return None
