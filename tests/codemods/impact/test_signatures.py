from __future__ import annotations

import ast

import pytest

from omni_codemods.impact.model import Impact
from omni_codemods.impact.signatures import compare_signatures, read_defaults, render_signature
from omni_codemods.sources.subject import Function

M, B = Impact.MECHANICAL, Impact.BEHAVIORAL


def function(signature: str) -> Function:
    node = ast.parse(f"def f{signature}:\n    pass\n").body[0]
    assert isinstance(node, Function)
    return node


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(self, n)", "(self, n, pad=0)", [(M, "also takes pad=0")]),
        ("(self, n)", "(self, n, *, pad=0)", [(M, "also takes pad=0")]),
        ("(self, n)", "(self, n, *, pad)", [(B, "also wants pad")]),
        ("(self, n)", "(self, n, pad)", [(B, "also wants pad")]),
        ("(self, n)", "(self, pad=0, n=1)",
         [(B, "takes pad=0 before others: positions shift"), (M, "n has a default: 1")]),
        ("(self, n, pad=0)", "(self, n)", [(B, "no longer takes pad")]),
        ("(self, n, pad=0)", "(self, n, **more)",
         [(B, "no longer takes pad, except in **more"), (M, "also takes **more")]),
        ("(self, n, pad=0, /)", "(self, n, /, **more)",
         [(B, "no longer takes pad"), (M, "also takes **more")]),
        ("(self, n=1)", "(self, n=2)", [(B, "the default of n is 2 (was 1)")]),
        ("(self, n=1)", "(self, n)", [(B, "n has no default any more (was 1)")]),
        ("(self, a, b)", "(self, b, a)", [(B, "takes b in another place of the order")]),
        ("(self, n)", "(self, *, n)", [(B, "n can be given by name alone")]),
        ("(self, *, n)", "(self, n)", [(M, "n can be given by position too")]),
        ("(self, n)", "(self, n, /)",
         [(B, "self can no longer be given by name"), (B, "n can no longer be given by name")]),
        ("(self, *rest)", "(self)", [(B, "no longer takes *rest")]),
        ("(self, n)", "(self, n: int)", [(M, "other annotations: n")]),
        ("(self) -> int", "(self) -> str", [(M, "the result is annotated otherwise")]),
        ("(self) -> int", "(self)", [(M, "the result is annotated no more")]),
    ],
)  # fmt: skip
def test_what_differs(old: str, new: str, expected: list[tuple[Impact, str]]) -> None:
    found = compare_signatures(function(old), function(new))
    assert [(one.impact, one.message) for one in found] == expected


@pytest.mark.parametrize(
    "signature", ["(self)", "(self, n: int = 1, *rest, pad=None, **more) -> int", "(a, /, b)"]
)
def test_nothing_differs(signature: str) -> None:
    assert compare_signatures(function(signature), function(signature)) == ()


def test_layout_and_quotes_do_not_count() -> None:
    old, new = function("(self, name='a')"), function('(\n    self,\n    name="a",\n)')
    assert compare_signatures(old, new) == ()


def test_only_annotations_are_marked_as_such() -> None:
    found = compare_signatures(function("(n)"), function("(n: int, pad=0) -> int"))
    assert [one.annotation for one in found] == [False, True, True]


def test_rendering_and_defaults() -> None:
    node = function("(self, n: int = 1, *, pad=None) -> None")
    assert render_signature(node) == "(self, n: int=1, *, pad=None) -> None"
    assert read_defaults(node) == {"n": "1", "pad": "None"}
