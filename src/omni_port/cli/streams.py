"""The standard streams: there may be none, and what is said may find no room."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

import click

from omni_port.base.shown import safe_text


def make_streams() -> None:
    """Put something in the place of a stream that is closed.

    A file that is opened later would take its number, and be written into as if it were stdout.
    Reading and writing such a stream fails as that of a closed one does; messages go nowhere.
    """
    if sys.stdin is None:
        sys.stdin = _replaced(0, os.O_WRONLY, "rb")
    if sys.stdout is None:
        sys.stdout = _replaced(1, os.O_RDONLY, "wb")
    if sys.stderr is None:
        sys.stderr = _replaced(2, os.O_RDWR, "wb")
    # A name that is no text is printed escaped, as on stderr; in JSON that is its escape there.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _replaced(number: int, how: int, mode: str) -> io.TextIOWrapper:
    try:
        os.fstat(number)  # open: whoever took the stream away wants nothing of it
        number = opened = os.open(os.devnull, os.O_RDWR)
    except OSError:
        opened = os.open(os.devnull, how)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    raw = io.FileIO(number, mode, closefd=False)
    buffered = io.BufferedReader(raw) if mode == "rb" else io.BufferedWriter(raw)
    return io.TextIOWrapper(buffered, encoding="utf-8")


def say(text: str) -> None:
    """Print a message on stderr; where that cannot take it, the work goes on without a word."""
    try:
        click.echo(safe_text(text), err=True)
    except OSError:
        silence(sys.stderr)


def show(text: str, form: str = "text", *, err: bool = False) -> None:
    """Print a report on stdout, its last line ended, or on stderr.

    What came from outside is made safe where people read it; a document is handed on as it is.
    """
    text = text.removesuffix("\n")
    click.echo(text if form in ("json", "sarif") else safe_text(text), err=err)


def silence(stream: TextIO) -> None:
    """Let what is still to be written to *stream* go nowhere.

    The interpreter flushes once more on exit, and would print a second error.
    """
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
