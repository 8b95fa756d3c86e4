"""``omni-port rebase-method``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port import files
from omni_port.address import Address, parse_address
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, destination_options, print_diff, print_text
from omni_port.errors import AddressError, ExitCode
from omni_port.rebasing import POLICIES, Rebase, RebaseRequest
from omni_port.rebasing import rebase_method as run_rebase


class AddressType(click.ParamType[Address]):
    """``[REPO@REV:]PATH[::CLASS]`` on the command line."""

    name = "address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        """Return the address that *value* spells."""
        if isinstance(value, Address):
            return value
        try:
            return parse_address(str(value))
        except AddressError as error:
            self.fail(f"{error.message}\n  hint: {error.hint}", param, ctx)


ADDRESS = AddressType()
_ADDRESS = "ADDRESS"


@click.command("rebase-method")
@click.option("--method", required=True, metavar="NAME", help="The method, or the function.")
@click.option(
    "--local", type=ADDRESS, required=True, metavar=_ADDRESS, help="The copy, with its blocks."
)
@click.option(
    "--base",
    type=ADDRESS,
    required=True,
    metavar=_ADDRESS,
    help="The upstream that the copy was made from.",
)
@click.option(
    "--target", type=ADDRESS, required=True, metavar=_ADDRESS, help="The upstream to move to."
)
@click.option("--target-method", metavar="NAME", help="Its name in the target, where it differs.")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="replay",
    show_default=True,
    help="strict makes every overlap of drift and upstream change a conflict.",
)
@destination_options(folders=False, check=False)
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the account to FILE: .json or .md. Repeatable.",
)
@click.pass_obj
def rebase_method(
    console: Console,
    method: str,
    local: Address,
    base: Address,
    target: Address,
    target_method: str | None,
    policy: str,
    destination: Destination,
    reports: tuple[Path, ...],
) -> ExitCode:
    """Rebuild a local copy of a method on a new upstream, its blocks replayed.

    The local file with that method rebuilt goes to stdout, a summary to stderr. ADDRESS is
    [REPO@REV:]PATH[::CLASS]; a bare path is the working tree. Exits 3 where a person must decide.
    """
    if destination.in_place and local.revision is not None:
        raise click.UsageError("--in-place needs a local file of the working tree")
    for report in reports:
        _check_report(report)
    request = RebaseRequest(method, local, base, target, target_method, policy)
    rebase = run_rebase(request)
    for report in reports:
        _write_report(report, rebase)
    _deliver(rebase, destination)
    _summarise(console, rebase, destination)
    return rebase.exit_code


def _check_report(path: Path) -> None:
    if path.suffix not in (".json", ".md"):
        raise click.UsageError(f"--report {path}: the name must end in .json or .md")


def _write_report(path: Path, rebase: Rebase) -> None:
    from omni_port.report.rebase_document import render_rebase_json
    from omni_port.report.rebase_markdown import render_rebase_markdown

    render = render_rebase_json if path.suffix == ".json" else render_rebase_markdown
    files.write_atomic(path, render(rebase).encode("utf-8"))


def _deliver(rebase: Rebase, destination: Destination) -> None:
    source, path = rebase.local.source, rebase.local.address.path
    text = rebase.result.text
    if destination.diff:
        print_diff(source.text, text, source, path)
    elif destination.in_place:
        if rebase.changed:
            files.write_atomic(Path(path), files.encode(text, source, path=path))
    elif destination.output is not None:
        files.write_atomic(destination.output, files.encode(text, source, path=path))
    else:
        print_text(text, source, path)


def _summarise(console: Console, rebase: Rebase, destination: Destination) -> None:
    from omni_port.report.rebase_text import render_rebase

    path = str(destination.output or rebase.local.address.path)
    console.say(render_rebase(rebase, result_path=path, verbose=console.verbose))
