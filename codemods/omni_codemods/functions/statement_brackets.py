"""A whole statement or clause header taken apart, and what in it is fenced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omni_codemods.functions.bracket_parsing import (
    closing_bracket,
    loose_tokens,
    parse_group,
    parse_parts,
)
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
from omni_codemods.functions.fences import Comment, Fences, pair_fences
from omni_codemods.functions.tree import Node
from omni_codemods.text.canonical import is_call, normal_tokens
from omni_codemods.text.lexer import CLOSERS, OPENERS, Token


def parse_statement_parts(node: Node, tokens: Sequence[Token] = ()) -> list[Part]:
    """The parts of a statement or header; a tuple on a side of an assignment, and the items of
    a ``with``, come as a group whether or not they have parentheses.

    With *tokens* only those of the node's tokens count.
    """
    source = Source(node)
    every = tokens or node.tokens
    solid = [t for t in every if not t.is_comment]
    out: list[Part] = []
    for side in _sides(solid, node.word):
        inside = [t for t in every if _within(t, side)]
        gap = source.cut(end_of(previous), start_of(side[0])) if (previous := _last(out)) else ""
        listed = bool(out) and out[-1].text == "with"
        if _is_bare_list(side, listed=listed):
            form = Form.ITEMS if listed else Form.TUPLE
            out.append(_bare_group(inside, gap, source, form))
            continue
        parts = parse_parts(inside, source, listed=listed)
        out += [replace(parts[0], gap=gap), *parts[1:]]
    return out


def parse_bare_parts(node: Node) -> list[Part] | None:
    """The parts on one line, without the parentheses around a whole operand that change nothing.

    ``None`` where there are no such parentheses, or a comment stands in them.
    """
    pair = _outer_parentheses(node)
    if not pair:
        return None
    low, high = map(start_of, pair)
    if any(low < start_of(t) < high for t in node.tokens if t.is_comment):
        return None
    parts = parse_statement_parts(node, [t for t in node.tokens if t not in pair])
    return [replace(part, gap=_gap_without(part)) for part in parts]


def is_parenthesised(node: Node) -> bool:
    """Whether parentheses that change nothing stand around a whole operand, no tuple."""
    pair = _outer_parentheses(node)
    if not pair:
        return False
    low, high = map(start_of, pair)
    inside = [t for t in node.tokens if low < start_of(t) < high]
    return not any(inside[i].text == "," for i in loose_tokens(inside))


def _outer_parentheses(node: Node) -> tuple[Token, Token] | None:
    solid = [t for t in node.tokens if not t.is_comment]
    ends = (len(solid) - 1, len(solid) - 2 if solid[-1].text == ":" else len(solid) - 1)
    texts = [t.text for t in solid]
    for at, token in enumerate(solid):
        if token.text != "(" or is_call(texts, at):
            continue
        if (end := closing_bracket(solid, at)) in ends:
            pair = (token, solid[end])
            rest = [t for t in solid if t not in pair]
            return pair if normal_tokens(rest) == node.key else None
    return None


def _gap_without(part: Part) -> str:
    """The white space before *part* as it is without a parenthesis or a line break in it."""
    if ")" in part.gap:
        return ""
    return " " if "(" in part.gap or "\n" in part.gap else part.gap


def _last(parts: Sequence[Part]) -> Token | None:
    if not parts:
        return None
    last = parts[-1]
    return last.token if isinstance(last, Atom) else last.closer


def _within(token: Token, tokens: Sequence[Token]) -> bool:
    return start_of(tokens[0]) <= start_of(token) and end_of(token) <= end_of(tokens[-1])


def _sides(tokens: Sequence[Token], word: str) -> list[list[Token]]:
    """Cut at ``=`` and ``return``, and at ``with`` and its colon; the cuts are sides too."""
    cuts = {"with", ":"} if word == "with" else {"=", "return", "yield"}
    out: list[list[Token]] = []
    depth = 0
    fresh = True
    for token in tokens:
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        cut = depth == 0 and token.text in cuts
        if cut or fresh:
            out.append([])
        out[-1].append(token)
        fresh = cut
    return out


def _is_bare_list(tokens: Sequence[Token], *, listed: bool) -> bool:
    if listed:
        return not (tokens[0].text == "(" and closing_bracket(tokens, 0) == len(tokens) - 1)
    depth = commas = 0
    for token in tokens:
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        if depth == 0 and token.text in (":", "lambda", "def", "import", "for", "in"):
            return False
        commas += depth == 0 and token.text == ","
    return commas > 0 and tokens[-1].text != ","


def _bare_group(tokens: Sequence[Token], gap: str, source: Source, form: Form) -> Group:
    first, last = tokens[0], tokens[-1]
    opener = Token(first.type, "", *start_of(first), *start_of(first))
    closer = Token(last.type, "", *end_of(last), *end_of(last))
    return parse_group([opener, *tokens, closer], gap, source, form)


def without_fenced(node: Node) -> tuple[str, ...]:
    """The normal tokens of a statement or header without its fenced elements and operands."""
    fenced: set[tuple[int, int]] = set()
    _collect_fenced(parse_parts(node.tokens, Source(node)), fenced)
    spans = [b.span for b in statement_fences(node.tokens, node.lines, node.line).blocks]
    fenced |= {start_of(t) for t in node.tokens if any(s.start < t.line < s.end for s in spans)}
    tokens = [t for t in node.tokens if start_of(t) not in fenced]
    return normal_tokens(_without_stray_commas(tokens))


def statement_fences(tokens: Sequence[Token], lines: Sequence[str], first: int) -> Fences:
    """The fences among the *tokens* of one statement, whose *lines* start with line *first*."""
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines]
    return pair_fences(Comment(t, indents[t.line - first], "") for t in tokens if t.is_comment)


def _collect_fenced(parts: Sequence[Part], out: set[tuple[int, int]]) -> None:
    for part in parts:
        if isinstance(part, Atom):
            continue
        marked = fenced_elements(part.elements)
        for i, element in enumerate(part.elements):
            if i in marked:
                out.update(start_of(t) for t in element.tokens)
            else:
                _collect_fenced(parse_parts(element.tokens, element.source), out)


def fenced_elements(elements: Sequence[Element]) -> set[int]:
    """The indices of the elements that a marker trails, or that stand between two fences."""
    return {i for i, element in enumerate(elements) if element.is_fenced}


def _without_stray_commas(tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token.is_comment:
            continue
        if token.text == "," and (not out or out[-1].text == "," or out[-1].text in OPENERS):
            continue
        out.append(token)
    return out
