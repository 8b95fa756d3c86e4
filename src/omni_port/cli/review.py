"""``omni-port review``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.base.errors import ExitCode
from omni_port.cli.console import Console
from omni_port.project.project import require_project

DEFAULT = Path(".omni-port") / "review.html"


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "markdown"]),
    default="html",
    show_default=True,
    help="A page to read, or something to paste into a pull request.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Where to; - is stdout.  [default: .omni-port/review.html; stdout for markdown]",
)
@click.pass_obj
def review(console: Console, form: str, output: Path | None) -> ExitCode:
    """Show what the upgrade did, side by side, on one page.

    From the record of `omni-port upgrade` and the files as they are: what was done and what is
    open; each method as old local, new upstream and result; our own changes before and after;
    decisions, proposals and findings with links to their places. The page is one file that needs
    no network and no server. Exits 3 while something must be decided.
    """
    from omni_port.upgrade.reviewed import make_given
    from omni_port.upgrade.run import load_run

    project = require_project(Path.cwd())
    run = load_run(project)
    given = make_given(run)
    if form == "markdown":
        from omni_port.review.summary import render_review_markdown

        text = render_review_markdown(given)
    else:
        from omni_port.review.html import render_review

        text = render_review(given)
    _write(console, text, output or (project.root / DEFAULT if form == "html" else Path("-")))
    return ExitCode.PERSON if run.needs_person else ExitCode.DONE


def _write(console: Console, text: str, output: Path) -> None:
    from omni_port.base.writing import make_folder, write_file
    from omni_port.project.project import shown_path

    if str(output) == "-":
        click.echo(text, nl=False)
        return
    make_folder(output.parent)
    console.say_all(write_file(output, text.encode("utf-8")))
    console.say(f"wrote {shown_path(output)}")
