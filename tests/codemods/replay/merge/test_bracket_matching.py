"""Which element of a bracket is which of another."""

from __future__ import annotations

import pytest

from omni_codemods.functions.brackets import Group
from omni_codemods.functions.statement_brackets import parse_statement_parts
from omni_codemods.replay.merge.bracket_matching import match_elements
from parsed import statement


def match(left: str, right: str) -> dict[int, int]:
    groups = []
    for text in (left, right):
        parts = parse_statement_parts(statement(f"f({text})"))
        groups.append(next(p for p in parts if isinstance(p, Group)))
    return match_elements(groups[0].elements, groups[1].elements)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("", "a", {}),
        ("a, b", "a, b", {0: 0, 1: 1}),
        ("a, b", "b", {1: 0}),
        ("a", "b", {0: 0}),
        ("a, b", "b, a", {0: 1}),
        ("k=a, l=b", "l=b, k=a", {0: 1, 1: 0}),
        ("k=a", "k=b", {0: 0}),
        ("a, k=b", "a, n=b", {0: 0, 1: 1}),
        ("k=a", "l=b", {}),
        ("k=a, l=a", "m=a", {0: 0}),
        ("a", "k=a", {}),
        ("g(a, b)", "c, g(a, d)", {0: 1}),
        ("*a", "*b", {0: 0}),
        ("**a", "**b", {0: 0}),
    ],
)
def test_matching(left: str, right: str, expected: dict[int, int]) -> None:
    assert match(left, right) == expected
