"""``omni-port check``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omni_codemods.findings.model import Severity
from omni_port.base.address import Address
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import ExitCode
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.boundary import show_error
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.gpu_options import table_choice
from omni_port.cli.streams import show
from omni_port.cli.table_options import TABLES
from omni_port.project.project import load_settings, require_project
from omni_port.sources.tables import load_selected

if TYPE_CHECKING:
    from omni_port.methods.check import Beside, Upstream
    from omni_port.methods.translate_files import Translation


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@click.option(
    "--ascend",
    type=ADDRESS,
    metavar=METAVAR,
    help="The tree of vllm-ascend: the folder that holds vllm_ascend/, or REPO@REV:.",
)
@click.option("--vllm", type=ADDRESS, metavar=METAVAR, help="The same for vllm/.")
@click.option(
    "--old",
    type=ADDRESS,
    metavar=METAVAR,
    help="The copy before the upgrade, or the folder of the copies: their blocks must be there.",
)
@click.option(
    "--gpu",
    type=ADDRESS,
    metavar=METAVAR,
    help="The GPU sibling, or the folder of the siblings: calls are compared with theirs.",
)
@click.option(
    "--target",
    metavar="RELEASE",
    help="The release that the table of GPU names aims at, such as vllm-ascend==0.19.1rc1. "
    "[default: the newest that the table knows]",
)
@TABLES
@format_option("json", "github", "sarif", text="How to print the findings.")
@click.pass_obj
def check(
    console: Console,
    paths: tuple[Path, ...],
    ascend: Address | None,
    vllm: Address | None,
    old: Address | None,
    gpu: Address | None,
    target: str | None,
    tables: tuple[Path, ...],
    form: str,
) -> ExitCode:
    """Check files of a finished port: what the upgrade checklist asks, without an NPU.

    FILE is a Python file or a folder. Does it parse, are conflicts or GPU names left, are fences
    closed and blocks whole, does code stand twice, are names bound; and, against the trees given,
    do imports resolve, and do signatures and calls fit. Without a FILE, the ports of the project
    are checked against the targets, siblings and old copies that it names. Exits 1 where an error
    is found.
    """
    from omni_port.methods.check import Checker, open_upstreams

    if not paths:
        _require_none({"--ascend": ascend, "--vllm": vllm, "--old": old, "--gpu": gpu})
        return _check_project(console, form)
    chosen = load_selected(*table_choice(tables, target))
    jobs = list(_jobs(paths))
    beside = [_beside(name, a, len(jobs)) for name, a in (("--old", old), ("--gpu", gpu))]
    trees = {"vllm_ascend": ascend, "vllm": vllm}
    given = {package: address for package, address in trees.items() if address is not None}
    with open_upstreams(given) as upstreams:
        ignored = frozenset(load_settings(Path.cwd()).check.ignore)
        checker = Checker(upstreams, chosen, beside[0], beside[1], ignored)
        checked = []
        if len(jobs) > 1:
            checker.read([path for path, _ in jobs])
        for path, inside in jobs:
            one = checker.check_file(path, inside)
            checked.append(one)
            _print_one(one, form)
        checker.keep()
    return _finish(console, form, checked, upstreams, checker.alone)


def _check_project(console: Console, form: str) -> ExitCode:
    from omni_port.methods.check_project import check_ports
    from omni_port.upgrade.store import Store

    project = require_project(Path.cwd())
    found = check_ports(project, project.ports, old=Store(project.root).old_copies)
    for one in found.files:
        _print_one(one, form)
    return _finish(console, form, found.files, found.upstreams, found.alone)


def _require_none(given: Mapping[str, Address | None]) -> None:
    for option, address in given.items():
        if address is not None:
            raise click.UsageError(f"{option} is for a FILE; without one, the project says it")


def _finish(
    console: Console,
    form: str,
    checked: Sequence[Translation],
    upstreams: Sequence[Upstream],
    alone: Sequence[str],
) -> ExitCode:
    from omni_port.methods.check import count_severities
    from omni_port.report.check import render_check_closing

    _print_all(checked, upstreams, form)
    if alone:
        console.say(f"no old copy: {', '.join(alone)}")
    console.say(render_check_closing(checked))
    worst = max((one.error.exit_code for one in checked if one.error), default=ExitCode.DONE)
    found = count_severities(checked)[Severity.ERROR]
    return worst or (ExitCode.WOULD_CHANGE if found else ExitCode.DONE)


def _beside(option: str, address: Address | None, files: int) -> Beside | None:
    from omni_port.methods.check import Beside

    side = None if address is None else Beside(address)
    if side is not None and side.is_file and files > 1:
        raise click.UsageError(f"{option} names one file: check one file, or name a folder")
    return side


def _jobs(paths: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Each file with its path below the folder that was named."""
    seen: set[str] = set()
    exclude = load_settings(Path.cwd()).exclude
    for given in paths:
        for path in find_python_files([given], exclude=exclude):
            if (real := os.path.realpath(path)) not in seen:
                seen.add(real)
                yield path, path.relative_to(given) if given.is_dir() else Path(path.name)


def _print_one(one: Translation, form: str) -> None:
    if one.error is not None:
        show_error(one.error)
    text = ""
    if form == "text":
        from omni_port.report.text import render_findings

        text = render_findings(one, kept=False)
    elif form == "github":
        from omni_port.report.github import render_github

        text = render_github(one)
    if text:
        show(text)


def _print_all(checked: Sequence[Translation], upstreams: Sequence[Upstream], form: str) -> None:
    if form == "json":
        from omni_port.documents.check import make_check_document
        from omni_port.documents.common import render_document

        click.echo(render_document(make_check_document(checked, upstreams)))
    elif form == "sarif":
        from omni_port.report.sarif import render_sarif

        click.echo(render_sarif(checked))
