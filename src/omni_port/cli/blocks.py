"""``omni-port blocks``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_codemods.findings.errors import OmniCodemodsError
from omni_port.base import files
from omni_port.base.address import Address
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import ExitCode, OmniPortError, from_library
from omni_port.base.words import count
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.boundary import show_error
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.streams import show
from omni_port.methods.blocks import (
    Copied,
    Inventory,
    bases_of,
    build_inventory,
    read_base,
    with_bases,
)
from omni_port.project.project import (
    Project,
    by_file,
    find_project,
    require_project,
    shown_path,
)
from omni_port.report.blocks import render_blocks_markdown, render_blocks_text


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@format_option("json", "markdown", text="How to print the inventory.")
@click.option(
    "--check", is_flag=True, help="Exit 1 if a fence has no partner, or one looks forgotten."
)
@click.option(
    "--base",
    type=ADDRESS,
    metavar=METAVAR,
    help="What FILE was copied from: a block that begins or ends with code of it is a finding. "
    "[default with --check: what the project file says]",
)
@click.pass_obj
def blocks(
    console: Console, paths: tuple[Path, ...], form: str, check: bool, base: Address | None
) -> ExitCode:
    """List the fenced blocks of files: where, which lines, dialect, label, and what is odd.

    FILE is a Python file or a folder. A fence is odd that has no partner, or whose partner looks
    forgotten: where a block opens inside another, or begins or ends with the upstream's own code.

    Without FILE, in a project: the local files of its ports, a line each; -v adds the blocks.
    """
    given = None if base is None else read_base(base)
    brief = not paths and form == "text" and not console.verbose
    paths = paths or _of_project()
    project = find_project(Path.cwd()) if check and base is None else None
    inventories: list[Inventory] = []
    worst = ExitCode.DONE
    for path in find_python_files(paths):
        try:
            inventories.append(_read(path, given, project))
        except OmniPortError as error:
            worst = max(worst, show_error(error))
    if brief:
        for one in inventories:
            odd = "  (a broken fence)" if one.broken else ""
            click.echo(f"{one.path}: {count(len(one.blocks), 'block')}{odd}")
    else:
        _print(inventories, form)
    held = sum(len(inventory.blocks) for inventory in inventories)
    broken = sum(inventory.broken for inventory in inventories)
    console.say(
        f"{count(held, 'block')} in {count(len(inventories), 'file')}, "
        f"{count(broken, 'file')} with a broken fence"
    )
    return worst or (ExitCode.WOULD_CHANGE if check and broken else ExitCode.DONE)


def _read(path: Path, given: Copied | None, project: Project | None) -> Inventory:
    source = files.decode(files.read_bytes(path), path=str(path))
    try:
        inventory = build_inventory(str(path), source.text)
    except OmniCodemodsError as error:
        raise from_library(error, path=str(path)) from error
    if not inventory.blocks:
        return inventory
    copied = [given] if given else list(bases_of(project, path)) if project else []
    return with_bases(inventory, source.text, copied)


def _print(inventories: list[Inventory], form: str) -> None:
    if form == "json":
        from omni_port.documents.blocks import make_blocks_document
        from omni_port.documents.common import render_document

        click.echo(render_document(make_blocks_document(inventories)))
        return
    render = render_blocks_text if form == "text" else render_blocks_markdown
    for text in filter(None, map(render, inventories)):
        show(text)


def _of_project() -> tuple[Path, ...]:
    project = require_project(Path.cwd())
    return tuple(Path(shown_path(project.root / path)) for path in by_file(project.ports))
