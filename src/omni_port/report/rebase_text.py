"""A rebase as text for a terminal: one line an edit, then what a person must look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from omni_codemods.model import EditKind, EditOutcome, Outcome, RebaseResult, Span
from omni_port.rebasing import Rebase
from omni_port.report.tally import count
from omni_port.report.text import render_finding

_COLOURS = {
    Outcome.CARRIED: "green",
    Outcome.MOVED: "green",
    Outcome.ABSORBED: "cyan",
    Outcome.CONFLICT: "red",
    Outcome.ORPHAN: "red",
}
_SUMMARY_WIDTH = 60


def render_rebase(rebase: Rebase, *, result_path: str, verbose: bool) -> str:
    """Return the summary, whose places are in *result_path*. *verbose* adds the diffs."""
    result = rebase.result
    parts = [_edit_line(edit) + _overruled(edit, verbose=verbose) for edit in result.edits]
    parts += [
        f"{result_path}:{conflict.line}: {click.style('conflict', fg='red', bold=True)}: "
        f"{conflict.reason}"
        for conflict in result.conflicts
    ]
    parts += [render_finding(result_path, finding) for finding in result.findings]
    parts += [f"import added: {statement.strip()}" for statement in result.imports_added]
    parts += [f"import removed: {statement.strip()}" for statement in result.imports_removed]
    return "\n".join([*parts, render_closing(result)])


def _edit_line(outcome: EditOutcome) -> str:
    edit = outcome.edit
    label = click.style(f"{outcome.outcome.value:<8}", fg=_COLOURS[outcome.outcome], bold=True)
    where = f"{render_span(edit.span)} -> {render_span(outcome.result)}"
    what = f"{edit.kind.value} {edit.change}"
    return (
        f"{label}  {outcome.evidence.value:<7}  {where:<20}  {what:<18}  "
        f"{shorten(edit.summary)}  [{outcome.reason}]"
    )


def _overruled(outcome: EditOutcome, *, verbose: bool) -> str:
    if not outcome.overruled:
        return ""
    if not verbose:
        return "  (overrules an upstream change; -v or --report shows it)"
    return "\n" + "\n".join(f"    {line}" for line in outcome.overruled.splitlines())


def render_span(span: Span | None) -> str:
    """Return ``12-18``, ``12`` for a single line, ``-`` for nothing."""
    if span is None:
        return "-"
    return str(span.start) if span.start == span.end else f"{span.start}-{span.end}"


def shorten(text: str) -> str:
    """Return the first line of *text*, cut at a width that leaves room for the rest."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _SUMMARY_WIDTH else line[: _SUMMARY_WIDTH - 1] + "…"


def render_closing(result: RebaseResult) -> str:
    """Return the closing line: how many edits, and what became of them."""
    if not result.edits and not result.conflicts:
        return f"{result.method}: no local edits; the method is the target's"
    kinds = Counter(outcome.edit.kind for outcome in result.edits)
    held = f"{count(kinds[EditKind.BLOCK], 'block')}, {kinds[EditKind.DRIFT]} drift"
    listed = ", ".join(_outcomes(result))
    verdict = "a person must decide" if result.needs_person else "nothing is left to decide"
    return (
        f"{result.method}: {count(len(result.edits), 'edit')} ({held}): "
        f"{listed}; {count(len(result.conflicts), 'conflict hunk')}: {verdict}"
    )


def _outcomes(result: RebaseResult) -> Iterator[str]:
    outcomes = Counter(outcome.outcome for outcome in result.edits)
    for kind in Outcome:
        if outcomes[kind]:
            yield f"{outcomes[kind]} {kind.value}"
