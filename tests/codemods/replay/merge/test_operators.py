"""Two changes of the operators of one expression: merged where the brackets cannot matter."""

from __future__ import annotations

import pytest

from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import merge_statement
from parsed import statement


def merged(base: str, local: str, target: str) -> str | None:
    text = merge_statement(statement(base), statement(local), statement(target), Merge())
    return None if text is None else text.strip()


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # one chain, longer on both sides
        ("x = a and b", "x = a and m and b", "x = a and b and t", "x = a and m and b and t"),
        ("x = a", "x = a or m", "x = t or a", "x = t or a or m"),
        ("x = a + b", "x = a - m + b", "x = a + b + t", "x = a - m + b + t"),
        # a change inside an operand of the chain
        ("x = a + b", "x = a * m + b", "x = a + b + t", "x = a * m + b + t"),
        ("x = a and b", "x = not a and b", "x = a and b and t", "x = not a and b and t"),
        (
            "x = a == b and c",
            "x = a == b + m and c",
            "x = a == b and c > t",
            "x = a == b + m and c > t",
        ),
        # each in a part of its own
        (
            "x = a or b and c",
            "x = a * m or b and c",
            "x = a or b and c and t",
            "x = a * m or b and c and t",
        ),
        (
            "x = a if b else c",
            "x = a if b and m else c",
            "x = a + t if b else c",
            "x = a + t if b and m else c",
        ),
        (
            "x = [a for i in b if c]",
            "x = [a for i in b + m if c]",
            "x = [a for i in b if c and t]",
            "x = [a for i in b + m if c and t]",
        ),
        (
            "for i in a + b:\n    pass",
            "for i in a + m + b:\n    pass",
            "for i in a + b + t:\n    pass",
            "for i in a + m + b + t:",
        ),
        (
            "if a and b:\n    pass",
            "if a and m and b:\n    pass",
            "if a and b and t:\n    pass",
            "if a and m and b and t:",
        ),
        ("f(a, k=b)", "f(a * m, k=b)", "f(a, k=b + t)", "f(a * m, k=b + t)"),
        # only one side changed operators
        ("x = f(a)", "x = f(a) * m", "x = f(t)", "x = f(t) * m"),
    ],
)
def test_safe(base: str, local: str, target: str, expected: str) -> None:
    assert merged(base, local, target) == expected


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        ("x = a", "x = a * m", "x = t + a"),
        ("x = a", "x = not a", "x = a and t"),
        ("x = a and b", "x = a and b and m", "x = t or a and b"),
        ("x = a", "x = a if m else n", "x = t + a"),
        ("x = a if b else c", "x = a if b and m else c", "x = a if t or b else c"),
        ("x = a", "x = a - m", "x = t - a"),
        ("x = a", "x = a == m", "x = t == a"),
        ("x = a + b", "x = a * m + b", "x = t / a + b"),
    ],
)
def test_unsafe(base: str, local: str, target: str) -> None:
    assert merged(base, local, target) is None
    assert merged(base, target, local) is None
