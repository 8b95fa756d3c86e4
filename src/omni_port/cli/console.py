"""Messages on stderr, as loud as asked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import click

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


def _change(ctx: click.Context, param: click.Parameter, value: object) -> object:
    """Put what was said into the context: wherever it was said, it holds for the whole run."""
    if value is None or value is False:
        return value
    root = ctx.find_root()
    if param.name == "color":
        ctx.color = root.color = want_colour(str(value))
        return value
    was = root.obj.verbosity if isinstance(root.obj, Console) else 0
    now = -1 if param.name == "quiet" else 1
    if was and was != now:
        raise click.UsageError("--quiet and --verbose exclude each other")
    ctx.obj = root.obj = Console(now)
    return value


def shared_options(colour: str | None = None) -> list[click.Option]:
    """Return the options that every command takes, before its name and after it.

    *colour* is what holds where ``--color`` is not given; a command leaves that to the group.
    """
    return [
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_change,
            help="Say nothing on stderr but errors.",
        ),
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_change,
            help="Say more on stderr.",
        ),
        click.Option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            default=colour,
            show_default=colour is not None,
            expose_value=False,
            is_eager=True,
            callback=_change,
            help="Colour; auto obeys NO_COLOR and FORCE_COLOR, and colours on a terminal alone.",
        ),
    ]


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
