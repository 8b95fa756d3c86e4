"""``omni-port rebase-method``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.address import Address
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, destination_options
from omni_port.cli.gpu_options import gpu_options
from omni_port.cli.rebuilt import check_usage, deliver, report_option
from omni_port.errors import ExitCode
from omni_port.gpu import GpuRequest
from omni_port.rebasing import POLICIES, RebaseRequest
from omni_port.rebasing import rebase_method as run_rebase


@click.command("rebase-method")
@click.option("--method", required=True, metavar="NAME", help="The method, or the function.")
@click.option(
    "--local", type=ADDRESS, required=True, metavar=METAVAR, help="The copy, with its blocks."
)
@click.option(
    "--base",
    type=ADDRESS,
    required=True,
    metavar=METAVAR,
    help="The upstream that the copy was made from.",
)
@click.option(
    "--target", type=ADDRESS, required=True, metavar=METAVAR, help="The upstream to move to."
)
@click.option("--target-method", metavar="NAME", help="Its name in the target, where it differs.")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="replay",
    show_default=True,
    help="strict makes every overlap of drift and upstream change a conflict.",
)
@gpu_options(required=False)
@destination_options(folders=False, check=False)
@report_option
@click.pass_obj
def rebase_method(
    console: Console,
    method: str,
    local: Address,
    base: Address,
    target: Address,
    target_method: str | None,
    policy: str,
    gpu: GpuRequest | None,
    destination: Destination,
    reports: tuple[Path, ...],
) -> ExitCode:
    """Rebuild a local copy of a method on a new upstream, its blocks replayed.

    With --gpu-base and --gpu-target, what the GPU sibling gained is synced afterwards.
    The local file with that method rebuilt goes to stdout, a summary to stderr. ADDRESS is
    [REPO@REV:]PATH[::CLASS]; a bare path is the working tree. Exits 3 where a person must decide.
    """
    check_usage(local, destination, reports)
    request = RebaseRequest(method, local, base, target, target_method, policy, gpu)
    return deliver(run_rebase(request), console, destination, reports)
