"""``omni-port table``: show, explain, check, verify."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from omni_codemods.findings.codes import CODES
from omni_codemods.table.entries import KINDS, Entry
from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.base.words import count
from omni_port.cli.address_type import ADDRESS
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.methods.explain_entry import close_names, find_entries, render_entry, render_range
from omni_port.methods.table_oddities import iter_oddities
from omni_port.sources.packages import open_package
from omni_port.sources.tables import load_file, load_merged, load_selected

_TARGET = click.option(
    "--target", metavar="RELEASE", help="The release.  [default: the newest that the table knows]"
)
_TABLES = click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A table of your own. Repeatable.",
)


@click.group()
def table() -> None:
    """Show, explain, check and verify the translation table."""


@table.command()
@_TARGET
@_TABLES
@click.option("--kind", type=click.Choice([kind.kind for kind in KINDS]), help="Only this kind.")
@format_option("json", text="How to print the entries.")
@click.pass_obj
def show(
    console: Console, target: str | None, tables: tuple[Path, ...], kind: str | None, form: str
) -> ExitCode:
    """Print the entries that hold for a release."""
    selected = load_selected(tables, target)
    entries = [entry for entry in selected.entries if kind in (None, entry.kind)]
    if form == "json":
        document = [{"kind": entry.kind, **msgspec.to_builtins(entry)} for entry in entries]
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _print_entries(entries)
    known = "" if selected.known else ", a release that the table does not list"
    held = "1 entry holds" if len(entries) == 1 else f"{len(entries)} entries hold"
    console.say(f"{held} for {selected.target or selected.name}{known}")
    return ExitCode.DONE


def _print_entries(entries: Sequence[Entry]) -> None:
    for entry in entries:
        gpu = f"{getattr(entry, 'callee', '')} {entry.gpu}".strip()
        arrow = f"{gpu} -> {entry.npu}" if entry.npu else gpu
        click.echo(f"{entry.id:<32}  {entry.kind:<15}  {arrow}  [{render_range(entry)}]")


@table.command()
@click.argument("name")
@_TARGET
@_TABLES
@click.pass_obj
def explain(console: Console, name: str, target: str | None, tables: tuple[Path, ...]) -> ExitCode:
    """Say why NAME is translated or not: the entries about it, their releases and sources."""
    file = load_merged(tables)
    selected = load_selected(tables, target)
    entries = find_entries(file, name)
    for entry in entries:
        click.echo(render_entry(entry, selected, name))
    code = CODES.get(name.upper())
    if code is not None:
        click.echo(f"{code.code} is the code of a finding, {code.title}: omni-port explain {name}")
    elif not entries:
        click.echo(f"no entry is about {name}: it is left as it is")
        close = close_names(file, name)
        if close:
            console.say("close: " + ", ".join(close))
    return ExitCode.DONE


@table.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def check(console: Console, file: Path) -> ExitCode:
    """Check a table: its schema, entries that contradict each other, entries that never fire."""
    loaded = load_file(file)
    oddities = list(iter_oddities(loaded))
    if loaded.extends:
        load_merged([file])
    for oddity in oddities:
        click.echo(f"{file}: {oddity}")
    console.say(f"{file}: {_entries(len(loaded.entries))}, {count(len(oddities), 'problem')}")
    return ExitCode.WOULD_CHANGE if oddities else ExitCode.DONE


@table.command()
@click.option(
    "--vllm-ascend",
    type=ADDRESS,
    required=True,
    metavar="ADDRESS",
    help="The folder that holds vllm_ascend/, or REPO@REV:.",
)
@click.option("--vllm", type=ADDRESS, metavar="ADDRESS", help="The same for vllm/.")
@_TARGET
@_TABLES
@click.pass_obj
def verify(
    console: Console,
    vllm_ascend: Address,
    vllm: Address | None,
    target: str | None,
    tables: tuple[Path, ...],
) -> ExitCode:
    """Say which entries do not hold in a tree: a name gone, a keyword not in the signature.

    Exits 1 if one does not.
    """
    from omni_codemods.sources.modules import Sources
    from omni_codemods.table.verify import verify_table

    selected = load_selected(tables, target)
    with contextlib.ExitStack() as stack:
        trees = {"vllm_ascend": vllm_ascend, **({"vllm": vllm} if vllm else {})}
        readers = {
            package: stack.enter_context(open_package(address, package))
            for package, address in trees.items()
        }
        verification = verify_table(selected, Sources(readers))
    for fallen in verification.fallen:
        click.echo(f"{fallen.entry}: {fallen.name}: {fallen.reason}")
    for silent in verification.unknown:
        console.detail(f"{silent}: these sources say nothing about it")
    fell, unknown = len({f.entry for f in verification.fallen}), len(verification.unknown)
    held = len(selected.entries) - fell - unknown
    console.say(
        f"{selected.target}: {_entries(len(selected.entries))}: {held} hold, {fell} do not, "
        f"{unknown} cannot be checked against these sources"
    )
    return ExitCode.WOULD_CHANGE if verification.fallen else ExitCode.DONE


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"
