"""A statement taken apart: atoms and bracketed groups, each with its exact text."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from dataclasses import dataclass, replace

from omni_codemods.findings.model import FenceKind
from omni_codemods.functions.fences import find_fence
from omni_codemods.functions.tree import Node
from omni_codemods.text.canonical import normal_tokens
from omni_codemods.text.lexer import CLOSERS, OPENERS, Token


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


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A bracket and its elements. *head* and *foot* are comments that belong to no element.

    Where a tuple or the items of a ``with`` stand without brackets, both brackets are empty.
    """

    opener: Token
    closer: Token
    gap: str
    elements: tuple[Element, ...]
    head: str
    foot: tuple[str, ...]
    trailing_comma: bool
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
    """

    tokens: tuple[Token, ...]
    code: tuple[str, ...]
    key: str
    lead: tuple[str, ...]
    trail: str
    post: tuple[str, ...]
    own_line: bool
    source: Source

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
        """Whether a marker comment stands at the element."""
        words = (*self.lead, self.trail, *self.post)
        return any(fence_kind(c) for c in words if c)


Part = Atom | Group


def parse_parts(tokens: Sequence[Token], source: Source) -> list[Part]:
    """Take *tokens* apart; comments between them stay in the gaps."""
    out: list[Part] = []
    solid = [t for t in tokens if not t.is_comment]
    every = list(tokens)
    at = 0
    previous: Token | None = None
    while at < len(solid):
        token = solid[at]
        gap = source.cut(end_of(previous), start_of(token)) if previous else ""
        if token.text in OPENERS:
            end = closing_bracket(solid, at)
            first, last = every.index(token), every.index(solid[end])
            out.append(parse_group(every[first : last + 1], gap, source))
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


def parse_group(tokens: Sequence[Token], gap: str, source: Source) -> Group:
    """Take one bracket apart; *tokens* are from the opening to the closing one."""
    opener, closer = tokens[0], tokens[-1]
    chunks = _split(tokens[1:-1])
    head, chunks = _take_head(chunks, opener)
    elements = []
    trailing = False
    for i, (inside, comma, trail) in enumerate(chunks):
        before = chunks[i - 1][1] if i else opener
        element = _element(inside, trail, before, source, subscript=opener.text == "[")
        if element is not None:
            elements.append(element)
            trailing = comma is not None
    foot: tuple[str, ...] = ()
    if chunks and not any(not t.is_comment for t in chunks[-1][0]):
        foot = tuple(t.text for t in chunks[-1][0])
    elements, foot = _settle_closers(elements, foot)
    return Group(opener, closer, gap, tuple(elements), head, foot, trailing, source)


_Chunk = tuple[list[Token], "Token | None", str]


def _split(tokens: Sequence[Token]) -> list[_Chunk]:
    """Split at the commas of this level; a comment behind a comma goes with what is before it."""
    chunks: list[_Chunk] = []
    inside: list[Token] = []
    depth = 0
    i = 0
    while i < len(tokens):
        token = tokens[i]
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        if token.text == "," and depth == 0:
            trail = ""
            if (
                i + 1 < len(tokens)
                and tokens[i + 1].is_comment
                and tokens[i + 1].line == token.line
            ):
                i += 1
                trail = tokens[i].text
            chunks.append((inside, token, trail))
            inside = []
        else:
            inside.append(token)
        i += 1
    if inside:
        chunks.append((inside, None, ""))
    return chunks


def _take_head(chunks: list[_Chunk], opener: Token) -> tuple[str, list[_Chunk]]:
    if not chunks or not chunks[0][0]:
        return "", chunks
    first = chunks[0][0][0]
    if not first.is_comment or first.line != opener.line:
        return "", chunks
    return first.text, [(chunks[0][0][1:], *chunks[0][1:]), *chunks[1:]]


def _element(
    inside: list[Token], trail: str, before: Token | None, source: Source, *, subscript: bool
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
    key = "" if subscript else _key(code)
    return Element(core, code, key, lead, trail, tuple(post), own_line, source)


def _key(code: tuple[str, ...]) -> str:
    if len(code) < 2 or code[1] not in ("=", ":"):
        return ""
    if code[0].isidentifier() and not keyword.iskeyword(code[0]):
        return f"{code[0]}="
    return f"{code[0]}:" if code[0][0] in "\"'" else ""


def _settle_closers(
    elements: list[Element], foot: tuple[str, ...]
) -> tuple[list[Element], tuple[str, ...]]:
    """A closing fence stands before the next element, but belongs to the one before it."""
    out = list(elements)
    for i in range(1, len(out)):
        closers = 0
        while closers < len(out[i].lead) and fence_kind(out[i].lead[closers]) == "closing":
            closers += 1
        if closers:
            out[i - 1] = replace(out[i - 1], post=(*out[i - 1].post, *out[i].lead[:closers]))
            out[i] = replace(out[i], lead=out[i].lead[closers:])
    if out and foot and fence_kind(foot[0]) == "closing":
        out[-1] = replace(out[-1], post=(*out[-1].post, *foot))
        foot = ()
    return out, foot


def fence_kind(comment: str) -> str:
    """Return ``opening``, ``closing``, ``trailing``, or nothing for an ordinary comment."""
    fence = find_fence(Token(0, comment, 1, 0, 1, len(comment)), own_line=True)
    return "" if fence is None or fence.dialect == "dashes" else _NAMES[fence.kind]


_NAMES = {
    FenceKind.OPENING: "opening",
    FenceKind.CLOSING: "closing",
    FenceKind.TRAILING: "trailing",
}
