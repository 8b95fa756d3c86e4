"""Tokens → atoms and brackets, each bracket cut at its own commas."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omni_codemods.functions.bracket_fences import settle_fences
from omni_codemods.functions.brackets import (
    Atom,
    Element,
    Form,
    Group,
    Part,
    Source,
    end_of,
    start_of,
)
from omni_codemods.text.canonical import is_call, normal_tokens
from omni_codemods.text.lexer import CLOSERS, OPENERS, Token


def parse_parts(tokens: Sequence[Token], source: Source, *, listed: bool = False) -> list[Part]:
    """Take *tokens* apart; comments between them stay in the gaps.

    Where *listed*, parentheses at the start hold a list though nothing is called, as those of a
    ``with`` do.
    """
    out: list[Part] = []
    solid = [t for t in tokens if not t.is_comment]
    every = list(tokens)
    texts = [t.text for t in solid]
    at = 0
    previous: Token | None = None
    while at < len(solid):
        token = solid[at]
        gap = source.cut(end_of(previous), start_of(token)) if previous else ""
        if token.text in OPENERS:
            end = closing_bracket(solid, at)
            first, last = every.index(token), every.index(solid[end])
            called = is_call(texts, at)
            free = (listed and at == 0) or texts[at - 1 : at] == ["import"]
            form = _form(solid[at : end + 1], called=called, free=free)
            out.append(parse_group(every[first : last + 1], gap, source, form))
            at = end
        else:
            out.append(Atom(token, gap, source))
        previous = solid[at]
        at += 1
    return out


def closing_bracket(tokens: Sequence[Token], at: int) -> int:
    """The index of the bracket that closes the one at *at*."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].text in OPENERS:
            depth += 1
        elif tokens[i].text in CLOSERS:
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def _form(tokens: Sequence[Token], *, called: bool, free: bool) -> Form:
    """What the bracket is that *tokens* are, comments left out.

    *called* says that it is called, or taken of, what stands before it, *free* that it holds a
    list though it is not.
    """
    inside = tokens[1:-1]
    opener = tokens[0].text
    if any(inside[i].text == "for" for i in loose_tokens(inside)):
        return Form.EXPRESSION
    if free or opener == "{":
        return Form.ITEMS
    if opener == "[":
        return Form.INDEX if called else Form.LIST
    if called:
        return Form.ARGUMENTS
    commas = any(inside[i].text == "," for i in loose_tokens(inside))
    return Form.TUPLE if commas or not inside else Form.EXPRESSION


def loose_tokens(tokens: Sequence[Token]) -> Iterator[int]:
    """The indices of the tokens that stand in no bracket and in no ``lambda``'s parameters."""
    depth = 0
    waiting: list[int] = []  # the depths of the lambdas whose colon is still to come
    for i, token in enumerate(tokens):
        depth -= token.text in CLOSERS
        if token.text == "lambda":
            waiting.append(depth)
        elif waiting and waiting[-1] == depth and token.text == ":":
            waiting.pop()
        elif depth == 0 and not waiting:
            yield i
        depth += token.text in OPENERS


def parse_group(tokens: Sequence[Token], gap: str, source: Source, form: Form) -> Group:
    """Take one bracket apart; *tokens* are from the opening to the closing one."""
    opener, closer = tokens[0], tokens[-1]
    whole = form is Form.EXPRESSION
    chunks = _split(tokens[1:-1], whole=whole)
    head, chunks = _take_head(chunks, opener)
    elements = []
    trailing = False
    for i, (inside, comma, trail) in enumerate(chunks):
        before = chunks[i - 1][1] if i else opener
        element = _element(inside, trail, before, source, "" if whole else opener.text)
        if element is not None:
            elements.append(element)
            trailing = comma is not None
    foot: tuple[str, ...] = ()
    if chunks and not any(not t.is_comment for t in chunks[-1][0]):
        foot = tuple(t.text for t in chunks[-1][0])
    elements, foot = settle_fences(elements, foot)
    return Group(opener, closer, gap, tuple(elements), head, foot, trailing, form, source)


_Chunk = tuple[list[Token], "Token | None", str]


def _split(tokens: Sequence[Token], *, whole: bool) -> list[_Chunk]:
    """Split at the commas of this level; a comment behind a comma goes with what is before it.

    Where *whole*, no comma separates elements: those of a comprehension are the targets'.
    """
    chunks: list[_Chunk] = []
    start = 0
    for i in () if whole else loose_tokens(tokens):
        if tokens[i].text != ",":
            continue
        behind = tokens[i + 1 : i + 2]
        trail = [t.text for t in behind if t.is_comment and t.line == tokens[i].line]
        chunks.append((list(tokens[start:i]), tokens[i], "".join(trail)))
        start = i + 1 + len(trail)
    if start < len(tokens):
        chunks.append((list(tokens[start:]), None, ""))
    return chunks


def parse_element(element: Element, *, bare: bool = False) -> list[Part] | None:
    """The parts of an element; where *bare*, without the parentheses around all of its value.

    ``None`` where a comment stands in those.
    """
    pair = value_parentheses(element) if bare else None
    if pair is None:
        return parse_parts(element.tokens, element.source)
    if any(t.is_comment for t in element.tokens):
        return None
    parts = parse_parts([t for t in element.tokens if t not in pair], element.source)
    return [replace(part, gap=_joined_gap(part.gap)) for part in parts]


def _joined_gap(gap: str) -> str:
    """The white space of *gap* without a parenthesis or a line break in it."""
    before, opens, _ = gap.partition("(")
    if opens:
        return before
    return "" if ")" in gap else " " if "\n" in gap else gap


def value_parentheses(element: Element) -> tuple[Token, Token] | None:
    """Parentheses around the whole value of an element that change nothing, if there are any."""
    solid = [t for t in element.tokens if not t.is_comment]
    at = 2 if len(solid) > 2 and solid[1].text == "=" else 0
    if solid[at].text != "(" or closing_bracket(solid, at) != len(solid) - 1:
        return None
    rest = [*solid[:at], *solid[at + 1 : -1]]
    inside = solid[at + 1 : -1]
    listed = any(inside[i].text == "," for i in loose_tokens(inside))
    same = bool(inside) and not listed and normal_tokens(rest) == element.code
    return (solid[at], solid[-1]) if same else None


def _take_head(chunks: list[_Chunk], opener: Token) -> tuple[str, list[_Chunk]]:
    if not chunks or not chunks[0][0]:
        return "", chunks
    first = chunks[0][0][0]
    if not first.is_comment or first.line != opener.line:
        return "", chunks
    return first.text, [(chunks[0][0][1:], *chunks[0][1:]), *chunks[1:]]


def _element(
    inside: list[Token], trail: str, before: Token | None, source: Source, opener: str
) -> Element | None:
    solid = [i for i, t in enumerate(inside) if not t.is_comment]
    if not solid:
        return None
    lead = tuple(t.text for t in inside[: solid[0]])
    behind = inside[solid[-1] + 1 :]
    core = tuple(inside[solid[0] : solid[-1] + 1])
    post = [t.text for t in behind if t.line != core[-1].end_line]
    same = [t.text for t in behind if t.line == core[-1].end_line]
    trail = trail or (same[0] if same else "")
    own_line = before is None or core[0].line > before.end_line
    code = normal_tokens(core)
    key = _key(core, code, opener) if opener else ""
    return Element(core, code, key, lead, trail, tuple(post), own_line, source)


def _key(tokens: Sequence[Token], code: tuple[str, ...], opener: str) -> str:
    """What names an element of a bracket: a keyword, a parameter, whatever a dict has it under."""
    if opener == "{":
        colon = next((i for i in loose_tokens(tokens) if tokens[i].text == ":"), 0)
        return f"{' '.join(normal_tokens(tokens[:colon]))}:" if colon else ""
    if opener == "[" or len(code) < 2 or code[1] not in ("=", ":"):
        return ""
    return f"{code[0]}=" if code[0].isidentifier() and not keyword.iskeyword(code[0]) else ""
