"""Syntax from 3.11 to 3.14 is read under every Python, and what is no Python is not."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.text.newer import parse, symbol_table

NEWER = {
    "except*": "try: pass\nexcept* ValueError as e: pass\n",
    "a star in an index": "a[*b, 1]\n",
    "a star in an annotation": "def f(*args: *Ts): pass\n",
    "a type alias": "type A[T: int, *Ts, **P] = dict[T, A]\n",
    "type parameters": "class A[T]:\n    def f[S: T = int](self, x: S) -> S: return x\n",
    "same quotes in an f-string": 'x = f"{a["b"]}"\n',
    "a backslash in an f-string": "x = f\"{'\\n'.join(a)}\"\n",
    "a comment in an f-string": 'x = f"""{\n    a  # why\n}"""\n',
    "a t-string": 'x = t"{a} {b!r:>{c}}" + rt"\\d"\n',
    "except without parentheses": "try: pass\nexcept A, B: pass\n",
    "except* without parentheses": "try: pass\nexcept* A, B: pass\n",
}


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_newer(text: str) -> None:
    tree = parse(text)
    assert tree.body
    table, _ = symbol_table(text, "x")
    assert table.get_identifiers()


@pytest.mark.parametrize(
    "rest",
    [
        "f() = 1",
        "def f(:",
        "f(a=1, 2)",
        "x = (",
        "None = 1",
        "def f(a, a): pass",
        "return = 3",
        "a, b += 1",
    ],
)
@pytest.mark.parametrize("text", ["", NEWER["a type alias"], NEWER["a t-string"]])
def test_not_python(text: str, rest: str) -> None:
    with pytest.raises(SyntaxError):
        symbol_table(f"{text}{rest}\n", "x")


def test_names_of_type_parameters() -> None:
    table, exact = symbol_table(NEWER["type parameters"], "x")
    scopes = [table]
    found: set[str] = set()
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        found |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
    if not exact:
        assert found - {"A"} <= {"int"}


def test_places_in_f_strings() -> None:
    tree = parse('x = f"{a["b"]} é{c}"\n')
    names = {n.id: n.col_offset for n in ast.walk(tree) if isinstance(n, ast.Name)}
    assert names == {"x": 0, "a": 7, "c": 18}
