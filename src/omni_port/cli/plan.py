"""``omni-port plan``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.base.errors import ExitCode
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.overrides import override_option
from omni_port.cli.streams import show
from omni_port.project.project import require_project


@click.command()
@click.option("--class", "names", multiple=True, metavar="NAME", help="Only this port. Repeatable.")
@override_option
@click.option(
    "--since",
    metavar="DATE|REV",
    help="The history from this day (2026-01-31) or revision on.  [default: the current revisions]",
)
@format_option("json", "markdown", text="How to print the plan.")
@click.pass_obj
def plan(
    console: Console,
    names: tuple[str, ...],
    overrides: tuple[tuple[str, str], ...],
    since: str | None,
    form: str,
) -> ExitCode:
    """Say what the upgrade of the project meets, before anything is rebased. Writes nothing.

    Which revisions it is about; what the local files hold of the upstreams; every change between
    the current and the target revisions that touches a port; what happened since; and whether the
    gate lets the rebase begin. Exits 3 where a person must decide first.
    """
    from omni_port.plan.gate import Outcome
    from omni_port.plan.plan import make_plan

    made = make_plan(require_project(Path.cwd()), names=names, overrides=overrides, since=since)
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.documents.plan import make_plan_document

        text = render_document(make_plan_document(made))
    elif form == "markdown":
        from omni_port.report.plan_markdown import render_plan_markdown

        text = render_plan_markdown(made)
    else:
        from omni_port.report.plan_text import render_plan_text

        text = render_plan_text(made, verbose=console.verbose)
    show(text, form)
    return ExitCode.DONE if made.gate.outcome is Outcome.PASS else ExitCode.PERSON
