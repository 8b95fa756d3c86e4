"""What stands outside of the bodies of functions is the same without them."""

from __future__ import annotations

import ast
import sysconfig
import tokenize
from pathlib import Path

import pytest

from omni_codemods.text.outline import outline
from omni_codemods.text.skim import without_bodies
from omni_codemods.text.walks import iter_bound

LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


def outer(text: str) -> list[str]:
    """The statements outside of functions, with their lines; of a function its header and end."""
    seen: list[str] = []
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        where = (getattr(node, "lineno", 0), getattr(node, "end_lineno", 0))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [node.args, *node.decorator_list, node.returns]
            seen.append(f"{where} {node.name} {[ast.dump(p) for p in parts if p]}")
            continue
        seen.append(f"{where} {type(node).__name__}")
        waiting += ast.iter_child_nodes(node)
    return seen


@pytest.mark.parametrize("path", LIBRARY[::4], ids=lambda path: path.name)
def test_the_rest_is_the_same(path: Path) -> None:
    with tokenize.open(path) as file:
        text = file.read()
    assert outer(without_bodies(text)) == outer(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    a\n    b\nc\n", "def f():\n\n pass\nc\n"),
        ("def f(): a\nb\n", "def f(): a\nb\n"),
        (
            "def f(\n    a=':',  # :\n) -> {1: 2}:\n    b\n",
            "def f(\n    a=':',  # :\n) -> {1: 2}:\n pass\n",
        ),
        ("class C:\n    async def f(self):\n        a\n\n    # last\n    b\n", None),
        ("def f():\n    '''a\nb\n'''\nc\n", "def f():\n\n\n pass\nc\n"),
        ("a = '''\ndef f():\n    b\n'''\n", "a = '''\ndef f():\n    b\n'''\n"),
        ("def f():\n    a\n    # end\n\n\nb\n", "def f():\n pass\n    # end\n\n\nb\n"),
        ("def f():\n    a", "def f():\n pass\n"),
        ("def f():\r\n    a\r\n    b\r\nc\r\n", "def f():\r\n\n pass\nc\r\n"),
        ("if x:\n\tdef f():\n\t\ta\n\tb\n", "if x:\n\tdef f():\n\t pass\n\tb\n"),
        ("x = '\\'#'\ndef f():\n    a\n", "x = '\\'#'\ndef f():\n pass\n"),
        ("\fdef f():\n    a\n", "\fdef f():\n    a\n"),
        ("def f():\r    a\r", "def f():\r    a\r"),
        ("undefined\n", "undefined\n"),
        ("def f(", "def f("),
    ],
)
def test_bodies_go(text: str, expected: str | None) -> None:
    expected = expected or text.replace("        a\n", "     pass\n")
    assert without_bodies(text) == expected


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("def f():\n    a = g(\n1,\n)\n    b\n\n\ndef h(): ...\n", 5),
        ("def f():\n    a = \\\n1\n    b\nc = 1\n", 4),
    ],
    ids=["a bracket", "a continued line"],
)
def test_where_they_cannot_be_told_the_whole_file_is_parsed(text: str, end: int) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(without_bodies(text))
    found = outline(text)
    assert (found.definitions[0].start, found.definitions[0].end) == (1, end)
    assert found.bound == frozenset(iter_bound(ast.parse(text).body))


def test_a_body_need_not_be_python() -> None:
    (found,) = outline("import a\n\n\ndef f():\n    x = = 1\n").definitions
    assert (found.qualname, found.start, found.end) == ("f", 4, 5)
