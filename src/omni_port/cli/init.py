"""``omni-port init``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_port.base.errors import ExitCode, UsageError
from omni_port.cli.console import Console

if TYPE_CHECKING:
    from omni_port.survey.draft import Draft

NAME = "omni-port.toml"


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    metavar="NAME=PLACE",
    help="A project to follow: NAME=REPO@TARGET, NAME=REPO@CURRENT..TARGET, or "
    "NAME=CURRENT_FOLDER..TARGET_FOLDER. Repeatable.  [default: the checkouts beside this one]",
)
@click.option(
    "--siblings",
    metavar="REV",
    help="The revision of this project that the NPU copies are in step with.",
)
@click.option(
    "--all", "everything", is_flag=True, help="Look at files without fences or notes too."
)
@click.option(
    "--files",
    "mirrored",
    is_flag=True,
    help="Take every function of a file that mirrors an upstream's, by path and likeness.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Write FILE.  [default: {NAME} in the root of the repository]",
)
@click.option(
    "--force",
    is_flag=True,
    help="Edit a file that is there: what was found is set, the rest stays.",
)
@click.option("-n", "--dry-run", is_flag=True, help="Print the file on stdout; write nothing.")
@click.option(
    "--diff", is_flag=True, help="Print a unified diff with what is there; write nothing."
)
@click.pass_obj
def init(
    console: Console,
    paths: tuple[Path, ...],
    upstreams: tuple[str, ...],
    siblings: str | None,
    everything: bool,
    mirrored: bool,
    output: Path | None,
    force: bool,
    dry_run: bool,
    diff: bool,
) -> ExitCode:
    """Write the project file by looking: which code is a copy of which upstream's.

    Looks at PATHS (default: the whole repository) for classes that inherit from an upstream class,
    functions that replace one, and fenced code or notes that name a source; says of each which of
    its methods are copies, of which revision, and beside which GPU sibling. Each is written with
    how it was found; guesses are marked. Nothing is imported or run. Exits 3 where there is
    nothing to write.
    """
    from omni_port.base import files
    from omni_port.base.writing import write_file
    from omni_port.survey.initial import InitRequest, make_project_file

    request = InitRequest(Path.cwd(), paths, upstreams, siblings, everything, mirrored=mirrored)
    target = request.root / NAME if output is None else output
    if not (force or dry_run or diff):
        _refuse(target, request.root)
    seen = files.read_bytes(target) if force and target.exists() else None
    made = make_project_file(replace(request, file=target))
    _say(console, made.draft)
    if not made.draft.ports:
        console.say("no port was found, and nothing was written; see `omni-port init --help`")
        return ExitCode.PERSON
    if siblings is not None and made.draft.siblings is None:
        console.say(f"--siblings {siblings} was not used: no GPU sibling of a port was found")
    if dry_run or diff:
        _show(made.text, target, diff=diff)
        return ExitCode.DONE
    data = made.text.encode("utf-8")
    for note in write_file(target, data, seen=seen, new=seen is None, force=force):
        console.say(note)
    if target.absolute().parent != request.root:
        console.say(f"its paths are relative to {request.root}: it belongs there")
    console.say(f"{target}: written; read what is marked as guessed, and mend it")
    return ExitCode.DONE


def _refuse(target: Path, root: Path) -> None:
    """Raise UsageError where the project has a configuration already."""
    from omni_port.project.project import find_project

    if target.exists():
        hint = "--force edits it, --diff shows what would change"
        raise UsageError("is there already", hint=hint, path=str(target))
    project = find_project(root)
    if project is not None and target.name == NAME and target.parent == project.root:
        message = f"configures omni-port already, and {NAME} would win over it"
        hint = "--force moves its keys to the new file, -n prints that"
        raise UsageError(message, hint=hint, path=str(project.path))


def _show(text: str, target: Path, *, diff: bool) -> None:
    from omni_port.base import files
    from omni_port.cli.destination import print_diff, print_text

    source = files.Source(text, "utf-8")
    if diff:
        before = files.read_bytes(target).decode("utf-8") if target.exists() else ""
        print_diff(before, text, source, str(target))
    else:
        print_text(text, source, str(target))


def _say(console: Console, draft: Draft) -> None:
    from omni_port.survey.summary import render_survey

    console.say(render_survey(draft, verbose=console.verbose))
