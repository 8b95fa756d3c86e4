"""A statement taken apart: every token is in one atom or group, comments with their element."""

from __future__ import annotations

import pytest

from omni_codemods.functions.bracket_fences import fence_kind
from omni_codemods.functions.brackets import Atom, Element, Group, Part
from omni_codemods.functions.statement_brackets import parse_statement_parts
from parsed import statement


def parts(text: str) -> list[Part]:
    return parse_statement_parts(statement(text))


def group(text: str) -> Group:
    """The first group of *text*."""
    return next(p for p in parts(text) if isinstance(p, Group))


def shape(text: str) -> list[str]:
    return ["".join(p.brackets) if isinstance(p, Group) else p.text for p in parts(text)]


def elements(text: str) -> list[str]:
    return [e.text for e in group(text).elements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = f(a, b)", ["x", "=", "f", "()"]),
        ("f(a)[b](c)", ["f", "()", "[]", "()"]),
        ("x = {a: b}", ["x", "=", "{}"]),
        ("return a", ["return", "a"]),
        ("return a, b", ["return", "()"]),
        ("return (a, b)", ["return", "()"]),
        ("a, b = f()", ["()", "=", "f", "()"]),
        ("(a, b) = f()", ["()", "=", "f", "()"]),
        ("a, b = c, d = x", ["()", "=", "()", "=", "x"]),
        ("with a:\n    pass", ["with", "()", ":"]),
        ("with a as b, c as d:\n    pass", ["with", "()", ":"]),
        ("with (\n    a as b,\n    c as d,\n):\n    pass", ["with", "()", ":"]),
        ("for x in f(a):\n    pass", ["for", "x", "in", "f", "()", ":"]),
        ("x = lambda a, b: c", ["x", "=", "lambda", "a", ",", "b", ":", "c"]),
        ("x = a,", ["x", "=", "a", ","]),
        ("import a, b", ["import", "a", ",", "b"]),
    ],
)
def test_atoms_and_groups(text: str, expected: list[str]) -> None:
    assert shape(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = f( a ,b )  + c",
        "return a, \\\n    b",
        "with a as b, c as d:\n    pass",
        "x = f(\n    a,  # one\n    # two\n    b,\n)[c]",
        "async with f(a):\n    pass",
        "def f(a: int = 1, *, b=(1, 2)) -> dict[str, int]:\n    pass",
        "x = '''a\n  b''', c",
        "x = y = a, b",
        "assert a, b",
    ],
)
def test_gaps_and_texts_make_the_statement(text: str) -> None:
    node = statement(text)
    joined = "".join(f"{p.gap}{p.text}" for p in parse_statement_parts(node))
    assert joined == "".join(node.lines).strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", []),
        ("f(a)", ["a"]),
        ("f(a,)", ["a"]),
        ("f(a, b=c, *d, **e)", ["a", "b=c", "*d", "**e"]),
        ("f((a, b), c)", ["(a, b)", "c"]),
        ("f(x for x in (a, b))", ["x for x in (a, b)"]),
        ("f(lambda: (a, b))", ["lambda: (a, b)"]),
        ("x = {a: b, **c}", ["a: b", "**c"]),
        ("return a, b.c(d, e)", ["a", "b.c(d, e)"]),
        ("with a as b, c():\n    pass", ["a as b", "c()"]),
        ("def f(a, /, b: int = 1, *, c):\n    pass", ["a", "/", "b: int = 1", "*", "c"]),
    ],
)
def test_elements_are_cut_at_their_own_commas(text: str, expected: list[str]) -> None:
    assert elements(text) == expected


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("f(a, b=c)", ["", "b="]),
        ("f(*a, **b)", ["", ""]),
        ("f(a == b, c.d)", ["", ""]),
        ("x = {'k': v, \"k2\": v, 1: v, a: v}", ['"k":', '"k2":', "1:", "a:"]),
        ("def f(a, b: int = 1, *, c=2):\n    pass", ["", "b=", "", "c="]),
        ("x = [a, b]", ["", ""]),
    ],
)
def test_keys(text: str, keys: list[str]) -> None:
    assert [e.key for e in group(text).elements] == keys


def comments(element: Element) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    return element.lead, element.trail, element.post


def test_comments_stay_with_their_element() -> None:
    found = group("f(  # head\n    # lead a\n    a,  # trail a\n    b  # trail b\n    # post b\n)")
    assert found.head == "# head"
    assert [comments(e) for e in found.elements] == [
        (("# lead a",), "# trail a", ()),
        ((), "# trail b", ("# post b",)),
    ]
    assert found.foot == ()


def test_comments_behind_the_last_comma_are_the_foot() -> None:
    found = group("f(\n    a,\n    # foot\n)")
    assert found.foot == ("# foot",)
    assert comments(found.elements[0]) == ((), "", ())


def test_comments_in_an_empty_bracket_are_kept() -> None:
    found = group("f(\n    # nothing\n)")
    assert found.elements == ()
    assert found.foot == ("# nothing",)


def test_a_closing_fence_belongs_to_the_element_before_it() -> None:
    found = group("f(\n    # PATCH START: x\n    a,\n    # PATCH END: x\n    # why\n    b,\n)")
    assert [comments(e) for e in found.elements] == [
        (("# PATCH START: x",), "", ("# PATCH END: x",)),
        (("# why",), "", ()),
    ]


def test_a_closing_fence_behind_the_last_element() -> None:
    found = group("f(\n    # PATCH START: x\n    a,\n    # PATCH END: x\n)")
    assert found.elements[0].post == ("# PATCH END: x",)
    assert found.foot == ()


@pytest.mark.parametrize(
    ("text", "own", "comma", "closes"),
    [
        ("f(a, b)", [False, False], False, False),
        ("f(\n    a,\n    b,\n)", [True, True], True, True),
        ("f(a,\n  b)", [False, True], False, False),
        ("f(\n    a, b\n)", [True, False], False, True),
        ("f(a, b,)", [False, False], True, False),
    ],
)
def test_layout(text: str, own: list[bool], comma: bool, closes: bool) -> None:
    found = group(text)
    assert [e.own_line for e in found.elements] == own
    assert found.trailing_comma is comma
    assert found.closes_own_line is closes


def test_a_moved_group_takes_its_lines_along_but_no_strings() -> None:
    found = group("f(\n    a,\n    '''b\n  c''',\n)")
    assert found.moved("        ") == "(\n            a,\n            '''b\n      c''',\n        )"


def test_an_atom_never_moves() -> None:
    first = parts("x = 1")[0]
    assert isinstance(first, Atom)
    assert first.moved("        ") == "x"
    assert first.first.text == "x"


@pytest.mark.parametrize(
    ("comment", "kind"),
    [
        ("# ---- Omni-new ----", "opening"),
        ("# PATCH START: x", "opening"),
        ("# PATCH END: x", "closing"),
        ("# Omni-new", "trailing"),
        ("# " + "-" * 40, ""),
        ("# why", ""),
    ],
)
def test_fence_kind(comment: str, kind: str) -> None:
    assert fence_kind(comment) == kind
