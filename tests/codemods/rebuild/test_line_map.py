"""Lines that go from one text to another, and two accounts as one."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import (
    Conflict,
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Finding,
    Outcome,
    RebaseResult,
    Span,
)
from omni_codemods.rebuild.line_map import join_results, line_map, lines_back
from omni_codemods.text.outline import locate


@pytest.mark.parametrize(
    ("before", "after", "line", "expected"),
    [
        ("a\nb\nc", "a\nb\nc", 2, 2),
        ("a\nb\nc", "x\na\nb\nc", 2, 3),
        ("a\nb\nc", "a\nx\ny\nb\nc", 3, 5),
        ("a\nb\nc", "a\nc", 3, 2),
        ("a\nb\nc", "a\nB\nc", 2, 2),
        ("a\nb", "b", 1, 1),
    ],
)
def test_line_map(before: str, after: str, line: int, expected: int) -> None:
    assert line_map(before, after)(line) == expected


def test_lines_back_in_a_file_with_other_lines_above() -> None:
    original = locate("import a\n\n\ndef run():\n    x = a.one\n    return x\n", "run")
    changed = locate("import a\nimport b\n\n\ndef run():\n    x = b.one\n    return x\n", "run")
    back = lines_back(changed, original)
    assert [back(line) for line in (5, 6, 7)] == [4, 5, 6]


def edit(kind: EditKind, result: Span | None) -> EditOutcome:
    return EditOutcome(
        Edit(kind, "insertion", Span(1, 1), "x"), Outcome.CARRIED, Evidence.EXACT, "", result
    )


def test_places_of_the_rebase_move_with_what_the_sync_put_above() -> None:
    rebased = RebaseResult(
        "a\nb\nc\n",
        "run",
        (edit(EditKind.BLOCK, Span(2, 3)), edit(EditKind.DRIFT, None)),
        (Conflict(3, "", "", "", "both"),),
        (Finding("OP401", 2, 4, "x"),),
        ("import a",),
    )
    synced = RebaseResult(
        "a\nnew\nb\nc\n", "run", (edit(EditKind.SIBLING, Span(2, 2)),), imports_added=("import b",)
    )
    joined = join_results(rebased, synced)
    assert joined.text == synced.text
    assert [e.result for e in joined.edits] == [Span(3, 4), None, Span(2, 2)]
    assert [c.line for c in joined.conflicts] == [4]
    assert [f.line for f in joined.findings] == [3]
    assert joined.imports_added == ("import a", "import b")


def test_nothing_moves_where_nothing_was_synced() -> None:
    rebased = RebaseResult("a\nb\n", "run", (edit(EditKind.BLOCK, Span(2, 2)),))
    assert join_results(rebased, RebaseResult("a\nb\n", "run")) == rebased
