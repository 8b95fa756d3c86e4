"""The text of one function as tokens, whatever column it stands at."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from omni_codemods.findings.errors import SourceError
from omni_codemods.text.lexer import CLOSERS, OPENERS, Lexed, LogicalLine, Token, lex


def unfolded(lexed: Lexed) -> str | None:
    """The text of a function written on one line, its body on a line of its own."""
    last = lexed.logical[-1]
    words = [t.text for t in last.tokens[:2]]
    if last.depth or "def" not in words or last.tokens[-1].text == ":":
        return None
    depth = 0
    for token, following in itertools.pairwise(last.tokens):
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        if depth == 0 and token.text == ":" and not following.is_comment:
            at, line = token.end_column, token.line - 1
            head, body = lexed.lines[line][:at], lexed.lines[line][at:].lstrip()
            lines = [*lexed.lines[:line], f"{head}\n", f"    {body}", *lexed.lines[line + 1 :]]
            return "".join(lines)
    return None


def lex_dedented(text: str) -> Lexed:
    """Lex *text* as if its first line stood at column 0.

    Indented code cannot be tokenized at the top level; an ``if 1:`` before it cures that.
    """
    margin = text[: len(text) - len(text.lstrip(" \t"))]
    lead = "if 1:\n" if margin else "if 1:\n pass\n"
    skip = lead.count("\n")
    try:
        lexed = lex(lead + text, skip, len(margin))
    except SourceError as error:
        line = None if error.line is None else max(1, error.line - skip)
        raise SourceError(error.message, line=line, column=error.column) from error
    logical = lexed.logical[skip:]
    if not logical:
        raise SourceError("not a function", line=1, column=0)
    interior = lexed.string_interior
    lines = [
        line[len(margin) :]
        if n not in interior and line.strip() and line.startswith(margin)
        else line
        for n, line in enumerate(lexed.lines[skip:], 1)
    ]
    pairs = enumerate(zip(lexed.lines[skip:], lines, strict=True), 1)
    fixed = {n for n, (a, b) in pairs if margin and len(a) == len(b)} | interior
    odd = {n for n in fixed if lines[n - 1].strip()} if margin else set()
    depth = logical[0].depth
    return Lexed(
        tuple(lines),
        tuple(LogicalLine(x.depth - depth, _replaced(x.tokens, odd, len(margin))) for x in logical),
        tuple(_replaced(lexed.comments, odd, len(margin))),
        frozenset(fixed),
    )


def _replaced(tokens: Sequence[Token], odd: Set[int], margin: int) -> list[Token]:
    """*tokens* with their columns as they are on the *odd* lines, which keep their *margin*."""
    return [
        t._replace(
            column=t.column + margin * (t.line in odd),
            end_column=t.end_column + margin * (t.end_line in odd),
        )
        if odd and (t.line in odd or t.end_line in odd)
        else t
        for t in tokens
    ]
