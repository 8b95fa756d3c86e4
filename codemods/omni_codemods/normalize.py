"""What two statements must share to be the same: their tokens, without layout.

White space, line breaks, comments, trailing commas, quote style and parentheses that
change nothing are layout.
"""

from __future__ import annotations

import itertools
import keyword
import tokenize
from collections.abc import Sequence

from omni_codemods.lexer import CLOSERS, OPENERS, Token

# Tokens after which a parenthesis can hold a whole operand, so that it may be left out.
_AUGMENTED = ("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=")
_OPENING = ("return", "if", "elif", "while", "assert", "with", "del", "for", "yield", "raise")
_BEFORE = frozenset(["=", "(", "[", "{", ",", ":", "->", "in", *_OPENING, *_AUGMENTED])
_AFTER = frozenset([")", "]", "}", ",", ":", "=", "if", "else", "for", "as", "->"])
# Tokens that a parenthesis protects.
_PROTECTED = frozenset({",", "for", "yield", ":="})


def normal_tokens(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the texts of *tokens* without layout; two equal results are the same code."""
    kinds = [t.type for t in tokens]
    if tokenize.COMMENT in kinds:
        tokens = [t for t in tokens if t.type != tokenize.COMMENT]
    strings = kinds.count(tokenize.STRING)
    texts = [t.text for t in tokens]
    if strings:
        texts = [_normal_string(t.text) if t.type == tokenize.STRING else t.text for t in tokens]
    if strings > 1:
        texts = _joined_strings(texts)
    if "," in texts:
        texts = _without_trailing_commas(texts)
    if "(" in texts:
        texts = _without_redundant_parentheses(texts)
    return tuple(texts)


def as_words(tokens: Sequence[str]) -> list[str]:
    """Return *tokens* with each attribute told from a variable of that name: ``.rows``."""
    return [
        f".{text}" if before == "." else text for before, text in itertools.pairwise(("", *tokens))
    ]


def _without_trailing_commas(texts: list[str]) -> list[str]:
    return [
        text
        for i, text in enumerate(texts)
        if not (
            text == ","
            and i + 1 < len(texts)
            and texts[i + 1] in CLOSERS
            and not _is_one_tuple(texts, i)
        )
    ]


def _joined_strings(texts: list[str]) -> list[str]:
    """Neighbouring string literals are one: formatters cut and join them as the line allows."""
    out: list[str] = []
    for text in texts:
        last = out[-1] if out else ""
        if _is_plain(text) and _is_plain(last) and _prefix(text) == _prefix(last):
            out[-1] = last[:-1] + text[len(_prefix(text)) + 1 :]
        else:
            out.append(text)
    return out


def _prefix(text: str) -> str:
    return text[: text.index('"')]


def _is_plain(text: str) -> bool:
    """Whether *text* is a string literal in single double quotes."""
    body = text.lstrip("rbft")
    return len(body) > 1 and body[0] == body[-1] == '"' and body[:3] != '"""'


def _normal_string(text: str) -> str:
    body = text.lstrip("rRbBuUfFtT")
    prefix = text[: len(text) - len(body)].lower().replace("u", "")
    if body[:3] == "'''" and '"' not in body and "\\" not in body:
        body = f'"""{body[3:-3]}"""'
    elif body[:1] == "'" and body[:3] != "'''" and '"' not in body and "\\" not in body:
        body = f'"{body[1:-1]}"'
    return prefix + body


def _is_one_tuple(texts: list[str], comma: int) -> bool:
    """Whether the comma makes a parenthesis a tuple of one: ``(x,)``, not a call ``f(x,)``."""
    if texts[comma + 1] != ")":
        return texts[comma + 1] == "]" and _opens_subscript(texts, comma)
    opener, commas = _opener(texts, comma)
    return commas == 0 and not _follows_operand(texts, opener)


def _opens_subscript(texts: list[str], comma: int) -> bool:
    opener, commas = _opener(texts, comma)
    return commas == 0 and _follows_operand(texts, opener)


def _opener(texts: list[str], at: int) -> tuple[int, int]:
    """The index of the bracket that encloses *at*, and the commas of its level before *at*."""
    depth = commas = 0
    for i in range(at - 1, -1, -1):
        if texts[i] in CLOSERS:
            depth += 1
        elif texts[i] in OPENERS:
            if depth == 0:
                return i, commas
            depth -= 1
        elif texts[i] == "," and depth == 0:
            commas += 1
    return -1, commas


_KEYWORDS = frozenset(keyword.kwlist)


def _follows_operand(texts: list[str], opener: int) -> bool:
    if opener <= 0:
        return False
    before = texts[opener - 1]
    if before in CLOSERS:
        return True
    return before not in _KEYWORDS and (before[0].isalnum() or before[0] in "_\"'")


def _without_redundant_parentheses(texts: list[str]) -> list[str]:
    drop: set[int] = set()
    stack: list[int] = []
    for i, text in enumerate(texts):
        if text in OPENERS:
            stack.append(i)
        elif text in CLOSERS and stack:
            opener = stack.pop()
            if text == ")" and _is_redundant(texts, opener, i, drop):
                drop |= {opener, i}
    return [t for i, t in enumerate(texts) if i not in drop]


def _is_redundant(texts: list[str], opener: int, closer: int, drop: set[int]) -> bool:
    """Whether a pair of parentheses could be left out without changing what the code means."""
    if closer == opener + 1:
        return False
    before = _neighbour(texts, opener, -1, drop)
    after = _neighbour(texts, closer, 1, drop)
    if texts[0] == "from" and before == "import":
        return True
    if before not in _BEFORE or (after is not None and after not in _AFTER):
        return False
    if before == "with" and after == ":" and opener == texts.index("with") + 1:
        return True
    if before == "in" and not (texts[0] in ("for", "async") and after == ":"):
        return False  # an operator, or a place where a condition would be cut off
    within_conditional = after in ("if", "for", "else") or (before == "if" and opener > 1)
    return not _is_protected(texts, opener, closer, within_conditional)


def _is_protected(texts: list[str], opener: int, closer: int, within_conditional: bool) -> bool:
    """Whether what stands between two parentheses would come apart without them."""
    if texts[opener + 1] in ("*", "**"):
        return True
    depth = 0
    for text in texts[opener + 1 : closer]:
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth == 0 and text in _PROTECTED:
            return True
        if depth == 0 and within_conditional and text in ("if", "lambda"):
            return True
    return False


def _neighbour(texts: list[str], at: int, step: int, drop: set[int]) -> str | None:
    at += step
    while 0 <= at < len(texts) and at in drop:
        at += step
    return texts[at] if 0 <= at < len(texts) else None
