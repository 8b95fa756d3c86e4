"""What ``drift`` and ``provenance`` say of every port of a project: a summary first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from omni_port.base.address import Address
from omni_port.base.errors import ExitCode, OmniPortError, UsageError
from omni_port.cli.boundary import show_error
from omni_port.cli.console import Console
from omni_port.project.project import CURRENT, TARGET, Port, Project, require_project


def drift_of_ports(
    console: Console,
    table: tuple[tuple[Path, ...], str | None],
    *,
    check: bool,
    baseline: Path | None,
    write: bool,
) -> ExitCode:
    """Compare each class of the project with its sibling; raises OmniPortError.

    A port that cannot be compared is named, and the others are.
    """
    from omni_port import revisions
    from omni_port.methods.drift import (
        DriftRequest,
        compare_classes,
        load_baseline,
        write_baseline,
    )
    from omni_port.report.drift import render_drift_text

    project = require_project(Path.cwd())
    ports = [one for one in project.ports if one.sibling is not None]
    if not ports or project.settings.siblings is None:
        hint = "write sibling = at the [[port]], and [siblings]; or name --local and --gpu"
        raise UsageError("no port of the project has a sibling", hint=hint)
    worst, new = ExitCode.DONE, 0
    with revisions.session():
        for port in (one for one in ports if _is_class(project, one)):
            assert port.sibling is not None
            gpu = project.at(port.sibling, TARGET)
            request = DriftRequest(project.local(port.local), gpu, *table)
            try:
                known = None
                if baseline is not None and baseline.exists():
                    known = load_baseline(baseline, request.pair)
                found = compare_classes(request, known)
            except OmniPortError as error:
                worst = max(worst, show_error(error))
                continue
            counts = Counter(one.method.status.value for one in found.methods)
            said = ", ".join(f"{number} {name}" for name, number in counts.items())
            lacking = f"; bases lacking: {', '.join(found.bases)}" if found.bases else ""
            fresh = f", {found.new} not in the baseline" if baseline is not None else ""
            click.echo(f"{port.name} < {port.sibling.qualname}: {said}{lacking}{fresh}")
            if console.verbose:
                click.echo(render_drift_text(found))
            if write and baseline is not None:
                write_baseline(baseline, found)
            new += found.new
    return max(worst, ExitCode.WOULD_CHANGE) if check and new else worst


def _is_class(project: Project, port: Port) -> bool:
    """Whether the port is a class: of a function alone there is nothing to compare here."""
    from omni_codemods.text.outline import definitions
    from omni_port.base import files

    text = files.decode(files.read_bytes(project.root / port.local.path)).text
    return any(d.is_class and d.qualname == port.name for d in definitions(text))


def provenance_of_ports(console: Console) -> ExitCode:
    """Say of each port which end of its upstream its methods are nearest to.

    A port that cannot be compared is named, and the others are. Raises OmniPortError.
    """
    from omni_port import revisions
    from omni_port.methods.provenance import search_provenance
    from omni_port.report.provenance import render_provenance_text

    project = require_project(Path.cwd())
    worst = ExitCode.DONE
    with revisions.session():
        for port in project.ports:
            if "." not in port.name and not _is_class(project, port):
                continue  # a function by itself is compared by no class
            try:
                ends = _ends(project, port)
                search = search_provenance(project.local(port.local), tuple(ends.values()))
            except OmniPortError as error:
                worst = max(worst, show_error(error))
                continue
            nearest = search.best.items()
            said = ", ".join(f"{number} nearest to {name}" for name, number in nearest)
            click.echo(f"{port.name}: {said or 'no copies'}")
            if console.verbose:
                click.echo(render_provenance_text(search))
    return worst


def _ends(project: Project, port: Port) -> dict[str, Address]:
    known = project.settings.upstream[port.source]
    ends = {TARGET: project.at(port.aim, TARGET)}
    if known.current is not None or port.base is not None:
        ends[CURRENT] = project.at(port.upstream, CURRENT, port.base)
    return ends
