from __future__ import annotations

import ast

import pytest

from omni_codemods.impact.renames import find_renames


def renames(old: str, new: str) -> dict[str, str] | None:
    return find_renames(ast.parse(old).body, ast.parse(new).body)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a = f(b)", "a = f(b)", {}),
        ("a = f(b)", "a = g(b)", {"f": "g"}),
        ("a = f(b); c = f(a)", "x = g(b); c = g(x)", {"a": "x", "f": "g"}),
        ("for i in rows:\n    use(i)", "for row in rows:\n    use(row)", {"i": "row"}),
    ],
)
def test_consistent_names(old: str, new: str, expected: dict[str, str]) -> None:
    assert renames(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a = f(b)", "a = f(b, c)"),
        ("a = f(b)\nc = f(a)", "a = g(b)\nc = f(a)"),  # only one of two
        ("a = f(b, c)", "a = f(b, b)"),  # two become one
        ("self.a = 1", "self.b = 1"),  # state
        ("f(a=1)", "f(b=1)"),  # a keyword is the callee's
        ("a = 'x'", "a = 'y'"),
        ("a = 1", "a = 1.0"),
        ("a = 1", "a += 1"),
        ("a = 1", "a = 1\nb = 2"),
        ("a = b", "del a"),
    ],
)
def test_more_than_names(old: str, new: str) -> None:
    assert renames(old, new) is None
