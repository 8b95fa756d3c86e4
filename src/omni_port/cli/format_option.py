"""``--format``, the same in every command that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def format_option(*others: str, text: str) -> Callable[[Any], Any]:
    """Add ``--format``, given to the command as *form*: ``text``, or one of *others*."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", *others]),
        default="text",
        show_default=True,
        help=text,
    )
