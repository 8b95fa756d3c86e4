"""One method in every port of the project file that has it: rebased, or synced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omni_port.base.errors import ExitCode
from omni_port.base.words import count
from omni_port.base.writing import Changed, require_inside, write_together
from omni_port.cli import complete
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, print_diff
from omni_port.cli.rebuilt import check_usage, deliver

if TYPE_CHECKING:
    from omni_port.methods.rebase import Rebase
    from omni_port.methods.sync import Sync
    from omni_port.project.project import Project
    from omni_port.upgrade.port_files import CarriedFile
    from omni_port.upgrade.port_method import Ported


def class_option(function: Callable[..., Any]) -> Any:
    """Add ``--class``, given to the command as *classes*."""
    return click.option(
        "--class",
        "classes",
        multiple=True,
        metavar="NAME",
        shell_complete=complete.classes,
        help="Only this port of the project file: a local class or function. Repeatable.",
    )(function)


def need_local(given: Mapping[str, object]) -> None:
    """Raise click.UsageError for an option that says nothing without ``--local``."""
    for option, value in given.items():
        if value is not None:
            raise click.UsageError(f"{option} needs --local; the project file says the rest")


def run_of_project(
    console: Console,
    method: str,
    classes: tuple[str, ...],
    destination: Destination,
    reports: tuple[Path, ...],
    *,
    policy: str = "replay",
    sync: bool = True,
    rebase: bool = True,
) -> ExitCode:
    """Carry *method* in the ports of the project, deliver what came out, return the worst code."""
    from omni_port import revisions
    from omni_port.decisions.record import answers, load_decisions, taken_parts, upgrade_of
    from omni_port.project.project import require_project
    from omni_port.upgrade.decided import with_answers, with_known
    from omni_port.upgrade.port_method import OneMethod, find_ported

    project = require_project(Path.cwd())
    with revisions.session():
        chosen = find_ported(project, method, classes, mirrored=not rebase)
        check_usage(project.local(chosen[0].port.local), destination, reports)
        for one in chosen if destination.in_place else ():
            require_inside(project.root / one.port.local.path, project.root)
        if len(chosen) > 1 and (destination.output is not None or reports):
            names = ", ".join(one.port.name for one in chosen)
            message = f"{len(chosen)} ports have {method}: {names}; --output and --report take one"
            raise click.UsageError(f"{message}: choose it with --class")
        if len(chosen) == 1:
            account = _run(project, chosen[0], policy=policy, sync=sync, rebase=rebase)
            account, number = with_known(account, project)
            _say_decided(console, number)
            return deliver(account, console, destination, reports)
        decisions, upgrade = load_decisions(project), upgrade_of(project)
        taken, known = taken_parts(decisions, upgrade), answers(decisions, upgrade)
        carrier = OneMethod(project, policy, taken=taken, chosen=chosen, rebase=rebase, sync=sync)
        decided = [with_answers(file, known) for file in carrier.carry_chosen()]
        _say_decided(console, sum(number for _, number in decided))
        found = [file for file, _ in decided]
    return _deliver_several(project, found, console, destination)


def _say_decided(console: Console, number: int) -> None:
    if number:
        console.say(f"{count(number, 'conflict')} decided before (omni-port.decisions.toml)")


def _run(project: Project, one: Ported, *, policy: str, sync: bool, rebase: bool) -> Rebase | Sync:
    from omni_port.decisions.record import load_decisions, taken_parts, upgrade_of
    from omni_port.methods.rebase import rebase_method
    from omni_port.methods.requests import gpu_request, rebase_request, require_sibling
    from omni_port.methods.sync import SyncRequest, sync_method

    port, method = one.port, one.method
    taken = taken_parts(load_decisions(project), upgrade_of(project))
    if sync:
        require_sibling(project, port)
    if rebase:
        request = rebase_request(project, port, method, policy=policy, sync=sync)
        gpu = None if request.gpu is None else replace(request.gpu, taken=taken)
        return rebase_method(replace(request, gpu=gpu))
    gpu = gpu_request(project, port)
    if gpu is None:
        raise project.lacks(None, "current")
    gpu = replace(gpu, taken=taken)
    return sync_method(SyncRequest(method, project.local(port.local), gpu, policy))


def _deliver_several(
    project: Project, found: list[CarriedFile], console: Console, destination: Destination
) -> ExitCode:
    from omni_port.project.project import shown_path
    from omni_port.report.rebase_text import render_rebase

    if destination.stdout:
        console.say("more than one method: these are diffs; --in-place writes the files")
    places = {file.path: shown_path(project.root / file.path) for file in found}
    left: Changed | None = None
    if destination.in_place:
        changed = [file for file in found if file.changed]
        writes = [destination.over(places[f.path], f.text, f.local.source) for f in changed]
        try:
            console.say_all(write_together(writes))
        except Changed as error:
            left = error
    worst = ExitCode.DONE
    for file in found:
        source, path = file.local.source, places[file.path]
        if not destination.in_place:
            print_diff(source.text, file.text, source, path)
        for one in file.methods:
            assert one.account is not None
            console.say(f"{path}::{one.job.port.name}")
            console.say(render_rebase(one.account, result_path=path, verbose=console.verbose))
            worst = max(worst, one.account.exit_code)
    if left is not None:
        raise left
    return worst
