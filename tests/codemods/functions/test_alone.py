"""What stands alone between the same neighbours and does the same is one statement."""

from __future__ import annotations

import pytest

from omni_codemods.functions.align import align
from omni_codemods.functions.alone import is_small, pair_alone
from parsed import node, tree_of


def is_paired(left: str, right: str, start: str = "") -> bool:
    one, other = tree_of(left), tree_of(right)
    alignment = align(one, other)
    pair_alone(one, alignment)
    return node(one, start or left.split("(")[0]) in alignment.right


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("compile()", "compile(debug=True)"),
        ("self.compile()", "self.compile(a, b, c, d)"),
        ("return compile()", "return compile(debug=True)"),
        ("await compile()", "await compile(debug=True)"),
        ("raise Gone()", "raise Gone(a, b, c)"),
        ("return a", "return f(b, c)"),
        ("yield a", "yield f(b, c)"),
        ("first()\ncompile()\nlast()", "first()\ncompile(debug=True, more=False)\nlast()"),
    ],
)
def test_alone(left: str, right: str) -> None:
    assert is_paired(left, right, "compile(" if left.startswith("first") else "")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("compile()", "build(debug=True)"),
        ("compile()", "self.compile(debug=True, more=False)"),
        ("compile()", "compile(debug=True, more=False)\nother(a, b)"),
        ("a", "b"),
        ("return a", "raise b"),
        ("first()\nsecond()\nthird()\nreturn a", "first()\nsecond()\nthird()\nreturn f(b, c)"),
        ("compile()", "if a:\n    compile(b, c, d, e)"),
    ],
)
def test_not_alone_or_not_the_same(left: str, right: str) -> None:
    assert not is_paired(left, right, "return" if "return" in left else "")


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("pass", True),
        ("return a", True),
        ('"""Doc."""\na()\nb()', True),
        ("if a:\n    b()\nelse:\n    c()", True),
        ("a()\nb()\nc()", False),
    ],
)
def test_small(text: str, small: bool) -> None:
    assert is_small(tree_of(text)) is small
