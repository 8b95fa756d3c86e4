from __future__ import annotations

from omni_port.review.rows import Cell, Look, Row, Traced, align_rows, make_cells, match_lines


def rows(local: str, target: str, result: list[tuple[str, int, int]]) -> list[str]:
    """Align one-letter lines; a row reads ``look local target result``."""
    written = [Traced(Cell(n, text), a, b) for n, (text, a, b) in enumerate(result, 1)]
    found = align_rows(make_cells(list(local), 1), make_cells(list(target), 1), written)
    return [_shown(row) for row in found]


def _shown(row: Row) -> str:
    cells = (row.local, row.target, row.result)
    return " ".join([row.look.value, *("-" if one is None else one.text for one in cells)])


def test_what_all_three_have_is_the_same() -> None:
    assert rows("ab", "ab", [("a", 1, 1), ("b", 2, 2)]) == ["same a a a", "same b b b"]


def test_what_the_upstream_changed_stands_beside_what_was() -> None:
    assert rows("ab", "cb", [("c", 1, 1), ("b", 2, 2)]) == ["upstream a c c", "same b b b"]


def test_what_is_ours_stands_beside_what_it_replaces() -> None:
    found = rows("axb", "ayb", [("a", 1, 1), ("x", 2, 0), ("b", 3, 3)])
    assert found == ["same a a a", "drift x y x", "same b b b"]


def test_what_the_upstream_put_in_and_what_it_took_out() -> None:
    found = rows("ab", "anb", [("a", 1, 1), ("n", 0, 2), ("b", 2, 3)])
    assert found == ["same a a a", "upstream - n n", "same b b b"]
    assert rows("agb", "ab", [("a", 1, 1), ("b", 3, 2)]) == [
        "same a a a",
        "gone g - -",
        "same b b b",
    ]


def test_what_is_gone_at_the_end_is_not_lost() -> None:
    assert rows("ag", "ah", [("a", 1, 1)]) == ["same a a a", "gone g h -"]


def test_what_neither_has_is_the_siblings() -> None:
    assert rows("a", "a", [("a", 1, 1), ("s", 0, 0)]) == ["same a a a", "sync - - s"]


def test_a_line_that_moved_up_takes_nothing_with_it() -> None:
    found = rows("abc", "cab", [("c", 3, 1), ("a", 1, 2), ("b", 2, 3)])
    assert found == ["same c c c", "same a a a", "same b b b"]


def test_a_hunk_is_a_conflict_with_its_markers() -> None:
    lines = ["<<<<<<< local", "x", "||||||| base", "a", "=======", "y", ">>>>>>> target", "b"]
    numbers = [(0, 0), (1, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 0), (2, 2)]
    written = [
        Traced(Cell(n, text), *at) for n, (text, at) in enumerate(zip(lines, numbers, strict=True))
    ]
    found = align_rows(make_cells(["x", "b"], 1), make_cells(["y", "b"], 1), written)
    assert [row.look for row in found] == [Look.CONFLICT] * 7 + [Look.SAME]
    assert [row.local.text for row in found if row.local] == ["x", "b"]
    assert [row.target.text for row in found if row.target] == ["y", "b"]


def test_blank_lines_stand_beside_blank_lines() -> None:
    local, target = make_cells(["a", "", "b"], 1), make_cells(["a", "", "b"], 7)
    written = [Traced(Cell(1, "a"), 1, 7), Traced(Cell(2, "")), Traced(Cell(3, "b"), 3, 9)]
    found = align_rows(local, target, written)
    assert [row.look for row in found] == [Look.SAME] * 3
    assert found[1].local == Cell(2, "")


def test_an_edits_lines_that_a_side_has_too_are_that_sides() -> None:
    cells = make_cells(["a", "b"], 1)
    plain = [Traced(Cell(1, "a"), 1, 1, Look.DRIFT), Traced(Cell(2, "b"), 2, 2, Look.BLOCK)]
    assert [row.look for row in align_rows(cells, cells, plain)] == [Look.SAME, Look.BLOCK]


def test_equal_lines_are_matched_in_order() -> None:
    assert match_lines(["a", "x", "b"], ["a", "b"]) == {0: 0, 2: 1}
