from __future__ import annotations

from omni_codemods.impact.wording import find_moved, shorten


def test_short_code_is_whole() -> None:
    assert shorten("f(a, b)", "f(a, c)") == ("f(a, b)", "f(a, c)")


def test_long_code_shows_what_differs() -> None:
    start = "make(" + ", ".join(f"number_{n}=0" for n in range(9))
    one, other = shorten(f"{start}, pad=1)", f"{start}, pad=2)")
    assert one == "...er_8=0, pad=1)"
    assert other == "...er_8=0, pad=2)"


def test_what_is_long_behind_the_difference_is_cut() -> None:
    one, other = shorten("a" * 100, "b" * 100)
    assert one == "a" * 57 + "..."
    assert other == "b" * 57 + "..."


def test_as_few_as_explain_the_order() -> None:
    assert find_moved(["a", "b", "c"], ["a", "b", "c"]) == []
    assert find_moved(["a", "b", "c", "d"], ["b", "c", "a", "d"]) == ["a"]
