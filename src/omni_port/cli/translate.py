"""``omni-port translate``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from omni_port.base.errors import ExitCode
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, destination_options
from omni_port.cli.format_option import format_option
from omni_port.cli.table_options import TABLES
from omni_port.cli.translate_run import Job, Run, find_jobs, read_stdin
from omni_port.methods import translate_files
from omni_port.project.project import load_settings
from omni_port.sources.tables import DIALECTS, load_selected


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@destination_options(folders=True, check=True)
@click.option(
    "--stdin-filename", metavar="PATH", help="What to call the text of stdin in messages."
)
@click.option(
    "--target",
    metavar="RELEASE",
    help="The release to aim at, such as vllm-ascend==0.19.1rc1. "
    "[default: the newest that the table knows]",
)
@click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help="Which answer to take where there are several.  [default: npu]",
)
@click.option(
    "--only",
    type=click.Choice(["safe"]),
    help="Make no conditional change: each becomes a finding.",
)
@TABLES
@click.option(
    "--exclude", multiple=True, metavar="PATTERN", help="Leave out, as in .gitignore. Repeatable."
)
@format_option(
    "json", "github", "sarif", text="How to report findings: text on stderr, the others on stdout."
)
@click.option("--statistics", is_flag=True, help="Count the translated names by table entry.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Processes for many files.  [default: one a processor]",
)
@click.pass_obj
def translate(
    console: Console,
    paths: tuple[str, ...],
    destination: Destination,
    stdin_filename: str | None,
    target: str | None,
    dialect: str | None,
    only: str | None,
    tables: tuple[Path, ...],
    exclude: tuple[str, ...],
    form: str,
    statistics: bool,
    jobs: int,
) -> ExitCode:
    """Translate GPU code to NPU code by the table.

    PATH is a Python file, a folder, or - for stdin. The text of a single file goes to stdout;
    several files or a folder need --in-place, --diff, --check or --output-dir.
    """
    settings = load_settings(Path.cwd())
    _check_usage(paths, destination, stdin_filename)
    table = load_selected(tables or map(Path, settings.tables), target or settings.target)
    options = translate_files.TranslateOptions(
        table, dialect or settings.dialect or "npu", only or ""
    )
    if not (target or settings.target):
        console.say(f"target: {table.target} (the newest that the table knows)")
    run = Run(console, destination, options, form, statistics)
    if paths == ("-",):
        return run.execute(
            [Job(stdin_filename or "<stdin>")], iter([read_stdin(stdin_filename, options)])
        )
    found = find_jobs(paths, destination.output_dir, (*settings.exclude, *exclude))
    files = [Path(job.path) for job in found]
    return run.execute(
        found, translate_files.translate_paths(files, options, jobs=jobs or _processors())
    )


def _check_usage(
    paths: tuple[str, ...], destination: Destination, stdin_filename: str | None
) -> None:
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("- (stdin) cannot be mixed with other paths")
        if destination.in_place or destination.output_dir:
            raise click.UsageError("stdin has no place: use stdout, --output, --diff or --check")
    elif stdin_filename is not None:
        raise click.UsageError("--stdin-filename needs - as the path")
    many = len(paths) > 1 or Path(paths[0]).is_dir()
    if many and (destination.stdout or destination.output):
        raise click.UsageError(
            "several files or a folder need --in-place, --diff, --check or --output-dir"
        )


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
