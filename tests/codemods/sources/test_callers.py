from __future__ import annotations

import ast

import pytest

from omni_codemods.sources.callers import find_calls


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("x.go(1, b=2)\n", ["_(1, b=2)"]),
        ("go(f(')'), '''(''')\n", ["_(f(')'), '(')"]),
        ("go(\n    a,  # one )\n    b,\n)\n", ["_(a, b)"]),
        ("x.go(1)\ny.go(1)\n", ["_(1)"]),
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
    assert [ast.unparse(one) for one in find_calls("go", [text])] == calls
