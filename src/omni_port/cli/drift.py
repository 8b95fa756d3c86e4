"""``omni-port drift``."""

from __future__ import annotations

from pathlib import Path

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.cli.address_type import ADDRESS, METAVAR
from omni_port.cli.console import Console
from omni_port.cli.format_option import format_option
from omni_port.cli.gpu_options import table_choice
from omni_port.cli.streams import show
from omni_port.cli.table_options import TABLES
from omni_port.methods.drift import DriftRequest, compare_classes, load_baseline, write_baseline


@click.command()
@click.option("--local", type=ADDRESS, metavar=METAVAR, help="The NPU class.")
@click.option("--gpu", type=ADDRESS, metavar=METAVAR, help="The GPU class.")
@TABLES
@click.option(
    "--target",
    "table_target",
    metavar="RELEASE",
    help="The release that the table aims at, such as vllm-ascend==0.19.1rc1. "
    "[default: the newest that the table knows]",
)
@format_option("json", text="How to print what differs.")
@click.option("--check", is_flag=True, help="Exit 1 if there is drift that is not in the baseline.")
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The drift that is known; a file that is not there knows nothing.",
)
@click.option("--write-baseline", "write", is_flag=True, help="Write the drift into --baseline.")
@click.pass_obj
def drift(
    console: Console,
    local: Address | None,
    gpu: Address | None,
    tables: tuple[Path, ...],
    table_target: str | None,
    form: str,
    check: bool,
    baseline: Path | None,
    write: bool,
) -> ExitCode:
    """Compare a GPU class with its NPU counterpart as they stand, method by method.

    Each method is the same as it is, the same after translation, inherited, different (with the
    lines of both sides), or on one side only. ADDRESS is [REPO@REV:]PATH::CLASS.

    Without --local and --gpu, in a project: a line for each port and its sibling as it is in the
    target; -v adds the methods.
    """
    from omni_port.report.drift import render_drift_closing, render_drift_text

    if write and (baseline is None or check):
        raise click.UsageError("--write-baseline needs --baseline, and no --check")
    if (local is None) != (gpu is None):
        raise click.UsageError("--local and --gpu need each other; without both, in a project")
    if local is None or gpu is None:
        if form == "json":
            raise click.UsageError("--format json needs --local and --gpu: it is about one pair")
        from omni_port.cli.of_ports import drift_of_ports

        table = table_choice(tables, table_target)
        return drift_of_ports(console, table, check=check, baseline=baseline, write=write)
    request = DriftRequest(local, gpu, *table_choice(tables, table_target))
    known = load_baseline(baseline, request.pair) if baseline and baseline.exists() else None
    found = compare_classes(request, known)
    if form == "json":
        from omni_port.documents.common import render_document
        from omni_port.documents.drift import make_drift_document

        click.echo(render_document(make_drift_document(found)))
    else:
        show(render_drift_text(found))
    console.say(render_drift_closing(found, baseline=baseline is not None))
    if write and baseline is not None:
        write_baseline(baseline, found)
        return ExitCode.DONE
    return ExitCode.WOULD_CHANGE if check and found.new else ExitCode.DONE
