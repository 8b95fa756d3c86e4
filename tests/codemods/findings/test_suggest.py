from __future__ import annotations

import pytest

from omni_codemods.findings.suggest import find_close, suggest


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("targt", ["target", "tables"], "did you mean target?"),
        ("runn", ["run_a", "run", "stop"], "did you mean run or run_a?"),
        ("zzz", ["a", "b"], "known: a, b"),
        ("zzz", [], ""),
        ("q", [f"name{n}" for n in range(14)], ("known: name0, name1, name2, name3, name4, name5, "
         "name6, name7, name8, name9, name10, name11 and 2 more")),
    ],
)  # fmt: skip
def test_what_is_near_or_what_is_known(name: str, known: list[str], hint: str) -> None:
    assert suggest(name, known) == hint


def test_something_else_where_nothing_is_near() -> None:
    assert suggest("zzz", ["a"], otherwise="mend it") == "mend it"
    assert suggest("aa", ["a"], otherwise="mend it") == "did you mean a?"


def test_at_most_three_the_nearest_first() -> None:
    assert find_close("abc", ["abd", "abc1", "abcd", "xabc", "q"])[0] in ("abcd", "abc1", "xabc")
    assert len(find_close("abc", ["abd", "abc1", "abcd", "xabc", "q"])) == 3


def test_what_is_much_further_than_the_nearest_is_none_of_them() -> None:
    rules = ["seam-gone", "upstream-class-gone", "called-method-gone"]
    assert find_close("seem-gone", rules) == ["seam-gone"]
