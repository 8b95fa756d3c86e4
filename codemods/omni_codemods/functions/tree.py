"""A function as nested statements that keep their exact text.

The text is dedented on the way in, so that a method and a plain function compare. A tree holds

- *statements*: simple ones, and compound ones written on one line;
- *compounds*: a list of clauses (``if``/``elif``/``else``, ``try``/``except``..., the decorators
  and the ``def`` of a function), with comments between them;
- *clauses*: a header and a body;
- *comments* on lines of their own.

Every line of the function belongs to exactly one node, or to the blank lines before one.
"""

from __future__ import annotations

import enum
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.dedented import lex_dedented, unfolded
from omni_codemods.text.canonical import as_words, normal_tokens, unindented
from omni_codemods.text.lexer import Lexed, LogicalLine, Token


class Kind(enum.Enum):
    """What a :class:`Node` stands for."""

    STATEMENT = "statement"
    COMPOUND = "compound"
    CLAUSE = "clause"
    COMMENT = "comment"


_CONTINUES = frozenset({"elif", "else", "except", "finally"})


class Node:
    """One node. Identity is by object: two equal statements are two nodes.

    *lines* is the own text (a clause's header; nothing for a compound), *blanks* the blank
    lines before it, *line* its first line, 1-based, in the function's text, *end_line* its last,
    children included. *indent* is the white space before it and, for a clause, *body_indent* that
    before its children.
    *key* are the normal tokens of the own text and *head* the same as one string; *code* is
    *head* with that of all children, comments left out: equal *code* is equal code.
    """

    __slots__ = (
        "_features",
        "_grams",
        "blanks",
        "body_indent",
        "children",
        "code",
        "end_line",
        "fence",
        "head",
        "indent",
        "index",
        "key",
        "kind",
        "line",
        "lines",
        "parent",
        "size",
        "tokens",
        "word",
    )

    def __init__(self, kind: Kind, line: int, indent: str) -> None:
        self.kind = kind
        self.line = line
        self.indent = indent
        self.lines: tuple[str, ...] = ()
        self.tokens: tuple[Token, ...] = ()
        self.blanks: tuple[str, ...] = ()
        self.children: list[Node] = []
        self.parent: Node | None = None
        self.index = 0
        self.body_indent = ""
        self.key: tuple[str, ...] = ()
        self.head = ""
        self.code = ""
        self.size = 0
        self.end_line = line
        self.word = ""
        self.fence = False
        self._grams: list[object] | None = None
        self._features: frozenset[object] | None = None

    @property
    def is_code(self) -> bool:
        """Whether the node is more than a comment."""
        return self.kind is not Kind.COMMENT

    @property
    def features(self) -> frozenset[object]:
        """The words and word pairs of the node's code, and each again for every time that it
        comes again: what likeness compares. Worked out when first asked for, since most code is
        simply equal."""
        if self._features is None:
            counted = Counter(self._listed())
            more = ((g, n) for g, count in counted.items() if count > 1 for n in range(1, count))
            self._features = frozenset(itertools.chain(counted, more))
        return self._features

    def _listed(self) -> list[object]:
        if self._grams is None:
            self._grams = []
            if self.is_code:
                words = as_words(self.key)
                both = zip(self.key, words, strict=True)
                self._grams += [w for t, w in both if t[0].isalnum() or t[0] in "_\"'"]
                self._grams += itertools.pairwise(words)
            for child in self.children:
                self._grams += child._listed()
        return self._grams

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it, in the order of the text."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def upwards(self) -> Iterator[Node]:
        """Yield the node and all around it, the function last."""
        at: Node | None = self
        while at is not None:
            yield at
            at = at.parent

    def text(self) -> str:
        """The exact (dedented) text of the node without the blank lines that lead it."""
        out = list(self.lines)
        for child in self.children:
            if out or child is not self.children[0]:
                out.extend(child.blanks)
            out.append(child.text())
        return "".join(out)

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.line}: {' '.join(self.key)[:50]}>"


class Tree:
    """A parsed function: its *root* compound, its dedented *lines*, and the blank ones after it.

    *written* are the lines as they came: a function on one line is taken apart to be parsed.
    *interior* are the numbers of the lines that are never indented: those that start inside a
    string, and those that stand left of the function.
    """

    __slots__ = ("interior", "lines", "root", "tail", "written")

    def __init__(
        self,
        root: Node,
        lines: Sequence[str],
        interior: frozenset[int],
        written: Sequence[str] | None = None,
    ) -> None:
        self.root = root
        self.lines = tuple(lines)
        self.written = self.lines if written is None else tuple(written)
        self.interior = interior
        self.tail = self.lines[root.end_line :]

    @property
    def text(self) -> str:
        """The dedented text."""
        return "".join(self.lines)


def parse_function(text: str) -> Tree:
    """Parse the text of one function, decorators included, at any indentation, ``\\n`` ended.

    Raises :class:`SourceError` where it cannot be tokenized or is not one function.
    """
    written = lexed = lex_dedented(text)
    if (joined := unfolded(lexed)) is not None:
        lexed = lex_dedented(joined)
    root = _Builder(lexed).build()
    _number(root, lexed.lines)
    _describe(root)
    return Tree(root, lexed.lines, lexed.string_interior, written.lines)


class _Builder:
    """Logical lines and comments, in the order of the text, into nodes."""

    def __init__(self, lexed: Lexed) -> None:
        self.lexed = lexed
        self.at = 0
        self.comment = 0

    def build(self) -> Node:
        """Return the compound of the function."""
        items = self._block(0, 0)
        functions = [n for n in items if n.kind is Kind.COMPOUND]
        if len(items) != 1 or not functions:
            raise SourceError("not exactly one function", line=1, column=0)
        return functions[0]

    def _peek(self) -> LogicalLine | None:
        logical = self.lexed.logical
        return logical[self.at] if self.at < len(logical) else None

    def _comments(self, before: int, column: int) -> Iterator[Node]:
        """Take the comments above line *before*, as long as they stand at *column* or deeper."""
        comments = self.lexed.comments
        while self.comment < len(comments):
            token = comments[self.comment]
            if token.line >= before or token.column < column:
                return
            self.comment += 1
            node = Node(Kind.COMMENT, token.line, self.lexed.lines[token.line - 1][: token.column])
            node.tokens = (token,)
            node.lines = self.lexed.lines[token.line - 1 : token.line]
            yield node

    def _block(self, depth: int, column: int) -> list[Node]:
        out: list[Node] = []
        while (line := self._peek()) is not None and line.depth >= depth:
            out.extend(self._comments(line.start, 0))
            out.append(self._item(depth))
        end = line.start if line is not None else len(self.lexed.lines) + 1
        out.extend(self._comments(end, column))
        return out

    def _item(self, depth: int) -> Node:
        line = self.lexed.logical[self.at]
        decorated = line.tokens[0].text == "@"
        compound = Node(Kind.COMPOUND, line.start, self._indent(line))
        if decorated:
            self._decorators(compound, depth)
        elif not self._opens_block(self.at) and not self._continues(self.at + 1, depth):
            self.at += 1
            return self._own(Kind.STATEMENT, line)
        compound.children.append(self._clause())
        while self._continues(self.at, depth):
            column = len(compound.indent)
            compound.children.extend(self._comments(self.lexed.logical[self.at].start, column))
            compound.children.append(self._clause())
        return compound

    def _decorators(self, compound: Node, depth: int) -> None:
        holder = Node(Kind.CLAUSE, compound.line, compound.indent)
        holder.body_indent = compound.indent
        holder.word = "@"
        while (line := self.lexed.logical[self.at]).tokens[0].text == "@" and line.depth == depth:
            holder.children.extend(self._comments(line.start, 0))
            holder.children.append(self._own(Kind.STATEMENT, line))
            self.at += 1
        holder.children.extend(self._comments(line.start, 0))
        compound.children.append(holder)

    def _clause(self) -> Node:
        line = self.lexed.logical[self.at]
        opens = self._opens_block(self.at)
        node = self._own(Kind.CLAUSE, line)
        self.at += 1
        if opens:
            body = self.lexed.logical[self.at]
            node.body_indent = self._indent(body)
            node.children = self._block(body.depth, len(node.body_indent))
        return node

    def _opens_block(self, at: int) -> bool:
        logical = self.lexed.logical
        return at + 1 < len(logical) and logical[at + 1].depth > logical[at].depth

    def _continues(self, at: int, depth: int) -> bool:
        logical = self.lexed.logical
        return (
            at < len(logical)
            and logical[at].depth == depth
            and logical[at].tokens[0].text in _CONTINUES
        )

    def _indent(self, line: LogicalLine) -> str:
        text = self.lexed.lines[line.start - 1]
        return text[: len(text) - len(text.lstrip(" \t"))]

    def _own(self, kind: Kind, line: LogicalLine) -> Node:
        node = Node(kind, line.start, self._indent(line))
        node.tokens = tuple(line.tokens)
        node.lines = self.lexed.lines[line.start - 1 : line.end]
        words = [t.text for t in line.tokens[:2] if not t.is_comment]
        node.word = words[1] if words[0] == "async" and len(words) > 1 else words[0]
        return node


def _number(root: Node, lines: Sequence[str]) -> None:
    """Give each node its parent, its index, and the blank lines before it."""
    last = 0
    for node in root.walk():
        for i, child in enumerate(node.children):
            child.parent, child.index = node, i
        if node.lines:
            _give_blanks(node, tuple(lines[last : node.line - 1]))
            last = node.line + len(node.lines) - 1


def _give_blanks(node: Node, blanks: tuple[str, ...]) -> None:
    """Blank lines before a compound are before its first clause, and belong to the compound."""
    while node.parent is not None and node.index == 0 and not node.parent.lines:
        node = node.parent
    node.blanks = blanks


def _describe(node: Node) -> None:
    """Fill in keys and sizes bottom-up."""
    node.key = (node.tokens[0].text,) if node.kind is Kind.COMMENT else normal_tokens(node.tokens)
    if node.kind is Kind.STATEMENT and len(node.key) == 1 and node.key[0][-1] in "\"'":
        node.key = (unindented(node.key[0]),)
    node.size = len(node.key) if node.is_code else 1
    node.end_line = node.line + max(0, len(node.lines) - 1)
    for child in node.children:
        _describe(child)
        node.end_line = max(node.end_line, child.end_line)
        node.size += child.size if child.is_code else 0
    node.head = " ".join(node.key)
    inner = [c.code for c in node.children if c.is_code]
    node.code = f"{node.head}{{{';'.join(inner)}}}" if inner else node.head
