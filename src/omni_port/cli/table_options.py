"""Options about the table, of every command that reads it."""

from __future__ import annotations

from pathlib import Path

import click

TARGET = click.option(
    "--target", metavar="RELEASE", help="The release.  [default: the newest that the table knows]"
)
TABLES = click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A table of your own; it says whether it extends the packaged one. Repeatable.",
)
