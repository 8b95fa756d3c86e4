"""Walks over a parsed file that enter only what can hold what they look for."""

from __future__ import annotations

import ast
import symtable
import textwrap

import pytest
from hypothesis import given

from omni_codemods.text.walks import (
    iter_annotations,
    iter_bound,
    iter_statements,
    lines_with,
    mentions,
    start_line,
)
from shapes import Method, render_method
from strategies import methods

MODULE = '''\
"""A module that names rows."""
import os
from a import b as c, rows

LIMIT: int = 8
first, *rest = pair
count += 1
if ready := check():
    late = 1
for index, item in enumerate(rest):
    pass
else:
    done = True
while late:
    late -= 1
try:
    import fast
except ImportError as error:
    fast = None
finally:
    end = 1
with lock as held, other:
    inside = 1
match value:
    case {"a": one, **others}:
        pass
    case [two, *three] | [two, three]:
        pass
    case Point(x=four) as whole:
        pass
del gone
squares = [n for n in rest]
key = lambda argument: argument


@decorate
def run(self, batch):
    global shared
    own = batch


class Runner(Base):
    field = 1

    def method(self):
        pass
'''


def assigned(text: str) -> set[str]:
    """The names that the module binds by other means than an import, by the compiler's account."""
    table = symtable.symtable(text, "module", "exec")
    return {
        s.get_name()
        for s in table.get_symbols()
        if (s.is_assigned() or s.is_namespace()) and not s.get_name().startswith(".")
    }


def test_bound_names_are_those_of_the_compiler() -> None:
    inlined = {"n"}  # of a comprehension: the compiler counts it as the module's from 3.12 on
    assert set(iter_bound(ast.parse(MODULE).body)) == assigned(MODULE) - inlined


@given(methods())
def test_bound_names_of_any_code_are_those_of_the_compiler(method: Method) -> None:
    lines = render_method(method).splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.rstrip().endswith(":"))
    text = textwrap.dedent("".join(lines[start + 1 :])).replace("return None", "pass")
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a string that stands further left than the body
        return
    assert set(iter_bound(tree.body)) == assigned(text)


def test_statements_come_from_everywhere() -> None:
    tree = ast.parse(MODULE)
    found = list(iter_statements(tree.body))
    assert set(found) == {n for n in ast.walk(tree) if isinstance(n, ast.stmt)}
    assert [n.lineno for n in found] == sorted(n.lineno for n in found)


def test_annotations() -> None:
    text = """\
def run(self, a: A, /, b: B = 1, *c: C, d: D, **e: E) -> F:
    x: X = 1
    class Inner:
        y: Y
        async def go(self) -> Z: ...
    try:
        pass
    except E:
        v: V = 2
"""
    found = [ast.unparse(note) for note in iter_annotations(ast.parse(text))]
    assert found == ["A", "B", "D", "C", "E", "F", "X", "Y", "Z", "V"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("rows\nrow\nself.rows, rows\n# rows\n", [1, 3, 3, 4]),
        ("a\r\nrows\rrows\n", [2, 3]),
        ("rows_1 = my_rows\n", []),
        ("", []),
    ],
)
def test_lines_with(text: str, lines: list[int]) -> None:
    assert lines_with(text, "rows") == lines


@pytest.mark.parametrize(
    ("text", "quoted", "expected"),
    [
        ("f(rows)", False, True),
        ("rows = 1", False, True),
        ("f(x.rows, rows=1)", False, False),
        ("'rows'", False, False),
        ("'rows'", True, True),
        ("'all rows'", True, False),
        ("# rows\nf(x)", True, False),
        ("f'{rows}'", False, True),
        ("f'''\n{x}\n{rows:>4}\n'''", False, True),
        ("f'rows'", False, False),
        ("@rows\ndef f(): pass", False, True),
        ("def f(a: rows = 1): pass", False, True),
        ("def f(a=rows): pass", False, True),
        ("x = [\n    n\n    for n in rows\n]", False, True),
        ("match x:\n    case rows.A:\n        pass", False, True),
        ("try:\n    pass\nexcept rows:\n    pass", False, True),
        ("with a as rows:\n    pass", False, True),
        ("f(\n    a,\n    **rows,\n)", False, True),
    ],
)
def test_mentions(text: str, quoted: bool, expected: bool) -> None:
    tree = ast.parse(text)
    assert mentions(tree, "rows", lines_with(text, "rows"), quoted=quoted) is expected
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    assert quoted or ("rows" in names) is expected


def test_start_line() -> None:
    decorated, plain = ast.parse("@a\n@b\ndef f(): pass\nx = 1").body
    assert (start_line(decorated), start_line(plain)) == (1, 4)
