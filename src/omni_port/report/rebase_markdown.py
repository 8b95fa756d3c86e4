"""A rebase as Markdown that reads well in a pull request."""

from __future__ import annotations

import difflib

from omni_codemods.findings.model import Conflict, Evidence, Outcome, RebaseResult
from omni_port.methods.account import Account
from omni_port.report.markdown import make_environment
from omni_port.report.rebase_text import render_closing


def render_rebase_markdown(rebase: Account) -> str:
    """Return the report."""
    return (
        make_environment()
        .get_template("rebase.md.j2")
        .render(
            rebase=rebase,
            result=rebase.result,
            closing=render_closing(rebase),
            decide=[
                e for e in rebase.result.edits if e.outcome in (Outcome.CONFLICT, Outcome.ORPHAN)
            ],
            guessed=[
                e
                for e in rebase.result.edits
                if e.evidence is Evidence.GUESSED and e.outcome is Outcome.CARRIED
            ],
            conflict_diff=_conflict_diff,
            import_lines=_import_lines(rebase.result),
            diffs=list(rebase.diffs()),
            proposed=[e for e in rebase.result.edits if e.outcome is Outcome.PROPOSED],
            overruled=[e for e in rebase.result.edits if e.overruled],
            followed=[e for e in rebase.result.edits if e.followed],
            doubled=[e for e in rebase.result.edits if e.doubled],
        )
    )


def _conflict_diff(conflict: Conflict) -> str:
    """Return base to target, whole: a reader needs the lines that stayed as well."""
    lines = difflib.ndiff(conflict.base.splitlines(), conflict.target.splitlines())
    return "".join(f"{line[0]} {line[2:]}\n" for line in lines if line[0] != "?")


def _import_lines(result: RebaseResult) -> str:
    removed = [f"- {statement.strip()}\n" for statement in result.imports_removed]
    return "".join([*removed, *(f"+ {statement.strip()}\n" for statement in result.imports_added)])
