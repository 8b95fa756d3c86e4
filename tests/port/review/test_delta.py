from __future__ import annotations

from omni_port.review.delta import Delta, compare_deltas
from omni_port.review.rows import make_cells


def compare(base: str, local: str, target: str, result: str) -> Delta:
    return compare_deltas(*(make_cells(list(x), 1) for x in (base, local, target, result)))


def signs(delta: Delta) -> list[str]:
    return [
        "|".join("" if x is None else x.sign + x.text for x in (row.before, row.after))
        for row in delta.rows
        if not row.same
    ]


def test_an_upstream_change_is_none_of_ours() -> None:
    delta = compare("ab", "axb", "cbd", "cxbd")
    assert (delta.before, delta.after, delta.changed) == (1, 1, 0)


def test_what_is_lost_and_what_is_new_is_told() -> None:
    assert signs(compare("ab", "axb", "ab", "ab")) == ["+x|"]
    assert signs(compare("ab", "ab", "ab", "ayb")) == ["|+y"]


def test_a_deletion_of_ours_that_came_back() -> None:
    delta = compare("abc", "ac", "abc", "abc")
    assert signs(delta) == ["-b|"]


def test_indentation_is_not_what_we_changed() -> None:
    old, new = ["a", "  x"], ["a", "    x"]
    delta = compare_deltas(
        make_cells(["a"], 1), make_cells(old, 1), make_cells(["a"], 1), make_cells(new, 1)
    )
    assert delta.changed == 0


def test_nothing_of_ours_is_no_delta() -> None:
    assert compare("ab", "ab", "cd", "cd").rows == ()
