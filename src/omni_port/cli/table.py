"""``omni-port table``: show, explain, check; with trees: verify, signatures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from omni_codemods.findings.codes import CODES
from omni_codemods.table.entries import KINDS, Entry
from omni_port.base.errors import ExitCode
from omni_port.base.words import count
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.table_options import TABLES, TARGET
from omni_port.cli.table_trees import signatures, verify
from omni_port.methods.explain_entry import close_names, find_entries, render_entry, render_range
from omni_port.methods.table_oddities import iter_oddities
from omni_port.sources.tables import load_file, load_merged, load_selected


@click.group()
def table() -> None:
    """Show, explain, check and verify the translation table."""


@table.command()
@TARGET
@TABLES
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
@TARGET
@TABLES
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


table.add_command(verify)
table.add_command(signatures)


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"
