"""Where the nodes of a libcst tree stand, counted as :mod:`ast` counts."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodePosition, CodeRange

_NEWLINE = re.compile(r"\r\n|\n|\r")
Node = TypeVar("Node", bound=ast.AST)


class Positions:
    """The places of the nodes of one module: lines from 1, columns in UTF-8 bytes from 0."""

    def __init__(self, text: str, ranges: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._ranges = ranges
        self._lines = None if text.isascii() else _NEWLINE.split(text)

    def put(self, new: Node, first: cst.CSTNode, last: cst.CSTNode | None = None) -> Node:
        """Give *new* the place of *first*, or that from the start of *first* to *last*'s end."""
        start = self._ranges[first].start
        end = self._ranges[last or first].end
        return self._set(new, start, end)

    def put_parenthesized(self, new: Node, node: cst.BaseExpression) -> Node:
        """Give *new* the place of *node* with its innermost parentheses."""
        if node.lpar:
            return self.put(new, node.lpar[-1], node.rpar[0])
        return self.put(new, node)

    def put_behind(self, new: Node, first: cst.CSTNode, last: cst.CSTNode) -> Node:
        """Give *new* the place from the end of *first* to that of *last*."""
        return self._set(new, self._ranges[first].end, self._ranges[last].end)

    def _set(self, new: Node, start: CodePosition, end: CodePosition) -> Node:
        new.lineno, new.col_offset = start.line, self._column(start)  # type: ignore[attr-defined]
        new.end_lineno, new.end_col_offset = (  # type: ignore[attr-defined]
            end.line,
            self._column(end),
        )
        return new

    def _column(self, place: CodePosition) -> int:
        if self._lines is None:
            return place.column
        return len(self._lines[place.line - 1][: place.column].encode("utf-8", "surrogatepass"))
