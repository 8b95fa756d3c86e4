"""Python text and where things stand in it: parsing, and positions as character offsets.

:mod:`ast` counts columns in UTF-8 bytes; everything else here counts characters. Offsets are
indices into the text, lines are 1-based, columns 0-based.
"""

from __future__ import annotations

import ast
import itertools
import re
from bisect import bisect_right
from dataclasses import dataclass

from omni_codemods.text.parsing import parse_module

_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Source:
    """A text with its line starts. Make one with :func:`parse_source` or :func:`index_lines`."""

    text: str
    starts: tuple[int, ...]
    newline: str
    ascii: bool

    def offset(self, line: int, byte_column: int) -> int:
        """The offset of *byte_column* (UTF-8 bytes, as :mod:`ast` counts) on 1-based *line*."""
        start = self.starts[line - 1]
        if self.ascii:
            return start + byte_column
        prefix = self.line_text(line).encode("utf-8")[:byte_column]
        return start + len(prefix.decode("utf-8", "ignore"))

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and 0-based column of *offset*."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1]

    def line_text(self, line: int) -> str:
        """The 1-based *line* with its line end."""
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        return self.text[self.starts[line - 1] : end]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Start and end offset of *node*, which must carry positions in this text."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        end_line, end_column = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        return self.offset(line, column), self.offset(end_line, end_column)


def index_lines(text: str) -> Source:
    """Index the lines of *text* the way Python's tokenizer counts them."""
    if "\r" not in text:
        lengths = map((1).__add__, map(len, text.split("\n")[:-1]))
        return Source(text, (0, *itertools.accumulate(lengths)), "\n", text.isascii())
    starts = (0, *(match.end() for match in _NEWLINE.finditer(text)))
    first = _NEWLINE.search(text)
    return Source(text, starts, first.group() if first else "\n", text.isascii())


def parse_source(text: str, *, side: str = "") -> tuple[Source, ast.Module]:
    """Parse *text* and index its lines. Raises :class:`SourceError`."""
    tree = parse_module(text, side=side)
    return index_lines(text), tree
