"""``omni-port rebase-method``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_codemods.text.dotted import last_part
from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.cli import complete
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.console import Console
from omni_port.cli.destination import Destination, destination_options
from omni_port.cli.gpu_options import gpu_options
from omni_port.cli.in_index import show_files, show_project
from omni_port.cli.of_project import class_option, need_local, run_of_project
from omni_port.cli.rebuilt import check_usage, deliver, report_option
from omni_port.methods.rebase import POLICIES, RebaseRequest
from omni_port.methods.rebase import rebase_method as run_rebase
from omni_port.sources.sibling import GpuRequest


@click.command("rebase-method")
@click.option(
    "--method",
    required=True,
    metavar="NAME",
    shell_complete=complete.methods,
    help="The method, or the function.",
)
@class_option
@click.option("--no-sync", is_flag=True, help="Leave the GPU siblings of the project out.")
@click.option(
    "--local",
    type=ADDRESS,
    metavar=METAVAR,
    help="The copy, with its blocks.  [default: each port of the project that has the method]",
)
@click.option(
    "--base",
    type=ADDRESS,
    metavar=METAVAR,
    help="The upstream that the copy was made from.  [default: found in the history of --target]",
)
@click.option("--target", type=ADDRESS, metavar=METAVAR, help="The upstream to move to.")
@click.option(
    "--base-method", metavar="NAME", help="Its name in the base and the target, where it differs."
)
@click.option("--target-method", metavar="NAME", help="Its name in the target, where it differs.")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="replay",
    show_default=True,
    help="strict makes every overlap of drift and upstream change a conflict, and exits 3 for "
    "overruled changes and code that may run twice.",
)
@gpu_options(target=False)
@destination_options(folders=False, check=False)
@click.option(
    "--index",
    is_flag=True,
    help="With --in-place: git status says both modified where a conflict is, git mergetool works.",
)
@report_option
@click.pass_obj
def rebase_method(
    console: Console,
    method: str,
    classes: tuple[str, ...],
    no_sync: bool,
    local: Address | None,
    base: Address | None,
    target: Address | None,
    base_method: str | None,
    target_method: str | None,
    policy: str,
    gpu: GpuRequest | None,
    destination: Destination,
    index: bool,
    reports: tuple[Path, ...],
) -> ExitCode:
    """Rebuild a local copy of a method on a new upstream, its blocks replayed.

    Without --local, in every port of the project file that has the method: the diffs go to
    stdout, --in-place writes the files. With --gpu-base and --gpu-target, or a sibling in the
    project file, what the GPU sibling gained is synced afterwards.
    The local file with that method rebuilt goes to stdout, a summary to stderr. ADDRESS is
    [REPO@REV:]PATH[::CLASS], or PATH::CLASS.NAME for a function of another name; a bare path is
    the working tree. Exits 3 where a person must decide.
    """
    if index and not destination.in_place:
        raise click.UsageError("--index needs --in-place: git's index is about files")
    if local is None:
        given = {"--base": base, "--target": target, "--base-method": base_method}
        need_local({**given, "--target-method": target_method, "--gpu-base": gpu})
        code = run_of_project(
            console, method, classes, destination, reports, policy=policy, sync=not no_sync
        )
        if index:
            show_project(console)
        return code
    if classes or no_sync:
        raise click.UsageError("--class and --no-sync choose from the project file, not --local")
    if target is None:
        raise click.UsageError("--local needs --target, the upstream to move to")
    check_usage(local, destination, reports)
    base, how = (base, "") if base is not None else _find_base(local, method, target, base_method)
    request = RebaseRequest(
        method, local, base, target, target_method, policy, gpu, base_method, base_how=how
    )
    code = deliver(run_rebase(request), console, destination, reports)
    if index:
        show_files(console, Path(local.path).absolute().parent, [Path(local.path).name])
    return code


def _find_base(
    local: Address, method: str, target: Address, base_method: str | None
) -> tuple[Address, str]:
    from omni_port.sources.file_at import names_in, read_address
    from omni_port.sources.find_base import find_base

    here = read_address(local)
    mine = names_in(here, method)[1]
    theirs = names_in(read_address(target), last_part(base_method or method))[1]
    found = find_base(here, mine, target, base_method=theirs if theirs != mine else None)
    return found.address, found.how
