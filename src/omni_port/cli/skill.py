"""``omni-port skill``."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from omni_port.base.bundled import find_bundled
from omni_port.base.errors import ExitCode, UsageError
from omni_port.cli.console import Console

NAME = "omni-port-upgrade"


@click.group()
def skill() -> None:
    """Give a coding agent the workflow.

    The skill is a folder with a SKILL.md. It drives the gated workflow by commands, and hands back
    what only a person or an NPU can decide.
    """


@skill.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace a skill of this name that is there.")
@click.pass_obj
def install(console: Console, folder: Path, force: bool) -> ExitCode:
    """Copy the skill into FOLDER, where the agent looks for skills."""
    target = folder / NAME
    if target.exists() and not force:
        hint = "--force replaces it; what you changed in it is lost then"
        raise UsageError("is there already", hint=hint, path=str(target))
    if force and target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    shutil.copytree(find_bundled("skills", "skills") / NAME, target)
    console.say(f"{target}: installed")
    return ExitCode.DONE


@skill.command()
def show() -> ExitCode:
    """Print the skill's SKILL.md."""
    text = (find_bundled("skills", "skills") / NAME / "SKILL.md").read_text("utf-8")
    click.echo(text, nl=False)
    return ExitCode.DONE
