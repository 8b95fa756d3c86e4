"""Import statements as nodes."""

from __future__ import annotations

import libcst as cst
import pytest

from omni_codemods.names.import_nodes import (
    AnyImport,
    edit_import,
    make_import,
    with_item,
    with_module,
    without_item,
)
from omni_codemods.names.import_text import with_new_item


@pytest.mark.parametrize("text", ["import a.b", "import a as b", "from a.b import c as d"])
def test_made(text: str) -> None:
    words = text.split()
    asname = words[-1] if "as" in words else ""
    name = words[3] if words[0] == "from" else ""
    assert cst.Module([]).code_for_node(make_import(words[1], name, asname)) == text


@pytest.mark.parametrize("module", ["a.b", ".", "..a"])
def test_module(module: str) -> None:
    def edit(node: AnyImport) -> AnyImport:
        return with_module(cst.ensure_type(node, cst.ImportFrom), module)

    assert edit_import("from .x  import (a)", edit) == f"from {module}  import (a)"


def test_item() -> None:
    def edit(node: AnyImport) -> AnyImport:
        return with_item(cst.ensure_type(node, cst.ImportFrom), 1, "f", "e")

    assert edit_import("from a.b import c, d as e", edit) == "from a.b import c, f as e"


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
    comments: list[str] = []

    def edit(node: AnyImport) -> AnyImport:
        left, gone = without_item(cst.ensure_type(node, cst.ImportFrom), index)
        comments.append(gone)
        return left

    assert edit_import(text, edit) == result
    assert comments == [comment]


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
