"""The text of one from-import."""

from __future__ import annotations

import pytest

from omni_codemods.names.import_text import (
    parse_layout,
    with_item,
    with_module,
    with_new_item,
    without_item,
)


def test_layout() -> None:
    text = "from .a . b import (  # why\n    x as y,  # own\n    # about z\n    z\n)"
    layout = parse_layout(text)
    assert text[layout.module_start : layout.module_end] == ".a . b"
    assert layout.parenthesized
    assert [(item.name, item.asname, item.comment) for item in layout.items] == [
        ("x", "y", "# own"),
        ("z", None, ""),
    ]
    assert [text[item.start : item.end] for item in layout.items] == ["x as y", "z"]


def test_a_name_that_is_a_keyword_of_imports_elsewhere() -> None:
    layout = parse_layout("from a.imports import importer as as_")
    assert [(item.name, item.asname) for item in layout.items] == [("importer", "as_")]


def test_module_and_item() -> None:
    text = "from a.b import c, d as e"
    assert with_module(text, "x") == "from x import c, d as e"
    assert with_item(text, 1, "f as e") == "from a.b import c, f as e"


@pytest.mark.parametrize(
    ("text", "index", "result", "comment"),
    [
        ("from a import b, c", 0, "from a import c", ""),
        ("from a import b, c", 1, "from a import b", ""),
        ("from a import (b, c,)", 1, "from a import (b,)", ""),
        ("from a import (b, c,)", 0, "from a import (c,)", ""),
        ("from a import b, \\\n    c", 1, "from a import b", ""),
        ("from a import b, \\\n    c", 0, "from a import c", ""),
        ("from a import (\n  b,  # one\n  c,\n)", 0, "from a import (\n  c,\n)", "# one"),
        ("from a import (\n  b,\n  c  # two\n)", 1, "from a import (\n  b\n)", "# two"),
        ("from a import (\n  b, c,\n  d,\n)", 1, "from a import (\n  b,\n  d,\n)", ""),
        ("from a import (b,\n  c)", 1, "from a import (b)", ""),
        ("from a import (b,\n  c)", 0, "from a import (c)", ""),
    ],
)
def test_without(text: str, index: int, result: str, comment: str) -> None:
    assert without_item(text, index) == (result, comment)
    parse_layout(result)


@pytest.mark.parametrize(
    ("text", "spelling", "result"),
    [
        ("from a import b", "c", "from a import b, c"),
        ("from a import c", "b", "from a import b, c"),
        ("from a import (b)", "c", "from a import (b, c)"),
        ("from a import (b,)", "c", "from a import (b, c,)"),
        ("from a import (\n  b,\n)", "c as d", "from a import (\n  b,\n  c as d,\n)"),
        ("from a import (\n  c,\n)", "b", "from a import (\n  b,\n  c,\n)"),
        ("from a import b, \\\n    d", "c", "from a import b, \\\n    c, d"),
    ],
)
def test_with_new_item(text: str, spelling: str, result: str) -> None:
    assert with_new_item(text, spelling, "\n") == result
