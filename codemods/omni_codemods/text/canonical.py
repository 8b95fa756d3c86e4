"""What two statements must share to be the same: their tokens, without layout.

White space, line breaks, comments, trailing commas, quote style and parentheses that
change nothing are layout.
"""

from __future__ import annotations

import itertools
import keyword
import re
import tokenize
from collections.abc import Sequence

from omni_codemods.text.lexer import CLOSERS, OPENERS, Token

# Tokens after which a parenthesis can hold a whole operand, so that it may be left out.
_AUGMENTED = ("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=")
_OPENING = ("return", "if", "elif", "while", "assert", "with", "del", "for", "yield", "raise")
_BEFORE = frozenset(
    ["=", "(", "[", "{", ",", ":", "->", "in", "else", "except", *_OPENING, *_AUGMENTED]
)
_AFTER = frozenset([")", "]", "}", ",", ":", "=", "if", "else", "for", "as", "->"])
# Tokens that a parenthesis protects.
_PROTECTED = frozenset({",", "for", "yield", ":="})
# What stands before the values of a statement, which need no parentheses to be a tuple.
_BEFORE_VALUES = frozenset(["=", "return", "yield", *_AUGMENTED])
_ATOMS = frozenset([".", *OPENERS, *CLOSERS])
_PATTERNS = frozenset({"match", "case"})
_KEYWORDS = frozenset(keyword.kwlist) - {"True", "False", "None"}


def normal_tokens(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the texts of *tokens* without layout; two equal results are the same code."""
    kinds = [t.type for t in tokens]
    if tokenize.COMMENT in kinds:
        tokens = [t for t in tokens if t.type != tokenize.COMMENT]
    strings = kinds.count(tokenize.STRING)
    texts = [t.text for t in tokens]
    if strings or tokenize.NUMBER in kinds:
        texts = [_NORMAL[t.type](t.text) if t.type in _NORMAL else t.text for t in tokens]
    if strings > 1:
        texts = _joined_strings(texts)
    if "," in texts:
        texts = _without_trailing_commas(texts)
    if "(" in texts:
        texts = _without_redundant_parentheses(texts)
    return tuple(texts)


def as_words(tokens: Sequence[str]) -> Sequence[str]:
    """Return *tokens* with each attribute told from a variable of that name: ``.rows``."""
    if "." not in tokens:
        return tokens
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


# -- literals -------------------------------------------------------------------------------


def unindented(text: str) -> str:
    """A string that stands alone, as a docstring does, without what a formatter may change.

    How its lines are indented, and what white space ends them, says nothing.
    """
    quotes = text[-3:] if text[-3:] in ('"""', "'''") else text[-1:]
    start = text.index(quotes) + len(quotes)
    lines = "\n".join(line.strip() for line in text[start : -len(quotes)].split("\n"))
    return f"{text[:start]}{lines.strip()}{quotes}"


def _joined_strings(texts: list[str]) -> list[str]:
    """Neighbouring string literals are one: formatters cut and join them as the line allows."""
    out: list[str] = []
    for text in texts:
        last = out[-1] if out else ""
        joined = _joined(last, text) if _is_plain(text) and _is_plain(last) else None
        if joined is None:
            out.append(text)
        else:
            out[-1] = joined
    return out


def _joined(one: str, other: str) -> str | None:
    """Two literals as one, ``None`` where that would be another string."""
    prefix, second = _prefix(one), _prefix(other)
    if {prefix, second} == {"", "f"}:
        if "\\N{" in one + other:
            return None
        one, other = (t if t[0] == "f" else _in_braces(t) for t in (one, other))
        prefix, second = "f", "f"
    head, tail = one[len(prefix) + 1 : -1], other[len(second) + 1 : -1]
    if prefix != second or (_OCTAL_END.search(head) and tail[:1].isdigit()):
        return None
    return f'{prefix}"{head}{tail}"'


def _in_braces(text: str) -> str:
    """A plain literal as an f-string."""
    return "f" + text.replace("{", "{{").replace("}", "}}")


def _prefix(text: str) -> str:
    return text[: text.index('"')]


def _is_plain(text: str) -> bool:
    """Whether *text* is a string literal in single double quotes."""
    body = text.lstrip("rbft")
    return len(body) > 1 and body[0] == body[-1] == '"' and body[:3] != '"""'


_OCTAL_END = re.compile(r"(?<!\\)(?:\\\\)*\\[0-7]{1,2}$")
_QUOTE = re.compile(r"""\\.|"|'""", re.DOTALL)


def _normal_string(text: str) -> str:
    body = text.lstrip("rRbBuUfFtT")
    prefix = text[: len(text) - len(body)].lower().replace("u", "")
    if body[:3] in ('"""', "'''"):
        if body[0] == "'" and '"' not in body and ("\\" not in body or "r" in prefix):
            body = f'"""{body[3:-3]}"""'
    elif prefix in ("", "b") or '"' not in body[1:-1]:
        inner = body[1:-1] if "r" in prefix else _QUOTE.sub(_quoted, body[1:-1])
        body = f'"{inner}"'
    return prefix + body


def _quoted(match: re.Match[str]) -> str:
    """A quote or an escape as it stands between double quotes."""
    text = match[0]
    return {'"': '\\"', "\\'": "'"}.get(text, text)


def _normal_number(text: str) -> str:
    """Lower case, with a digit on both sides of the point."""
    if text.isdigit():
        return text
    text = text.lower()
    if text[:2] in ("0x", "0o", "0b"):
        return text
    whole, point, rest = text.partition(".")
    if point:
        text = f"{whole or '0'}.{rest if rest[:1].isdigit() else '0' + rest}"
    return text.replace("e+", "e")


_NORMAL = {tokenize.STRING: _normal_string, tokenize.NUMBER: _normal_number}


# -- parentheses ----------------------------------------------------------------------------


def _is_one_tuple(texts: list[str], comma: int) -> bool:
    """Whether the comma makes a parenthesis a tuple of one: ``(x,)``, not a call ``f(x,)``."""
    if texts[comma + 1] == "}" or _is_import(texts):
        return False
    opener, commas = _opener(texts, comma)
    return commas == 0 and is_call(texts, opener) == (texts[comma + 1] == "]")


def _is_import(texts: list[str]) -> bool:
    return texts[0] == "from" and "import" in texts


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


def is_call(texts: Sequence[str], opener: int) -> bool:
    """Whether a bracket calls, or takes a subscript of, what stands before it."""
    if opener <= 0:
        return False
    before = texts[opener - 1]
    if before in CLOSERS:
        return True
    if opener == 1 and before in _PATTERNS and texts[-1] == ":":
        return False
    return before not in _KEYWORDS and _is_operand(before)


def _is_operand(text: str) -> bool:
    """Whether a token is a name or a literal, keywords among them."""
    return text[0].isalnum() or text[0] in "_\"'" or text == "..."


def _without_redundant_parentheses(texts: list[str]) -> list[str]:
    drop: set[int] = set()
    stack: list[int] = []
    for i, text in enumerate(texts):
        if text in OPENERS:
            stack.append(i)
        elif text in CLOSERS and stack:
            opener = stack.pop()
            pair = text == ")" and not is_call(texts, opener)
            if pair and _Pair(texts, drop, opener, i, len(stack)).is_redundant():
                drop |= {opener, i}
    if not drop:
        return texts
    return _without_redundant_parentheses([t for i, t in enumerate(texts) if i not in drop])


class _Pair:
    """Two parentheses around something, *depth* brackets deep in a statement or header.

    *drop* are the parentheses already known to be redundant.
    """

    __slots__ = ("after", "before", "depth", "inside", "loose", "opener", "texts")

    def __init__(
        self, texts: list[str], drop: set[int], opener: int, closer: int, depth: int
    ) -> None:
        self.texts, self.opener, self.depth = texts, opener, depth
        self.before = _neighbour(texts, opener, -1, drop)
        self.after = _neighbour(texts, closer, 1, drop)
        self.inside = [texts[i] for i in range(opener + 1, closer) if i not in drop]
        self.loose = _outside_brackets(self.inside)

    def is_redundant(self) -> bool:
        """Whether they could be left out without changing what the code means."""
        if not self.inside:
            return False
        if self.before == "import" and _is_import(self.texts):
            return True
        if self.opener == 0 and self.after == ":":
            return False  # `(x): int` does not declare x
        if self.before == "with" and self.loose == ["(", ")"]:
            return False  # `with ((a, b)):` enters a tuple
        return self._holds_an_atom() or self._holds_an_operand() or self._holds_values()

    def _holds_an_atom(self) -> bool:
        """A name, a literal or a display, with what is called or taken of it."""
        if self.inside[-1][0].isdigit() and self.after == ".":
            return False  # `1.real` is no Python
        return all(t not in _KEYWORDS and (_is_operand(t) or t in _ATOMS) for t in self.loose)

    def _holds_an_operand(self) -> bool:
        """Anything in a place where a whole expression may stand."""
        protected = _PROTECTED
        header = self.depth == 0 and self.after == ":"
        if self.before is None:
            if self.after is not None:
                return False
        elif self.before not in _BEFORE or not (self.after is None or self.after in _AFTER):
            return False
        elif self.before == "with" and header and self.opener == self.texts.index("with") + 1:
            return True
        elif self.before == "in" and not (header and self._is_iterated()):
            return False  # an operator, or a place where a condition would be cut off
        elif self.before in ("if", "elif", "while") and header and self.opener == 1:
            protected = _PROTECTED - {":="}
        if self.after in ("if", "for", "else") or (self.before == "if" and self.opener > 1):
            protected |= {"if", "lambda"}
        return self.inside[0] not in ("*", "**") and not protected.intersection(self.loose)

    def _holds_values(self) -> bool:
        """A tuple or a ``yield`` in a place where it needs no parentheses."""
        if {"for", ":="}.intersection(self.loose):
            return False
        if self.before == "for":
            return self.after == "in"
        if self.before == "yield" and self.after == ")":
            return True
        if self.depth:
            return False
        if self.opener == 1 and self.before in _PATTERNS:
            return self.after == ":" or (self.before == "case" and self.after == "if")
        if self.before == "in":
            return self.after == ":" and self._is_iterated() and self.inside[0] != "yield"
        if self.before is None:
            return self.after == "=" or (self.after is None and self.inside[0] == "yield")
        if self.before == "del":
            return self.after is None
        return self.before in _BEFORE_VALUES and self.after in (None, "=")

    def _is_iterated(self) -> bool:
        """Whether this is what a ``for`` statement goes through."""
        return self.texts[0] in ("for", "async") and self.texts[: self.opener].count("in") == 1


def _outside_brackets(texts: Sequence[str]) -> list[str]:
    """The *texts* that stand in no bracket, the brackets themselves among them."""
    out: list[str] = []
    depth = 0
    for text in texts:
        depth -= text in CLOSERS
        if depth == 0:
            out.append(text)
        depth += text in OPENERS
    return out


def _neighbour(texts: list[str], at: int, step: int, drop: set[int]) -> str | None:
    at += step
    while 0 <= at < len(texts) and at in drop:
        at += step
    return texts[at] if 0 <= at < len(texts) else None
