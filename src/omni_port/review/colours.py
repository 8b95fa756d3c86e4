"""Source text as HTML: coloured, escaped, and with every control character shown as such."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup, escape
from pygments.lexers.diff import DiffLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType

from omni_port.base.shown import safe_name

# The classes of the page's style sheet, by kind of token; the first that fits.
_CLASSES = (
    (Comment, "c"),
    (String, "s"),
    (Number, "n"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Builtin, "b"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "f"),
    (Generic.Inserted, "ins"),
    (Generic.Deleted, "del"),
    (Generic.Subheading, "c"),
)


def colour_lines(lines: Sequence[str], *, language: str = "python") -> list[Markup]:
    """Return each of *lines* (without line ends) as HTML; *language* is ``python`` or ``diff``."""
    text = "\n".join(lines)
    lexer = DiffLexer if language == "diff" else PythonLexer
    tokens = lexer(stripnl=False, ensurenl=False).get_tokens(text)
    found = [Markup().join(map(_span, line)) for line in _lines(tokens)]
    if len(found) != len(lines):  # a character that the lexer took for a line end
        return [Markup(escape(shown(line))) for line in lines]
    return found


def _lines(tokens: Iterable[tuple[_TokenType, str]]) -> Iterator[list[tuple[str, str]]]:
    """The tokens of each line, neighbours of one class as one."""
    line: list[tuple[str, str]] = []
    for kind, value in tokens:
        name = _class(kind)
        for n, part in enumerate(value.split("\n")):
            if n:
                yield line
                line = []
            if line and line[-1][0] == name:
                line[-1] = name, line[-1][1] + part
            elif part:
                line.append((name, part))
    yield line


@functools.cache
def _class(kind: _TokenType) -> str:
    return next((name for known, name in _CLASSES if kind[: len(known)] == known), "")


def _span(token: tuple[str, str]) -> Markup:
    name, text = token
    said = escape(shown(text))
    return Markup('<i class="{}">{}</i>').format(name, said) if name else Markup(said)


def shown(text: str) -> str:
    """Return *text* with every control character but tabs escaped as in Python."""
    return "\t".join(map(safe_name, text.split("\t")))
