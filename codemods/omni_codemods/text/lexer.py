"""Source text → logical lines of tokens, without needing the host's grammar.

Only :mod:`tokenize` is used, so syntax that is newer than the running Python (type parameters,
``except*``) is read as well as any other.
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass, field
from typing import NamedTuple

from omni_codemods.findings.errors import SourceError

_FSTRING_START: frozenset[int] = frozenset(
    getattr(tokenize, name)
    for name in ("FSTRING_START", "TSTRING_START")
    if hasattr(tokenize, name)
)
_FSTRING_END: frozenset[int] = frozenset(
    getattr(tokenize, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(tokenize, name)
)
_APART = _FSTRING_START | _FSTRING_END | {tokenize.ENCODING, tokenize.ENDMARKER}
# Tokens that are no text, and how much deeper the code after them stands.
_LAYOUT = {tokenize.INDENT: 1, tokenize.DEDENT: -1, tokenize.NEWLINE: 0, tokenize.NL: 0}
OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(OPENERS.values())


class Token(NamedTuple):
    """One token with its exact text: (*line*, *column*) to (*end_line*, *end_column*).

    A tuple: a method has thousands of them, and a frozen dataclass takes thrice as long to make.
    """

    type: int
    text: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def is_comment(self) -> bool:
        """Whether this is a comment."""
        return self.type == tokenize.COMMENT


@dataclass(slots=True)
class LogicalLine:
    """One statement, clause header or decorator: its tokens, comments within included."""

    depth: int
    tokens: list[Token] = field(default_factory=list)

    @property
    def start(self) -> int:
        """The first physical line."""
        return self.tokens[0].line

    @property
    def end(self) -> int:
        """The last physical line."""
        return self.tokens[-1].end_line


@dataclass(frozen=True, slots=True)
class Lexed:
    """Logical lines, own-line comments between them, and the lines that start inside a string."""

    lines: tuple[str, ...]
    logical: tuple[LogicalLine, ...]
    comments: tuple[Token, ...]
    string_interior: frozenset[int]


def split_lines(text: str) -> list[str]:
    """Split *text* at the line ends that Python counts, kept.

    Not :meth:`str.splitlines`: that also splits at form feeds and Unicode separators.
    """
    return list(io.StringIO(text, newline=""))


def tokenize_text(text: str, above: int = 0, margin: int = 0) -> list[Token]:
    """Return the tokens of *text*; an f-string comes as one token on every Python.

    Their positions leave out the *above* first lines, and the *margin* first columns.

    Raises :class:`SourceError` where the text cannot be tokenized.
    """
    lines = split_lines(text)
    make = tuple.__new__  # thrice as fast as calling the class
    out: list[Token] = []
    opened = (0, 0)
    depth = 0
    try:
        for kind, string, start, end, _ in tokenize.generate_tokens(io.StringIO(text).readline):
            if depth == 0 and kind not in _APART:
                (line, column), (end_line, end_column) = start, end
                place = line - above, column - margin, end_line - above, end_column - margin
                out.append(make(Token, (kind, string, *place)))
            elif kind in _FSTRING_START:
                depth += 1
                opened = start if depth == 1 else opened
            elif kind in _FSTRING_END:
                depth -= 1
                if depth == 0:
                    whole = _between(lines, opened, end)
                    place = opened[0] - above, opened[1] - margin, end[0] - above, end[1] - margin
                    out.append(Token(tokenize.STRING, whole, *place))
    except (tokenize.TokenError, SyntaxError) as error:
        line, message = _place(error)
        raise SourceError(f"not Python: {message}", line=line, column=0) from error
    return out


def _place(error: tokenize.TokenError | SyntaxError) -> tuple[int, str]:
    if isinstance(error, SyntaxError):
        return error.lineno or 1, error.msg
    message, (line, _) = error.args[0], error.args[1]
    return int(line), str(message)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    middle = "".join(lines[start[0] : end[0] - 1])
    return lines[start[0] - 1][start[1] :] + middle + lines[end[0] - 1][: end[1]]


def lex(text: str, above: int = 0, margin: int = 0) -> Lexed:
    """Split *text* (newlines ``\\n`` or ``\\r\\n``) into logical lines.

    *above* and *margin* are those of :func:`tokenize_text`; the lines are all of the text.
    Raises :class:`SourceError` where the text cannot be tokenized.
    """
    logical: list[LogicalLine] = []
    comments: list[Token] = []
    interior: set[int] = set()
    depth = 0
    current: LogicalLine | None = None
    for token in tokenize_text(text, above, margin):
        kind = token.type
        if kind in _LAYOUT:
            depth += _LAYOUT[kind]
            if kind == tokenize.NEWLINE:
                if current is not None:
                    logical.append(current)
                current = None
        elif current is None and kind == tokenize.COMMENT:
            comments.append(token)
        else:
            if kind == tokenize.STRING and token.end_line > token.line:
                interior.update(range(token.line + 1, token.end_line + 1))
            if current is None:
                current = LogicalLine(depth)
            current.tokens.append(token)
    return Lexed(tuple(split_lines(text)), tuple(logical), tuple(comments), frozenset(interior))
