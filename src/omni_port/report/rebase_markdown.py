"""A rebase as Markdown that reads well in a pull request."""

from __future__ import annotations

import difflib

import jinja2

from omni_codemods.model import Conflict, Evidence, Outcome, RebaseResult
from omni_port.report.account import Account
from omni_port.report.rebase_text import render_closing, render_place, render_span


def render_rebase_markdown(rebase: Account) -> str:
    """Return the report."""
    return (
        _environment()
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
        )
    )


def _environment() -> jinja2.Environment:
    # Markdown, not HTML: what must be escaped differs by place, so the filters below do it.
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("omni_port.report"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        span=render_span, place=render_place, code=code, cell=cell, fence=fence
    )
    return environment


def _conflict_diff(conflict: Conflict) -> str:
    """Return base to target, whole: a reader needs the lines that stayed as well."""
    lines = difflib.ndiff(conflict.base.splitlines(), conflict.target.splitlines())
    return "".join(f"{line[0]} {line[2:]}\n" for line in lines if line[0] != "?")


def _import_lines(result: RebaseResult) -> str:
    removed = [f"- {statement.strip()}\n" for statement in result.imports_removed]
    return "".join([*removed, *(f"+ {statement.strip()}\n" for statement in result.imports_added)])


def code(text: str) -> str:
    """Return *text* as inline code, whatever backticks are in it; for cells too."""
    line = " ".join(text.split()).replace("|", "\\|")
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}" if line else ""


def cell(text: str) -> str:
    """Return *text* for a table's cell: one line, no bar, no markup of its own."""
    line = " ".join(text.split())
    for mark in ("\\", "|", "<", "*", "_"):
        line = line.replace(mark, "\\" + mark)
    return line


def fence(text: str, language: str) -> str:
    """Return *text* as a code fence longer than any run of backticks in it."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{ticks}{language}\n{text}{end}{ticks}"


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest
