"""``omni-port provenance``."""

from __future__ import annotations

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.streams import show
from omni_port.methods.provenance import History, search_provenance
from omni_port.report.provenance import (
    render_provenance_closing,
    render_provenance_text,
)


@click.command()
@click.option("--local", type=ADDRESS, metavar=METAVAR, help="The copy: PATH[::CLASS].")
@click.option(
    "--upstream",
    type=ADDRESS,
    multiple=True,
    metavar=METAVAR,
    help="A version it may come from: a file, a folder with ::CLASS, or one at a revision. "
    "Repeatable.",
)
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only this. Repeatable.")
@click.option(
    "--since", metavar="REV", help="Look at the history of --upstream: from this revision on."
)
@click.option(
    "--until",
    metavar="REV",
    help="Up to this revision.  [default: that of --upstream, or HEAD]",
)
@click.option("--tags", is_flag=True, help="Only the tags of the history, not every commit.")
@format_option("json", text="How to print what was found.")
@click.pass_obj
def provenance(
    console: Console,
    local: Address | None,
    upstream: tuple[Address, ...],
    methods: tuple[str, ...],
    since: str | None,
    until: str | None,
    tags: bool,
    form: str,
) -> ExitCode:
    """Say from which version of the upstream each local method was copied.

    It is the version that leaves the least difference outside of fenced blocks. With --since,
    --until or --tags, the candidates are the commits that touched the one --upstream file, or
    the tags; nothing is checked out. ADDRESS is [REPO@REV:]PATH[::CLASS].

    Without --local and --upstream, in a project: for each port, which end of its upstream its
    methods are nearest to; -v adds the methods.
    """
    if (local is None) != (not upstream):
        raise click.UsageError("--local and --upstream need each other; without both, in a project")
    if local is None:
        if form == "json" or since or until or tags or methods:
            raise click.UsageError("these options need --local and --upstream")
        from omni_port.cli.of_ports import provenance_of_ports

        return provenance_of_ports(console)
    history = History(since, until, tags) if since or until or tags else None
    search = search_provenance(local, upstream, history=history, methods=methods)
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.documents.provenance import make_provenance_document

        click.echo(render_document(make_provenance_document(search)))
    elif search.methods:
        show(render_provenance_text(search))
    console.say(render_provenance_closing(search))
    return ExitCode.DONE
