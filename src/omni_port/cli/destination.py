"""Where the result of a command goes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from omni_port.base import files
from omni_port.base.diff import unified_diff
from omni_port.base.writing import (
    Write,
    make_folder,
    require_inside,
    write_file,
    write_together,
)


@dataclass(frozen=True, slots=True)
class Destination:
    """At most one of *output*, *in_place*, *output_dir*, and *diff* or *check* (or both).

    Without any of them the result goes to stdout.
    """

    output: Path | None = None
    in_place: bool = False
    diff: bool = False
    check: bool = False
    output_dir: Path | None = None
    force: bool = False

    def __post_init__(self) -> None:
        chosen = [
            name
            for name, given in (
                ("--output", self.output is not None),
                ("--in-place", self.in_place),
                ("--output-dir", self.output_dir is not None),
                ("--diff or --check", self.diff or self.check),
            )
            if given
        ]
        if len(chosen) > 1:
            raise click.UsageError(f"{chosen[0]} and {chosen[1]} exclude each other")

    @property
    def writes(self) -> bool:
        """Whether the text goes into a file."""
        return self.in_place or self.output is not None or self.output_dir is not None

    @property
    def stdout(self) -> bool:
        """Whether the text itself goes to stdout."""
        return not (self.writes or self.diff or self.check)

    def over(self, path: str, text: str, source: files.Source) -> Write:
        """Return the write of *text* over the file *path*, which was read as *source*."""
        seen = files.encode(source.text, source, path=path)
        return Write(Path(path), files.encode(text, source, path=path), seen, force=self.force)

    def write(
        self, path: str, text: str, source: files.Source, *, goes_to: Path | None = None
    ) -> tuple[str, ...]:
        """Write *text* where it goes; *path* was read as *source*.

        *goes_to* is its place below ``--output-dir``. Returns what is to be said of the write.
        Raises InputError: among others, the file has changed since it was read.
        """
        over = self.over(path, text, source)
        if self.in_place:
            return write_together([over])
        target = goes_to or self.output or Path(path)
        if goes_to is not None and self.output_dir is not None:
            require_inside(target, self.output_dir)
            make_folder(target.parent)
        # The output may be the input by another name.
        seen = over.seen if _is_same(target, Path(path)) else None
        return write_file(target, over.data, seen=seen, force=self.force)


def destination_options(*, folders: bool, check: bool) -> Callable[[Any], Any]:
    """Add the options that make a Destination, given to the command as *destination*."""
    options = [
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Write the result to FILE.",
        ),
        click.option("-i", "--in-place", is_flag=True, help="Write the result over the input."),
        click.option("--force", is_flag=True, help="Write over a read-only file too."),
        click.option("--diff", is_flag=True, help="Print a unified diff; write nothing."),
    ]
    if check:
        options.append(
            click.option(
                "--check", is_flag=True, help="Write nothing; exit 1 if a file would change."
            )
        )
    if folders:
        options.append(
            click.option(
                "--output-dir",
                type=click.Path(file_okay=False, path_type=Path),
                metavar="DIR",
                help="Write every translated file below DIR, and leave the inputs alone.",
            )
        )
    return _combine(options)


def _combine(options: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    names = ("output", "in_place", "force", "diff", "check", "output_dir")

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def wrapper(**arguments: Any) -> Any:
            chosen = {name: arguments.pop(name) for name in names if name in arguments}
            return function(destination=Destination(**chosen), **arguments)

        decorated: Any = wrapper
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def write_stdout(data: bytes) -> None:
    """Write *data* on stdout as it is, after what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_text(text: str, source: files.Source, path: str) -> None:
    """Print *text* on stdout, byte for byte as a file would have it."""
    write_stdout(files.encode(text, source, path=path))


def print_diff(before: str, after: str, source: files.Source, path: str) -> None:
    """Print the diff on stdout in the encoding of the file, coloured on a terminal."""
    ctx = click.get_current_context()
    colour = ctx.color if ctx.color is not None else sys.stdout.isatty()
    diff = unified_diff(before, after, path)
    if colour:
        diff = "".join(map(_coloured, diff.splitlines(keepends=True)))
    write_stdout(diff.encode(source.encoding, errors="replace"))


def _coloured(line: str) -> str:
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    if line.startswith(("---", "+++")):
        return click.style(body, bold=True) + end
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return click.style(body, fg=colour) + end if colour else line
