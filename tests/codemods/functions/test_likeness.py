"""How alike two statements are."""

from __future__ import annotations

import re

import pytest

from omni_codemods.functions.likeness import (
    THRESHOLD,
    defined_name,
    dice,
    head_likeness,
    likeness,
    main_clause,
)
from omni_codemods.functions.tree import Node, parse_function
from parsed import body_of, node, tree_of


def first(text: str) -> Node:
    return body_of(tree_of(f"{text}\npass"))[0]


def alike(one: str, other: str) -> float:
    left, right = first(one), first(other)
    assert likeness(left, right) == likeness(right, left)
    return likeness(left, right)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f(a, b)", "f(\n    a,\n    b,\n)"),
        ("x = 'a'  # one", 'x = "a"'),
        ("if a:\n    b", "if (a):\n\n    b"),
        ("# note", "# note"),
        ("def g():\n    a", "def g():\n    # why\n    a"),
    ],
)
def test_the_same_code_is_1(one: str, other: str) -> None:
    assert alike(one, other) == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = f(a, b)", "x = f(a, b, c)"),
        ("x = f(a)", "x = g(b, c)"),
        ("self.model.forward(hidden, rows)", "self.model.forward(hidden, rows, mask)"),
        ("return f(a, b)", "return f(a, c)"),
        ("if a and b:\n    f(x)", "if a:\n    f(x)"),
        ("with lock:\n    f(x)\n    g(y)", "with lock:\n    f(x)"),
        ("for x in y:\n    f(x)", "for z in y:\n    f(z)"),
        ("def g(a):\n    f(a)", "def g(a, b):\n    h(b)"),
        ("# keep the order of rows", "# keep the order of all rows"),
        ("x: int = f(a)", "x: float = f(a)"),
    ],
)
def test_a_version_of_it_is_above_the_threshold(one: str, other: str) -> None:
    assert THRESHOLD <= alike(one, other) < 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assert rows in mode", "self.mode = rows"),
        ("if rows in mode:\n    f(x)", "if rows in self.mode:\n    f(x)"),
        ("for row in mode:\n    f(mode)", "for row in mode:\n    f(self.mode)"),
    ],
)
def test_an_attribute_is_not_a_variable_of_its_name(one: str, other: str) -> None:
    def rename(text: str) -> str:
        return re.sub(r"(?<!\.)mode", "plan", text)

    assert alike(one, other) == alike(rename(one), rename(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = f(a)", "self.close()"),
        ("return a", "a = b"),
        ("return a", "raise a"),
        ("return self.model(rows, mask)", "self.model(rows, mask)"),
        ("pass", "continue"),
        ("f(a)", "# f(a)"),
        ("f(a)", "if f(a):\n    pass"),
        ("import a", "from a import b"),
        ("with lock:\n    f(x)\n    g(y)", "for a in b:\n    c(d)"),
        ("# about rows", "# what else"),
        ("try:\n    f(x)\nexcept E:\n    pass", "with a:\n    g(y)"),
    ],
)
def test_other_code_is_below_the_threshold(one: str, other: str) -> None:
    assert alike(one, other) < THRESHOLD


def test_what_is_assigned_to_brings_statements_together() -> None:
    same = alike("x = f(a, b)", "x = g(c)")
    other = alike("x = f(a, b)", "y = g(c)")
    assert same > other


def test_a_fence_is_like_no_other_comment() -> None:
    left, right = first("# keep the talker here"), first("# keep the talker there")
    assert likeness(left, right) >= THRESHOLD
    left.fence = True
    assert likeness(left, right) == 0.0


def test_an_if_may_be_the_elif_it_was() -> None:
    left = node(tree_of("if a:\n    f(x)"), "if a")
    right = node(tree_of("if b:\n    c\nelif a:\n    f(x)"), "elif a")
    assert likeness(left, right) > THRESHOLD


@pytest.mark.parametrize(("one", "other"), [("else", "finally"), ("else", "except E")])
def test_clauses_of_other_words_are_other_clauses(one: str, other: str) -> None:
    text = "try:\n    f(x)\nexcept A:\n    a\n"
    clauses = [
        body_of(tree_of(text + f"{word}:\n    same(y)"))[0].children[-1] for word in (one, other)
    ]
    assert likeness(*clauses) == 0.0


def test_head_likeness_looks_at_own_tokens_only() -> None:
    left = node(tree_of("if a:\n    b"), "if a")
    assert head_likeness(left, node(tree_of("if a:\n    c"), "if a")) == 1.0
    assert head_likeness(left, node(tree_of("if z:\n    b"), "if z")) == pytest.approx(2 / 3)


def test_dice() -> None:
    sets = [frozenset[object](x) for x in ("", "ab", "bc", "ab")]
    assert dice(sets[0], sets[0]) == 1.0
    assert dice(sets[0], sets[1]) == 0.0
    assert dice(sets[1], sets[2]) == 0.5
    assert dice(sets[1], sets[3]) == 1.0


def test_the_main_clause_stands_behind_the_decorators() -> None:
    root = parse_function("@a\n@b\ndef f():\n    c\n").root
    assert main_clause(root).word == "def"
    assert main_clause(first("if a:\n    b\nelse:\n    c")).word == "if"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def g():\n    a", "g"),
        ("async def g():\n    a", "g"),
        ("@d\nclass K(B):\n    a", "K"),
        ("if g():\n    a", ""),
        ("g()", ""),
    ],
)
def test_defined_name(text: str, name: str) -> None:
    assert defined_name(first(text)) == name
