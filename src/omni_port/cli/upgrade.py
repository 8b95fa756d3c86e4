"""``omni-port upgrade``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_port.base.errors import ExitCode
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.overrides import override_option
from omni_port.cli.streams import show
from omni_port.methods.rebase import POLICIES
from omni_port.project.project import require_project

if TYPE_CHECKING:
    from omni_port.upgrade.run import Run


@click.command()
@click.option("--dry-run", is_flag=True, help="Do everything in memory; write nothing at all.")
@click.option(
    "--diff", is_flag=True, help="As --dry-run, and print the diff of the local files instead."
)
@click.option("--commit", is_flag=True, help="Commit what is finished: signed off, a file each.")
@click.option(
    "--finish",
    is_flag=True,
    help="It was seen to work on an NPU: write the target revisions as current.",
)
@click.option(
    "--index",
    is_flag=True,
    help="Let git see the conflicts: git status says both modified, git mergetool works.",
)
@override_option
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="replay",
    show_default=True,
    help="strict makes every overlap of drift and upstream change a conflict, and exits 3 for "
    "overruled changes and code that may run twice.",
)
@format_option("json", text="How to print what was done.")
@click.pass_obj
def upgrade(
    console: Console,
    dry_run: bool,
    diff: bool,
    commit: bool,
    finish: bool,
    index: bool,
    overrides: tuple[tuple[str, str], ...],
    policy: str,
    form: str,
) -> ExitCode:
    """Carry the ports of the project from the current to the target revisions.

    Freezes the identity of all revisions, takes the inventory, compares both ends of the
    upstreams, and passes the gate or stops there. Only then are all methods rebased and synced,
    the local files written together, checked, and the papers made. Run it again after deciding
    what is left: what was written is not rebased anew. Exits 3 where a person must decide.

    --finish ends it: where nothing must be decided any more, the project file gets the target
    revisions as current, of the siblings too. Comments and all else in it stay.
    """
    from omni_port.base.diff import unified_diff
    from omni_port.cli.in_index import show_files
    from omni_port.upgrade.finish import write_report
    from omni_port.upgrade.render_papers import require_templates
    from omni_port.upgrade.run import UpgradeOptions, run_upgrade
    from omni_port.upgrade.summary import render_upgrade_text

    for option, given in (("--commit", commit), ("--finish", finish), ("--index", index)):
        if given and (dry_run or diff):
            raise click.UsageError(f"{option} and --dry-run exclude each other")
    options = UpgradeOptions(dry_run or diff, overrides, policy)
    project = require_project(Path.cwd())
    require_templates(project)
    run = write_report(run_upgrade(project, options))
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.upgrade.document import make_upgrade_document

        text = render_document(make_upgrade_document(run))
    else:
        text = render_upgrade_text(run, verbose=console.verbose)
    show(text, form, err=diff)
    if diff:
        for one, before in zip(run.written, run.before, strict=True):
            click.echo(unified_diff(before, one.now, one.path), nl=False)
    if commit and not _commit(run, console):
        console.say("nothing to commit: the files are as HEAD has them")
    if index:
        show_files(console, project.root, [one.path for one in run.written])
    if finish:
        from omni_port.upgrade.go_on import finish_upgrade

        console.say_all(finish_upgrade(run))
    if run.lacks_papers:
        return ExitCode.INPUT
    return ExitCode.PERSON if run.needs_person else ExitCode.DONE


def _commit(run: Run, console: Console) -> bool:
    from omni_port.upgrade.finish import commit_finished

    made = False
    for one in commit_finished(run):
        console.say(f"committed {one.sha[:12]} {one.subject} ({one.path})")
        made = True
    return made
