"""``omni-port table verify`` and ``table signatures``: the table against trees of sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode, from_library
from omni_port.base.words import count
from omni_port.base.writing import write_file
from omni_port.cli.address_type import ADDRESS
from omni_port.cli.console import Console
from omni_port.cli.table_options import TABLES, TARGET
from omni_port.methods.table_facts import (
    Tree,
    find_trees,
    gather_facts,
    open_sources,
    parse_tree,
)
from omni_port.sources.tables import load_merged, load_selected

if TYPE_CHECKING:
    from omni_codemods.table.table import Table
    from omni_codemods.table.verify import Verification

_TREES = click.option(
    "--tree",
    "named",
    multiple=True,
    metavar="PACKAGE=ADDRESS",
    help="The folder that holds PACKAGE/, or REPO@REV:. PACKAGE@RELEASE=ADDRESS says which "
    "release it is. Repeatable.",
)


@click.command()
@_TREES
@click.option("--vllm-ascend", type=ADDRESS, metavar="ADDRESS", help="As --tree vllm_ascend=.")
@click.option("--vllm", type=ADDRESS, metavar="ADDRESS", help="As --tree vllm=.")
@TARGET
@TABLES
@click.pass_obj
def verify(
    console: Console,
    named: tuple[str, ...],
    vllm_ascend: Address | None,
    vllm: Address | None,
    target: str | None,
    tables: tuple[Path, ...],
) -> ExitCode:
    """Say which entries do not hold: a name gone, a keyword not in the signature.

    Against the trees that are named; without one, against the facts that come with the table, for
    --target or for every release that it lists. Exits 1 if an entry does not hold.
    """
    trees = [parse_tree(text) for text in named]
    given = (("vllm_ascend", vllm_ascend), ("vllm", vllm))
    trees += [Tree(package, "", address) for package, address in given if address is not None]
    results = _against(trees, tables, target) if trees else _without(tables, target)
    fell = [_print(console, table, verification) for table, verification in results]
    return ExitCode.WOULD_CHANGE if any(fell) else ExitCode.DONE


def _against(
    trees: list[Tree], tables: tuple[Path, ...], target: str | None
) -> Iterator[tuple[Table, Verification]]:
    from omni_codemods.table.verify import verify_table

    table = load_selected(tables, target)
    with open_sources(trees) as sources:
        yield table, verify_table(table, sources)


def _without(tables: tuple[Path, ...], target: str | None) -> Iterator[tuple[Table, Verification]]:
    from omni_codemods.findings.errors import TableError
    from omni_codemods.table.facts import load_packaged
    from omni_codemods.table.verify import iter_releases

    file = load_merged(tables)
    facts = load_packaged(file.name)
    if facts is None:
        raise click.UsageError(f"no facts come with table {file.name}: name a --tree")
    try:
        yield from iter_releases(file, facts, target)
    except TableError as error:
        raise from_library(error) from error


def _print(console: Console, table: Table, verification: Verification) -> bool:
    for fallen in verification.fallen:
        click.echo(f"{fallen.entry}: {fallen.name}: {fallen.reason}")
    for silent in verification.unknown:
        console.detail(f"{silent}: these sources say nothing about it")
    fell, unknown = len({f.entry for f in verification.fallen}), len(verification.unknown)
    held = len(table.entries) - fell - unknown
    entries = "1 entry" if len(table.entries) == 1 else f"{len(table.entries)} entries"
    console.say(
        f"{table.target}: {entries}: {held} hold, {fell} do not, "
        f"{unknown} cannot be checked against these sources"
    )
    return fell > 0


@click.command()
@_TREES
@click.option(
    "--trees",
    "folders",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="A folder of NAME-RELEASE/PACKAGE, as `make corpus` makes it. Repeatable.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write them there.  [default: stdout]",
)
@TABLES
@click.pass_obj
def signatures(
    console: Console,
    named: tuple[str, ...],
    folders: tuple[Path, ...],
    output: Path | None,
    tables: tuple[Path, ...],
) -> ExitCode:
    """Read from trees what every name of the table is and takes, in each release.

    The result is the file of facts beside the table: names, releases and parameter names, with
    which `translate` checks the calls that it writes, and `verify` the table. Every --tree needs
    its release.
    """
    from omni_codemods.findings.errors import TableError
    from omni_codemods.table.facts import render_facts

    trees = [parse_tree(text) for text in named] + [
        tree for folder in folders for tree in find_trees(folder)
    ]
    if not trees or not all(tree.release for tree in trees):
        raise click.UsageError("name trees with their releases: PACKAGE@RELEASE=ADDRESS")
    try:
        facts = gather_facts(load_merged(tables).entries, trees)
    except TableError as error:
        raise from_library(error) from error
    text = render_facts(facts)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text.encode("utf-8"))
    console.say(f"{count(len(facts.names), 'name')} in {count(len(trees), 'tree')}")
    return ExitCode.DONE
