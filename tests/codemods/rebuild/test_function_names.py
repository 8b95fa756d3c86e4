"""The names of a function, and what a module binds."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.names.function_names import function_names
from omni_codemods.rebuild.settle_imports import find_renamed, module_names


def function(body: str) -> str:
    """A function whose body is the one line, or the lines, *body*."""
    return f"def run(self):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"


@pytest.mark.parametrize(
    ("body", "free", "own"),
    [
        ("return x", {"x"}, {"self"}),
        ("x = y", {"y"}, {"self", "x"}),
        ("x += 1", set(), {"self", "x"}),
        ("global x\nx = 1", {"x"}, {"self"}),
        ("import a.b\nreturn a", set(), {"self", "a"}),
        ("return [x for x in y]", {"y"}, {"self", "x"}),
        ("def g(a=b):\n    return a, c, self", {"b", "c"}, {"self", "g", "a"}),
        ("return lambda a: a + b", {"b"}, {"self", "a"}),
        ("class K(B):\n    c = d", {"B", "d"}, {"self", "K", "c"}),
        ("return len(self), __file__, super()", set(), {"self"}),
        ("x: 'A[B]' = 1", {"A", "B"}, {"self", "x"}),
        ("x: 'not a name!' = 1", set(), {"self", "x"}),
        ("if (n := f()):\n    return n", {"f"}, {"self", "n"}),
        ("try:\n    pass\nexcept E as e:\n    pass", {"E"}, {"self", "e"}),
        ("return a.b.c", {"a"}, {"self"}),
    ],
)
def test_names_of_a_function(body: str, free: set[str], own: set[str]) -> None:
    found = function_names(function(body))
    assert found.free == free
    assert found.own - {"run", ".0"} == own  # .0 is what a comprehension iterates over


def test_decorators_defaults_and_annotations_are_free() -> None:
    text = "    @deco(A)\n    def run(self, a: B = C, *b: 'D') -> E:\n        pass\n"
    assert function_names(text).free == {"deco", "A", "B", "C", "D", "E"}


def test_strings_that_reach_left_of_the_code() -> None:
    assert function_names(
        "    def run(self):\n        x = '''\nleft'''\n        return y\n"
    ).free == {"y"}


def test_what_does_not_parse_has_no_names() -> None:
    assert function_names("def run(:\n") == function_names("def run(\n")


def test_names_of_a_module() -> None:
    text = textwrap.dedent(
        """
        import a.b, c as d
        from e import f as g, h
        from i import *
        x: int = 1
        y = z = 2
        (p, q) = 3, 4
        if TYPE_CHECKING:
            from t import T
        try:
            import fast
        except ImportError:
            fast = None
        else:
            r = 1
        finally:
            s = 1
        for u in v:
            w = 1
        with o() as k:
            m = 1
        def f1(): inner = 1
        class C1:
            inner = 1
        """
    )
    found = module_names(text)
    assert found.stars == ("i",)
    assert found.defined == set("xyzpqrsuwkm") | {"fast", "f1", "C1"}
    assert found.bound - found.defined == {"a", "d", "g", "h", "T"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("if (n := 1):\n    pass\n", "n"),
        ("match x:\n    case 1:\n        n = 1\n", "n"),
    ],
)
def test_other_ways_to_bind_a_name_in_a_module(text: str, name: str) -> None:
    assert name in module_names(text).defined


def test_an_import_of_the_module_itself_is_preferred() -> None:
    found = module_names("if TYPE_CHECKING:\n    from a import N\nfrom b import N\n").find("N")
    assert found is not None
    assert found.value.module == "b"


@pytest.mark.parametrize(
    ("base", "target", "name", "expected"),
    [
        ("a = f(x)", "b = f(x)", "a", "b"),
        ("a = f(x)", "b = f( x )", "a", "b"),
        ("a, c = f(x)", "b, c = f(x)", "a", "b"),
        ("(a, c) = f(x)", "b, d = f(x)", "c", "d"),
        ("a = f(x)", "b = f(y)", "a", None),
        ("a = f(x)", "a = f(x)", "a", None),
        ("a = f(x)", "b = f(x)\nc = f(x)", "a", None),
        ("a = f(x)\nc = f(x)", "b = f(x)", "a", None),
        ("a = f(x)", "self.a = f(x)", "a", None),
        ("a = f(x)", "pass", "a", None),
        ("a, c = f(x)", "c, b = f(x)", "a", "c"),
        ("a = [", "b = [", "a", None),
    ],
)
def test_find_renamed(base: str, target: str, name: str, expected: str | None) -> None:
    assert find_renamed(name, function(base), function(target)) == expected
