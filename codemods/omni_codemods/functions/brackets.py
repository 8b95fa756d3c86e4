"""A statement taken apart: atoms and bracketed groups, each with its exact text."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.functions.tree import Node
from omni_codemods.text.lexer import Token


class Source:
    """The text of one node, addressed by the positions of its tokens."""

    def __init__(self, node: Node) -> None:
        self._lines = node.lines
        self._first = node.line
        self.indent = node.indent
        self._interior = {
            n
            for t in node.tokens
            for n in range(t.line + 1, t.end_line + 1)
            if t.text[-1:] in "\"'"
        }

    def cut(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """Return the text from *start* to *end*, positions as in tokens."""
        (line, column), (end_line, end_column) = start, end
        line, end_line = line - self._first, end_line - self._first
        if line == end_line:
            return self._lines[line][column:end_column]
        middle = self._lines[line + 1 : end_line]
        return "".join([self._lines[line][column:], *middle, self._lines[end_line][:end_column]])

    def of(self, tokens: Sequence[Token]) -> str:
        """Return the text that *tokens* span."""
        return self.cut(start_of(tokens[0]), end_of(tokens[-1]))

    def moved(self, first: Token, last: Token, indent: str) -> str:
        """The text from *first* to *last*, its later lines shifted as if *first* stood on a line
        indented by *indent*; inside a string nothing moves."""
        was = self.line_indent(first)
        lines = self.cut(start_of(first), end_of(last)).split("\n")
        return "\n".join(
            indent + x[len(was) :]
            if k and first.line + k not in self._interior and x.startswith(was)
            else x
            for k, x in enumerate(lines)
        )

    def line_indent(self, token: Token) -> str:
        """Return the white space that starts the line of *token*."""
        line = self._lines[token.line - self._first]
        return line[: len(line) - len(line.lstrip(" \t"))]


def start_of(token: Token) -> tuple[int, int]:
    """The position of the token's first character."""
    return token.line, token.column


def end_of(token: Token) -> tuple[int, int]:
    """The position after the token's last character."""
    return token.end_line, token.end_column


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """One token outside every bracket of its level, with the white space before it."""

    token: Token
    gap: str
    source: Source

    @property
    def first(self) -> Token:
        """The token itself."""
        return self.token

    def moved(self, indent: str) -> str:
        """The token's text; a single token never moves."""
        del indent
        return self.token.text

    @property
    def text(self) -> str:
        """The token's text."""
        return self.token.text


class Form(enum.Enum):
    """What a bracket is, which decides whether a comma may be written behind its last element.

    ``ARGUMENTS`` (parameters too), ``LIST`` and ``ITEMS`` may end in one or not; the items of a
    ``with``, an ``import``, a set or a dict have no positions. A ``TUPLE`` needs one where it has
    one element, and an ``INDEX`` becomes a tuple by one. An ``EXPRESSION`` is a whole operand in
    parentheses or a comprehension: with a comma it would be other code.
    """

    ARGUMENTS = "arguments"
    LIST = "list"
    ITEMS = "items"
    TUPLE = "tuple"
    INDEX = "index"
    EXPRESSION = "expression"


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A bracket and its elements. *head* and *foot* are comments that belong to no element.

    Where a tuple or the items of a ``with`` stand without brackets, both brackets are empty.
    *form* says what a comma in it would mean.
    """

    opener: Token
    closer: Token
    gap: str
    elements: tuple[Element, ...]
    head: str
    foot: tuple[str, ...]
    trailing_comma: bool
    form: Form
    source: Source

    @property
    def text(self) -> str:
        """The exact text, brackets included."""
        return self.source.cut(start_of(self.opener), end_of(self.closer))

    @property
    def first(self) -> Token:
        """The opening bracket."""
        return self.opener

    def moved(self, indent: str) -> str:
        """The text as if it started on a line indented by *indent*."""
        return self.source.moved(self.opener, self.closer, indent)

    @property
    def brackets(self) -> tuple[str, str]:
        """The brackets; parentheses where they may be, but are not, written."""
        return self.opener.text or "(", self.closer.text or ")"

    @property
    def closes_own_line(self) -> bool:
        """Whether the closing bracket starts a line."""
        if not self.elements:
            return self.closer.line > self.opener.end_line
        return self.closer.line > self.elements[-1].tokens[-1].end_line


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """One element of a group: *tokens* between two commas, comments apart.

    *lead* and *post* are comments on lines of their own before and after it, *trail* the one
    behind it. *key* names it (``name=``, a dict's key), empty for a positional or starred one.
    *block* numbers the block of its bracket that it stands in, from 1; 0 is none.
    """

    tokens: tuple[Token, ...]
    code: tuple[str, ...]
    key: str
    lead: tuple[str, ...]
    trail: str
    post: tuple[str, ...]
    own_line: bool
    source: Source
    block: int = 0

    @property
    def text(self) -> str:
        """The exact text without its comments and comma."""
        return self.source.of(self.tokens)

    def moved(self, indent: str) -> str:
        """The text as if it started on a line indented by *indent*."""
        return self.source.moved(self.tokens[0], self.tokens[-1], indent)

    @property
    def line_indent(self) -> str:
        """The white space that starts the line on which the element starts."""
        return self.source.line_indent(self.tokens[0])

    @property
    def comments(self) -> tuple[object, ...]:
        """All comments of the element."""
        return self.lead, self.trail, self.post

    @property
    def is_fenced(self) -> bool:
        """Whether the element stands between two fences, or a marker makes it a block."""
        return self.block > 0


Part = Atom | Group
