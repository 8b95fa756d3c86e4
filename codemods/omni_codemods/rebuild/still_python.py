"""Whether what was printed is Python, whichever way its conflicts are resolved."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.function_names import NO_FUNCTION, function_names
from omni_codemods.names.reads import as_module
from omni_codemods.replay.printing.lines import Rendered, both_texts
from omni_codemods.text.parsing import find_tree
from omni_codemods.text.walks import walk


def is_statement(node: Node, text: str) -> bool:
    """Whether a merged statement or header is Python by itself."""
    if node.kind is Kind.CLAUSE:
        lead = {"elif": "if x:\n pass\n", "else": "if x:\n pass\n", "case": "match x:\n "}
        lead |= dict.fromkeys(("except", "finally"), "try:\n pass\n")
        text = f"{lead.get(node.word, '')}{textwrap.dedent(text).rstrip()}\n  pass\n"
        return is_function(text)
    return is_function(as_module(text))


def parses(rendered: Rendered, margin: str = "") -> bool:
    """Whether *rendered* is Python, its conflicts resolved to either side."""
    # Without conflicts the two are the same text, which is read once; and only a merge can have
    # brought together two arguments of one name.
    sides = set(both_texts(rendered, margin))
    merged = rendered.merged.items()
    return all(map(is_python, sides)) and all(is_statement(n, text) for n, text in merged)


def is_function(text: str) -> bool:
    """Whether *text* is Python, and no call or function in it has two arguments of one name."""
    tree = find_tree(text)
    if tree is None:
        return False
    return not any(_names_twice(node) for node in walk(tree))


def is_python(text: str) -> bool:
    """Whether a function is Python, of whatever version."""
    return function_names(text) is not NO_FUNCTION


def _names_twice(node: ast.AST) -> bool:
    """Whether a parameter or a keyword stands there twice, which the parser lets pass."""
    names: list[str | None] = []
    if isinstance(node, ast.arguments):
        every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
        names = [a.arg for a in every if a is not None]
    elif isinstance(node, ast.Call):
        names = [name for k in node.keywords for name in _keywords(k)]
    return len(names) != len(set(names))


def _keywords(keyword: ast.keyword) -> Iterator[str]:
    """The names that an argument gives: its own, or those of a dict spelled out behind ``**``."""
    if keyword.arg is not None:
        yield keyword.arg
    elif isinstance(keyword.value, ast.Dict):
        for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value
            elif key is None:
                yield from _keywords(ast.keyword(None, value))
