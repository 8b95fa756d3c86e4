"""Positions in text."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.offsets import index_lines, parse_source
from omni_codemods.text.parsing import parse_module


@pytest.mark.parametrize(
    "text",
    ["a = 1\nbé = '日本', name\n", "a\r\nb\r\nname", "a\rname", "x\n\x0cname\n", "'\u2028', name"],
)
def test_offsets_of_names(text: str) -> None:
    source, tree = parse_source(text)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for node in names:
        start, end = source.span(node)
        assert text[start:end] == node.id
        line, column = source.position(start)
        assert source.starts[line - 1] + column == start
        assert line == node.lineno


def test_newline_of_a_text() -> None:
    assert index_lines("a\r\nb\n").newline == "\r\n"
    assert index_lines("a").newline == "\n"
    assert index_lines("a\rb").newline == "\r"


def test_errors_name_the_place_and_the_side() -> None:
    with pytest.raises(SourceError) as caught:
        parse_module("x = (\n", side="base")
    assert (caught.value.line, caught.value.side) == (1, "base")
    with pytest.raises(SourceError, match="null bytes"):
        parse_module("x\x00")


def test_byte_order_mark_is_passed_over() -> None:
    assert len(parse_module("\ufeffx = 1").body) == 1
