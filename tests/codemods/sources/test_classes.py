"""What a file shows of its classes."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.sources.classes import inherits, own_methods, same_code, shown_methods

TEXT = """
class Base:
    def one(self): ...
    def two(self): ...

class Runner(Base, elsewhere.Mixin):
    if FAST:
        def three(self): ...
    else:
        def four(self): ...
    def two(self, extra): ...

    def twice(self): return 1
    def twice(self): return 2

class Far(Runner):
    pass

class Loop(Loop):
    def own(self): ...
"""


def test_own_methods_are_those_that_the_class_defines() -> None:
    assert list(own_methods(TEXT, "Runner")) == ["three", "four", "two", "twice"]
    assert ast.unparse(own_methods(TEXT, "Runner")["twice"].body[0]) == "return 2"
    assert own_methods(TEXT, "Far") == {}
    assert own_methods(TEXT, "Missing") == {}


def test_shown_methods_come_from_bases_in_the_file_too() -> None:
    shown = shown_methods(TEXT, "Far")
    assert set(shown) == {"one", "two", "three", "four", "twice"}
    assert len(shown["two"].args.args) == 2
    assert set(shown_methods(TEXT, "Loop")) == {"own"}
    assert shown_methods(TEXT, "Missing") == {}


@pytest.mark.parametrize(
    ("cls", "base", "expected"),
    [
        ("Runner", "Base", True),
        ("Far", "Base", True),
        ("Far", "Mixin", True),
        ("Far", "pkg.Mixin", True),
        ("Base", "Runner", False),
        ("Runner", "Runner", False),
        ("Loop", "Base", False),
        ("Missing", "Base", False),
    ],
)
def test_inherits(cls: str, base: str, expected: bool) -> None:
    assert inherits(TEXT, cls, base) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("def f(a): return a", "def f(a):\n    # why\n    return (a)", True),
        ("def f(a): return a", 'def f(a):\n    """What."""\n    return a', True),
        ("def f(a): return a", "def f(a): return b", False),
        ("def f(a): return a", "def f(b): return a", False),
        ("def f(a): return a", "def f(a=1): return a", False),
        ("def f(a): return a", "async def f(a): return a", False),
        ("def f(a): return a", "@cached\ndef f(a): return a", False),
    ],
)
def test_same_code(one: str, other: str, expected: bool) -> None:
    assert same_code(ast.parse(one).body[0], ast.parse(other).body[0]) is expected
