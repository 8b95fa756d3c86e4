"""Which elements of a statement are fenced, and what is left without them."""

from __future__ import annotations

import pytest

from omni_codemods.functions.brackets import Group
from omni_codemods.functions.statement_brackets import (
    fenced_elements,
    parse_statement_parts,
    without_fenced,
)
from parsed import statement


def group(text: str) -> Group:
    """The first group of *text*."""
    return next(p for p in parse_statement_parts(statement(text)) if isinstance(p, Group))


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("f(\n    a,\n    b,\n)", set()),
        ("f(\n    a,\n    b,  # Omni-new\n)", {1}),
        ("f(\n    a,  # why\n    b,\n)", set()),
        ("f(\n    # PATCH START: x\n    a,\n    b,\n    # PATCH END: x\n    c,\n)", {0, 1}),
        ("f(\n    a,\n    # PATCH START: x\n    b,\n    # PATCH END: x\n)", {1}),
        ("f(\n    # Omni-new: why\n    a,\n    b,\n)", {0}),
        # a banner opens and closes by turns, with the same words
        ("f(\n    # --- Omni-new ---\n    a,\n    # --- Omni-new ---\n    b,\n)", {0}),
        ("f(\n    a,\n    # --- Omni-new ---\n    b,\n    # --- Omni-new ---\n)", {1}),
        ("f(\n    # --- Omni-new ---\n    a,\n    # " + "-" * 20 + "\n    b,\n)", {0}),
        ("f(\n    a,\n    # --- Omni-new ---\n    # b,\n    # --- Omni-new ---\n    c,\n)", set()),
        (
            "f(\n    # --- Omni-new ---\n    a,\n    # why\n    # --- Omni-new ---\n    b,\n)",
            {0},
        ),
    ],
)
def test_fenced_elements(text: str, marked: set[int]) -> None:
    assert fenced_elements(group(text).elements) == marked


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("f(\n    a,\n    b,  # Omni-new\n)", "f(a)"),
        ("f(\n    b,  # Omni-new\n    a,\n)", "f(a)"),
        ("f(\n    b,  # Omni-new\n)", "f()"),
        ("f(\n    g(\n        a,\n        b,  # Omni-new\n    ),\n)", "f(g(a))"),
        ("f(\n    a,\n    # PATCH START: x\n    b,\n    c,\n    # PATCH END: x\n    d)", "f(a, d)"),
        (
            "f(\n    # --- Omni-new ---\n    a,\n    # --- Omni-new ---\n    b,\n)",
            "f(b)",
        ),
        (
            "x = (\n    a\n    # --- Omni-new ---\n    + b\n    # --- Omni-new ---\n    + c\n)",
            "x = (a + c)",
        ),
        ("f(a, b)", "f(a, b)"),
        ("f(a, b)  # why", "f(a, b)"),
        ("x = f(a)", "x = f(a)"),
    ],
)
def test_a_statement_without_its_fenced_elements(text: str, plain: str) -> None:
    assert without_fenced(statement(text)) == statement(plain).key


@pytest.mark.parametrize(
    "text",
    [
        "(\n    a,\n    b,  # Omni-new\n) = f()",
        "return (\n    a,\n    b,  # Omni-new\n)",
    ],
)
def test_a_fenced_element_of_a_tuple(text: str) -> None:
    assert "b" not in without_fenced(statement(text))
