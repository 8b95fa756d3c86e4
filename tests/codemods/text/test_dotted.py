from __future__ import annotations

import ast
import importlib.util

import pytest

from omni_codemods.text.dotted import (
    absolute,
    first_part,
    imported_module,
    last_part,
    module_of,
    owner_of,
)


@pytest.mark.parametrize(
    ("name", "first", "owner", "last"),
    [("a.b.c", "a", "a.b", "c"), ("a", "a", "", "a"), ("", "", "", "")],
)
def test_the_parts_of_a_name(name: str, first: str, owner: str, last: str) -> None:
    assert (first_part(name), owner_of(name), last_part(name)) == (first, owner, last)


@pytest.mark.parametrize("name", ["x.y", ".", "..", ".m", "..m.n", "..."])
def test_a_relative_name_is_what_python_makes_of_it(name: str) -> None:
    assert absolute(name, "a.b.c") == importlib.util.resolve_name(name, "a.b.c")


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("from x.y import z", "x.y"),
        ("from . import z", "a.b"),
        ("from .m import z", "a.b.m"),
        ("from ..m import z", "a.m"),
    ],
)
def test_what_a_from_import_names(statement: str, module: str) -> None:
    (node,) = ast.parse(statement).body
    assert isinstance(node, ast.ImportFrom)
    assert imported_module(node, "a.b") == module


@pytest.mark.parametrize(
    ("path", "module"),
    [("a/b/c.py", "a.b.c"), ("a/b/__init__.py", "a.b"), ("a.py", "a"), ("a/b", "a.b")],
)
def test_the_module_that_a_file_is(path: str, module: str) -> None:
    assert module_of(path) == module
