from __future__ import annotations

import ast

import pytest

from omni_codemods.sources.callers import enclosing, find_callers


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("x.go(1, b=2)\n", ["_(1, b=2)"]),
        ("go(f(')'), '''(''')\n", ["_(f(')'), '(')"]),
        ("go(\n    a,  # one )\n    b,\n)\n", ["_(a, b)"]),
        ("x.go(1)\ny.go(1)\n", ["_(1)", "_(1)"]),
        ("self.bases[0].go(x=[1, {2: (3,)}])\n", ["_(x=[1, {2: (3,)}])"]),
        ("await x.go(*a, **k)\n", ["_(*a, **k)"]),
        ("f'{x.go(1)}'\n", ["_(1)"]),
        # No calls of it.
        ("def go(a):\n    pass\n", []),
        ("async def go(a):\n    pass\n", []),
        ("class go(A):\n    pass\n", []),
        ("super().go(1)\n", []),
        ("x.ago(1)\n", []),
        ("go (1)\n", []),
        ("x.go(1,\n", []),
        ("go(1 2)\n", []),
    ],
)
def test_the_calls_of_a_name_are_found_without_a_parse(text: str, calls: list[str]) -> None:
    found = find_callers("go", [("m", text)])
    assert [ast.unparse(one.call) for one in found] == calls


@pytest.mark.parametrize(
    ("text", "owner"),
    [("self.go()", "self"), ("a.b.go()", "a.b"), ("go()", ""), ("f().go()", ""), ("A.go(x)", "A")],
)
def test_a_call_says_what_it_is_asked_of(text: str, owner: str) -> None:
    assert [one.owner for one in find_callers("go", [("m", text)])] == [owner]


@pytest.mark.parametrize(
    ("line", "name"), [(1, ""), (3, "f"), (7, "C.go"), (9, "C.go"), (10, ""), (99, "")]
)
def test_what_a_line_stands_in(line: int, name: str) -> None:
    text = "import a\ndef f():\n    g()\n\nclass C:\n    def go(self):\n        def inner():\n"
    text += "            x()\n        y()\n    z()\n"
    assert enclosing(text, line) == name
