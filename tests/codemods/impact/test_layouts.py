from __future__ import annotations

import ast

import pytest

from omni_codemods.impact.layouts import compare_layouts
from omni_codemods.impact.model import Impact

M, B = Impact.MECHANICAL, Impact.BEHAVIORAL
HEADS = (
    "class State(NamedTuple):",
    "@dataclass\nclass State:",
    "@dataclass(frozen=True)\nclass State:",
)


def fields(body: str, head: str = HEADS[0]) -> ast.ClassDef:
    lines = "".join(f"    {line}\n" for line in body.split("; "))
    node = ast.parse(f"{head}\n{lines}").body[0]
    assert isinstance(node, ast.ClassDef)
    return node


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a: int; b: int", "a: int; b: int; c: int = 0", [(M, "also has c = 0")]),
        ("a: int; b: int", "a: int; b: int; c: int", [(B, "also wants c")]),
        ("a: int; b: int", "a: int; c: int; b: int",
         [(B, "has c before others: positions shift")]),
        ("a: int; b: int", "a: int", [(B, "no longer has b")]),
        ("a: int; b: int", "b: int; a: int", [(B, "has b in another place of the order")]),
        ("a: int = 1", "a: int = 2", [(B, "a is 2 (was 1)")]),
        ("a: int = 1", "a: int", [(B, "a has no default any more")]),
        ("a: int", "a: int = 1", [(M, "a has a default: 1")]),
    ],
)  # fmt: skip
def test_fields(old: str, new: str, expected: list[tuple[Impact, str]], head: str) -> None:
    found = compare_layouts(fields(old, head), fields(new, head))
    assert [(one.impact, one.message) for one in found] == expected


def test_order_alone_is_marked() -> None:
    found = compare_layouts(fields("a: int; b: int"), fields("a: int; c: int = 0; b: int = 0"))
    assert [one.order for one in found] == [True, False]
    (wanted,) = compare_layouts(fields("a: int; b: int"), fields("a: int; c: int; b: int"))
    assert not wanted.order


def test_members_of_an_enumeration() -> None:
    head = "class Mode(Enum):"
    found = compare_layouts(fields("NONE = 0; FULL = 1", head), fields("NONE = 0; FULL = 2", head))
    assert [one.message for one in found] == ["FULL is 2 (was 1)"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (fields("a: int"), fields("a: str")),  # an annotation is no layout
        (fields("a: int", "class Plain:"), fields("b: int", "class Plain:")),
        (fields("a: int"), fields("b: int", "class State:")),
    ],
)
def test_nothing(old: ast.ClassDef, new: ast.ClassDef) -> None:
    assert compare_layouts(old, new) == ()
