"""What happens to a rebuilt method: reports are written, the text goes where it is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.base.writing import write_file
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, print_diff, print_text
from omni_port.methods.account import Account


def report_option(function: Callable[..., Any]) -> Any:
    """Add ``--report``, given to the command as *reports*."""
    return click.option(
        "--report",
        "reports",
        multiple=True,
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the account to FILE: .json, .md, or .html to read side by side. Repeatable.",
    )(function)


def check_usage(local: Address, destination: Destination, reports: tuple[Path, ...]) -> None:
    """Raise click.UsageError for what cannot be written."""
    if destination.in_place and local.revision is not None:
        raise click.UsageError("--in-place needs a local file of the working tree")
    for path in reports:
        if path.suffix not in (".json", ".md", ".html"):
            raise click.UsageError(f"--report {path}: the name must end in .json, .md or .html")


def deliver(
    account: Account, console: Console, destination: Destination, reports: tuple[Path, ...]
) -> ExitCode:
    """Write reports and text, print the summary, and return the exit code."""
    for report in reports:
        console.say_all(_write_report(report, account))
    console.say_all(_write_text(account, destination))
    _summarise(console, account, destination)
    return account.exit_code


def _write_report(path: Path, account: Account) -> tuple[str, ...]:
    from omni_port.documents.common import render_document
    from omni_port.documents.rebase import make_rebase_document
    from omni_port.report.rebase_markdown import render_rebase_markdown

    if path.suffix == ".json":
        text = render_document(make_rebase_document(account)) + "\n"
    elif path.suffix == ".html":
        from omni_port.review.html import render_review
        from omni_port.review.single import make_single

        text = render_review(make_single(account))
    else:
        text = render_rebase_markdown(account)
    return write_file(path, text.encode("utf-8"))


def _write_text(account: Account, destination: Destination) -> tuple[str, ...]:
    source, path = account.local.source, account.local.address.path
    text = account.result.text
    if destination.diff:
        print_diff(source.text, text, source, path)
    elif not destination.writes:
        print_text(text, source, path)
    elif account.changed or not destination.in_place:
        return destination.write(path, text, source)
    return ()


def _summarise(console: Console, account: Account, destination: Destination) -> None:
    from omni_port.report.rebase_text import render_rebase

    path = str(destination.output or account.local.address.path)
    console.say(render_rebase(account, result_path=path, verbose=console.verbose))
