"""Which names code reads, and which it binds."""

from __future__ import annotations

import pytest

from omni_codemods.names.reads import as_module, names_of
from parsed import body_of, tree_of


def names(text: str) -> tuple[set[str], set[str]]:
    found = names_of(body_of(tree_of(text))[0].text())
    return set(found.reads), set(found.binds)


@pytest.mark.parametrize(
    ("text", "reads", "binds"),
    [
        ("x = y", {"y"}, {"x"}),
        ("x += y", {"y"}, {"x"}),
        ("x: T = y", {"T", "y"}, {"x"}),
        ("x, (y, *z) = f()", {"f"}, {"x", "y", "z"}),
        ("self.x = self.y", {"self", "self.y"}, {"self.x"}),
        ("self.x.y = 1", {"self", "self.x"}, set()),
        ("x[i] = y", {"x", "i", "y"}, set()),
        ("f(x, k=y)", {"f", "x", "y"}, set()),
        ("if (n := f()):\n    pass", {"f"}, {"n"}),
        ("for x in y:\n    z = x", {"y", "x"}, {"x", "z"}),
        ("with f() as (a, b):\n    pass", {"f"}, {"a", "b"}),
        ("try:\n    pass\nexcept E as e:\n    pass", {"E"}, {"e"}),
        ("def g(a):\n    return a", {"a"}, {"g"}),
        ("class K(B):\n    pass", {"B"}, {"K"}),
        ("import a.b", set(), {"a"}),
        ("import a.b as c", set(), {"c"}),
        ("from a import b, c as d", set(), {"b", "d"}),
        ("del x", set(), {"x"}),
        ("pass", set(), set()),
        ("'text'", set(), set()),
    ],
)
def test_names(text: str, reads: set[str], binds: set[str]) -> None:
    assert names(text) == (reads, binds)


def test_what_cannot_be_parsed_alone_has_no_names() -> None:
    clause = body_of(tree_of("if a:\n    b\nelse:\n    c"))[0].children[1]
    assert names_of(clause.text()).reads == frozenset()


def test_indented_code_is_put_under_a_header() -> None:
    assert as_module("x = 1\n") == "x = 1\n"
    assert as_module("    x = '''\ny'''\n") == "if 1:\n    x = '''\ny'''\n"
    assert as_module("\tx\n") == "if 1:\n\tx\n"
