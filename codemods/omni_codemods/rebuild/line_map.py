"""One account for a rebase and the sync after it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import replace

from omni_codemods.findings.model import RebaseResult, Span
from omni_codemods.text.outline import Located


def join_results(rebased: RebaseResult, synced: RebaseResult) -> RebaseResult:
    """Return the text of *synced* with both accounts; the places of *rebased* move along."""
    moved = line_map(rebased.text, synced.text)

    def shift(span: Span | None) -> Span | None:
        return None if span is None else Span(moved(span.start), moved(span.end))

    edits = tuple(replace(e, result=shift(e.result)) for e in rebased.edits)
    return RebaseResult(
        synced.text,
        rebased.method,
        edits + synced.edits,
        tuple(replace(c, line=moved(c.line)) for c in rebased.conflicts) + synced.conflicts,
        tuple(replace(f, line=moved(f.line)) for f in rebased.findings) + synced.findings,
        rebased.imports_added + synced.imports_added,
        rebased.imports_removed + synced.imports_removed,
        rebased.strict,
        rebased.traces + synced.traces,
    )


def line_map(before: str, after: str) -> Callable[[int], int]:
    """Return a function from lines (1-based) of *before* to those of *after*.

    A line that is gone is counted from the last one before it that is not.
    """
    old, new = before.split("\n"), after.split("\n")
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    table = {b.a + n + 1: b.b + n + 1 for b in blocks for n in range(b.size)}

    def moved(line: int) -> int:
        near = line
        while near > 0 and near not in table:
            near -= 1
        return table.get(near, 0) + (line - near)

    return moved


def lines_back(changed: Located, original: Located) -> Callable[[int], int]:
    """Return a function from lines of the file of *changed* to lines of that of *original*.

    The two are the same function, in one file as it was rewritten and in the other as it was.
    """
    moved = line_map(changed.text, original.text)

    def back(line: int) -> int:
        return moved(line - changed.start + 1) + original.start - 1

    return back
