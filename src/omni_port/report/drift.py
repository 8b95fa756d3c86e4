"""Drift as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from omni_codemods.drift.drift import Difference, Status
from omni_port.base.words import count
from omni_port.methods.drift import Compared, Drift
from omni_port.report.rebase_text import render_span

_COLOURS = {
    Status.SHARED: "green",
    Status.TRANSLATED: "green",
    Status.INHERITED: "green",
    Status.DIFFERS: "yellow",
    Status.GPU_ONLY: "red",
    Status.NPU_ONLY: "cyan",
}


def render_drift_text(drift: Drift) -> str:
    """Return a line a method, and below one that differs the lines of both sides.

    The bases that the NPU class lacks come first.
    """
    lines = [*_base_lines(drift), *(line for one in drift.methods for line in _method_lines(one))]
    return "".join(line + "\n" for line in lines)


def _base_lines(drift: Drift) -> Iterator[str]:
    status = click.style(f"{'gpu-only':<10}", fg=_COLOURS[Status.GPU_ONLY], bold=True)
    for base in drift.bases:
        yield f"{status}  base {base}{'' if base in drift.new_bases else '  (known)'}"


def _method_lines(one: Compared) -> Iterator[str]:
    method = one.method
    status = click.style(f"{method.status.value:<10}", fg=_COLOURS[method.status], bold=True)
    where = f"gpu {render_span(method.gpu)}, npu {render_span(method.npu)}"
    inherited = method.inherited
    if inherited is not None and inherited.span not in (method.gpu, method.npu):
        which = "from" if method.status is Status.INHERITED else "has that of"
        where += f" ({which} {inherited.owner}, {render_span(inherited.span)})"
    known = "  (known)" if method.drifts and not one.new else ""
    yield f"{status}  {method.name}  {where}{known}"
    for difference in method.differences:
        changed = " (translated)" if difference.translated != difference.gpu_code else ""
        at = f"    gpu {render_span(difference.gpu)}{changed}, npu {render_span(difference.npu)}"
        yield f"{at}: moved" if difference.moved else f"{at}:"
        yield from (f"    {line}" for line in _sides(difference))


def _sides(difference: Difference) -> Iterator[str]:
    if difference.moved:
        return
    for mark, code, colour in (
        ("-", difference.translated, "red"),
        ("+", difference.npu_code, "green"),
    ):
        for line in code.splitlines():
            yield click.style(f"{mark} {line}".rstrip(), fg=colour)


def render_drift_closing(drift: Drift, *, baseline: bool) -> str:
    """Return the closing line: how many methods there are of each status."""
    counts = Counter(one.method.status for one in drift.methods)
    listed = ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])
    if drift.bases:
        listed += f", {count(len(drift.bases), 'base')} gpu-only"
    new = f"; {count(drift.new, 'difference')} not in the baseline" if baseline else ""
    return f"{drift.request.pair}: {count(len(drift.methods), 'method')}: {listed}{new}"
