"""A rebase as text for a terminal: one line an edit, then what a person must look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from omni_codemods.findings.model import Edit, EditKind, EditOutcome, Outcome, RebaseResult, Span
from omni_port.base.words import count
from omni_port.methods.account import Account
from omni_port.report.text import render_finding

_COLOURS = {
    Outcome.CARRIED: "green",
    Outcome.MOVED: "green",
    Outcome.ABSORBED: "cyan",
    Outcome.CONFLICT: "red",
    Outcome.ORPHAN: "red",
    Outcome.PROPOSED: "yellow",
    Outcome.FOLLOWED: "yellow",
}
_SUMMARY_WIDTH = 60


def render_rebase(rebase: Account, *, result_path: str, verbose: bool) -> str:
    """Return the summary, whose places are in *result_path*. *verbose* adds the diffs."""
    result = rebase.result
    parts = [f"{name} {rebase.sides[name].address}: {how}" for name, how in rebase.how.items()]
    parts += [_edit_line(edit) + _more(edit, verbose=verbose) for edit in result.edits]
    parts += [
        f"{result_path}:{conflict.line}: {click.style('conflict', fg='red', bold=True)}: "
        f"{conflict.reason}"
        for conflict in result.conflicts
    ]
    parts += [render_finding(result_path, finding) for finding in result.findings]
    parts += [f"import added: {statement.strip()}" for statement in result.imports_added]
    parts += [f"import removed: {statement.strip()}" for statement in result.imports_removed]
    if rebase.judged is not None and any(e.edit.kind is EditKind.SIBLING for e in result.edits):
        parts.append(f"the sibling's own changes were told by {rebase.judged}")
    return "\n".join([*parts, render_closing(rebase)])


def _edit_line(outcome: EditOutcome) -> str:
    edit = outcome.edit
    label = click.style(f"{outcome.outcome.value:<8}", fg=_COLOURS[outcome.outcome], bold=True)
    where = f"{render_place(edit)} -> {render_span(outcome.result)}"
    what = f"{edit.kind.value} {edit.change}"
    return (
        f"{label}  {outcome.evidence.value:<7}  {where:<20}  {what:<18}  "
        f"{shorten(edit.summary)}  [{outcome.reason}]"
    )


def _more(outcome: EditOutcome, *, verbose: bool) -> str:
    """What stands below the line: all of what a person has to look at, verbose or not."""
    if outcome.proposed and not verbose:
        return "  (not in the text; -v or --report shows it)"
    parts = (
        ("overrules this upstream change:", outcome.overruled),
        ("may run twice, for the upstream now has beside it:", outcome.doubled),
        ("changed what a block holds, as the sibling did:", outcome.followed),
        ("would put there:", outcome.proposed),
    )
    return "".join(
        "\n".join([f"\n    {title}", *(f"    {line}" for line in code.splitlines())])
        for title, code in parts
        if code
    )


def render_span(span: Span | None) -> str:
    """Return ``12-18``, ``12`` for a single line, ``-`` for nothing."""
    if span is None:
        return "-"
    return str(span.start) if span.start == span.end else f"{span.start}-{span.end}"


def render_place(edit: Edit) -> str:
    """Return the lines of *edit*; ``gpu`` says that they are lines of the sibling's newer file."""
    side = "gpu " if edit.kind is EditKind.SIBLING else ""
    return side + render_span(edit.span)


def shorten(text: str) -> str:
    """Return the first line of *text*, cut at a width that leaves room for the rest."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _SUMMARY_WIDTH else line[: _SUMMARY_WIDTH - 1] + "…"


def render_closing(account: Account) -> str:
    """Return the closing line: how many edits, and what became of them."""
    result = account.result
    if not result.edits and not result.conflicts:
        return f"{result.method}: {_nothing(account)}"
    kinds = Counter(outcome.edit.kind for outcome in result.edits)
    held = _held(kinds)
    listed = ", ".join(_outcomes(result))
    return (
        f"{result.method}: {count(len(result.edits), 'edit')} ({held}): "
        f"{listed}; {count(len(result.conflicts), 'conflict hunk')}: {_verdict(result)}"
    )


def _verdict(result: RebaseResult) -> str:
    """What is left: to decide, or to look at, each kind counted."""
    overruled = sum(bool(outcome.overruled) for outcome in result.edits)
    doubled = sum(bool(outcome.doubled) for outcome in result.edits)
    followed = sum(bool(outcome.followed) for outcome in result.edits)
    asked = [
        *([f"{count(overruled, 'upstream change')} overruled"] if overruled else []),
        *([f"{count(doubled, 'edit')} whose code may run twice"] if doubled else []),
        *([f"{count(followed, 'change')} of what a block holds"] if followed else []),
    ]
    if result.needs_person:
        return ", ".join(["a person must decide", *asked])
    if asked:
        return f"what is left to look at: {', '.join(asked)}"
    return "nothing is left to decide"


def _nothing(account: Account) -> str:
    if account.command == "sync-method":
        return "the sibling changed nothing that this method lacks; it stays as it is"
    return "no local edits; the method is the target's"


def _held(kinds: Counter[EditKind]) -> str:
    parts = []
    if kinds[EditKind.BLOCK] or kinds[EditKind.DRIFT]:
        parts = [count(kinds[EditKind.BLOCK], "block"), f"{kinds[EditKind.DRIFT]} drift"]
    if kinds[EditKind.SIBLING]:
        parts.append(f"{kinds[EditKind.SIBLING]} of the sibling")
    return ", ".join(parts)


def _outcomes(result: RebaseResult) -> Iterator[str]:
    outcomes = Counter(outcome.outcome for outcome in result.edits)
    for kind in Outcome:
        if outcomes[kind]:
            yield f"{outcomes[kind]} {kind.value}"
