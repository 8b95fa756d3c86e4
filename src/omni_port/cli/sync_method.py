"""``omni-port sync-method``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.cli import complete
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, destination_options
from omni_port.cli.gpu_options import gpu_options
from omni_port.cli.of_project import class_option, need_local, run_of_project
from omni_port.cli.rebuilt import check_usage, deliver, report_option
from omni_port.methods.rebase import POLICIES
from omni_port.methods.sync import SyncRequest
from omni_port.methods.sync import sync_method as run_sync
from omni_port.sources.sibling import GpuRequest


@click.command("sync-method")
@click.option(
    "--method",
    required=True,
    metavar="NAME",
    shell_complete=complete.methods,
    help="The method, or the function.",
)
@class_option
@click.option(
    "--local",
    type=ADDRESS,
    metavar=METAVAR,
    help="The NPU copy.  [default: each port of the project with a sibling that has the method]",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="replay",
    show_default=True,
    help="strict makes a change of the sibling to what a block holds a conflict, also where the "
    "block has the sibling's older code, word for word.",
)
@gpu_options(target=True)
@destination_options(folders=False, check=False)
@report_option
@click.pass_obj
def sync_method(
    console: Console,
    method: str,
    classes: tuple[str, ...],
    local: Address | None,
    policy: str,
    gpu: GpuRequest | None,
    destination: Destination,
    reports: tuple[Path, ...],
) -> ExitCode:
    """Replay on an NPU method what its GPU sibling gained, translated by the table.

    Without --local, in every port of the project file that has the method and a sibling: the diffs
    go to stdout, --in-place writes the files.
    The local file with that method synced goes to stdout, a summary to stderr. What is not surely
    the downstream's own change is proposed in the report, and not in the text. ADDRESS is
    [REPO@REV:]PATH[::CLASS]; a bare path is the working tree. Exits 3 where a person must decide.
    """
    if local is None:
        need_local({"--gpu-base": gpu})
        return run_of_project(
            console, method, classes, destination, reports, policy=policy, rebase=False
        )
    if classes:
        raise click.UsageError("--class chooses from the project file, not --local")
    if gpu is None:
        raise click.UsageError("--local needs --gpu-base and --gpu-target, the sibling's two ends")
    check_usage(local, destination, reports)
    request = SyncRequest(method, local, gpu, policy)
    return deliver(run_sync(request), console, destination, reports)
