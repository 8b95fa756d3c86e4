from __future__ import annotations

import ast

import pytest

from omni_codemods.impact.uses import iter_imports, iter_uses


def uses(text: str, parent: str = "mine") -> list[tuple[str, int]]:
    return [(use.path, use.line) for use in iter_uses(ast.parse(text), parent)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from up.a import f\nf(1)\n", [("up.a.f", 2)]),
        ("from up.a import f as g\ng(1)\n", [("up.a.f", 2)]),
        ("import up.a\nup.a.f(1)\n", [("up.a.f", 2)]),
        ("import up.a as a\na.f(1)\n", [("up.a.f", 2)]),
        ("from up import a\na.Mode.FULL.value\n", [("up.a.Mode.FULL.value", 2)]),
        ("from . import a\na.f\n", [("mine.a.f", 2)]),
        ("import up.a\nup.a.f = patched\n", [("up.a.f", 2)]),
        ("from up.a import f, g\nf(g)\n", [("up.a.f", 2), ("up.a.g", 2)]),
        ("from up.a import B\nclass C(B[int]):\n    x = B\n", [("up.a.B", 2), ("up.a.B", 3)]),
        ("def h():\n    from up.a import f\n    return f()\n", [("up.a.f", 3)]),
        ("try:\n    from up.a import f\nexcept ImportError:\n    f = None\nf()\n", [("up.a.f", 5)]),
    ],
)
def test_uses(text: str, expected: list[tuple[str, int]]) -> None:
    assert uses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "from up.a import f\n",
        "from up.a import f\ndef g(f):\n    return f()\n",
        "from up.a import f\ndef g():\n    f = 1\n    return f\n",
        "from up.a import f\nx.f\n",
        "from up.a import f\nx(f=1)\n",
        "def g():\n    from up.a import f\n\ndef h():\n    return f\n",
    ],
)
def test_no_uses(text: str) -> None:
    assert uses(text) == []


def test_what_a_use_does() -> None:
    text = """\
from up.a import State
def f(x: State) -> State:
    y: State = g()
    isinstance(x, (int, State))
    State(a=1)
    State(1, b=State)
class Mine(State):
    pass
"""
    found = iter_uses(ast.parse(text), "mine")
    said = [(use.line, use.passive, use.made, use.placed) for use in found]
    assert sorted(said) == [
        (2, True, False, False),
        (2, True, False, False),
        (3, True, False, False),
        (4, True, False, False),
        (5, False, True, False),
        (6, False, False, False),
        (6, False, True, True),
        (7, False, True, True),
    ]


def test_imports_under_a_guard_are_not_sure() -> None:
    text = """\
import up.a
if x:
    from up.b import f
try:
    from up.c import g
except ImportError:
    g = None
class C:
    from up.d import h
def inside():
    from up.e import i
"""
    found = iter_imports(ast.parse(text), "")
    assert [(one.name, one.path, one.line, one.sure) for one in found] == [
        ("up", "up", 1, True),
        ("f", "up.b.f", 3, False),
        ("g", "up.c.g", 5, False),
        ("h", "up.d.h", 9, True),
    ]
