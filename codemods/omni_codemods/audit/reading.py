"""A function as rows: each simple statement and each header, with its code as one string."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.reads import as_module
from omni_codemods.text.canonical import normal_tokens
from omni_codemods.text.lexer import Token, lex, split_lines
from omni_codemods.text.parsing import shared_tree
from omni_codemods.text.walks import TRIES

_STRING_OR_COMMENT = re.compile(
    r'("""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\''
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|#[^\n]*',
    re.DOTALL,
)
_NAME = re.compile(r"(\bdef\s+)\w+")
_LAYOUT = str.maketrans("", "", '(),"')
_SUITES = ("body", "handlers", "cases", "orelse", "finalbody")


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A simple statement, a decorator, or the header of a compound: lines *line* to *end*.

    *key* is its code without white space and comments, *source* its text, *node* what it is part
    of, *path* the headers that it stands under, by their keys, and which of their suites. Two rows
    may be the same code with different keys: see :func:`canonical`.
    """

    key: str
    source: str
    line: int
    end: int
    node: ast.AST
    path: tuple[tuple[str, str], ...] = ()

    @property
    def flat(self) -> str:
        """What is left of the code where all that layout may change is left out of it."""
        return self.key.translate(_LAYOUT)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One version of the function; lines are counted from its first, which is *start* in its file.

    *hunks* are the lines that stand in a conflict. Lines of nodes are *above* more than those.
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef
    rows: tuple[Row, ...]
    start: int
    text: str
    hunks: frozenset[int] = frozenset()
    by_key: dict[str, list[Row]] = field(default_factory=dict)
    by_flat: dict[str, list[Row]] = field(default_factory=dict)
    above: int = 0

    def place(self, row: Row) -> int:
        """The line of *row* in the file."""
        return row.line + self.start - 1

    def place_of(self, node: ast.expr | ast.stmt) -> int:
        """The line of *node* in the file."""
        return node.lineno - self.above + self.start - 1

    def is_in_hunk(self, node: ast.expr | ast.stmt) -> bool:
        """Whether *node* begins in a conflict."""
        return node.lineno - self.above in self.hunks

    def arms(self) -> Iterator[tuple[str, str, Sequence[ast.AST]]]:
        """Each suite, with the header that it is of (a ``try`` has none) and which of its arms."""
        keys = {id(row.node): row.key for row in self.rows}
        waiting: list[ast.AST] = [self.function]
        while waiting:
            node = waiting.pop()
            for name, suite in suites_of(node):
                yield keys.get(id(node), ""), name, suite
                waiting += suite


def read_side(text: str, start: int, hunks: frozenset[int] = frozenset()) -> Side | None:
    """Read the text of one function, ``None`` where it is not Python for the running one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    module = as_module(text)
    tree = shared_tree(module)
    if tree is None:
        return None
    above = module.count("\n") - text.count("\n")
    body = tree.body[0].body if above and isinstance(tree.body[0], ast.If) else tree.body
    function = body[0]
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    rows = tuple(_Reader(function, split_lines(module), above).read(function))
    side = Side(function, rows, start, text, hunks, above=above)
    for row in rows:
        side.by_key.setdefault(row.key, []).append(row)
        side.by_flat.setdefault(row.flat, []).append(row)
    return side


@lru_cache(maxsize=4096)
def canonical(source: str) -> tuple[str, ...]:
    """The tokens of a row's *source* without layout; an ``elif`` is an ``if``."""
    try:
        lexed = lex(source.strip() + "\n")
    except SourceError:
        return (squeezed(source),)
    tokens: list[Token] = [token for line in lexed.logical for token in line.tokens]
    words = normal_tokens(tokens)
    return ("if", *words[1:]) if words[:1] == ("elif",) else words


def squeezed(source: str) -> str:
    """*source* without comments and white space, in double quotes, no comma before a bracket."""
    if "#" in source:
        source = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", source)
    out = "".join(source.split()).replace("'", '"').replace("\\", "")
    if ",)" in out or ",]" in out or ",}" in out:
        out = out.replace(",)", ")").replace(",]", "]").replace(",}", "}")
    return out


def suites_of(node: ast.AST) -> Iterator[tuple[str, Sequence[ast.AST]]]:
    """The suites of a compound, its handlers and its cases, by the names of their fields."""
    for name in _SUITES:
        inner = getattr(node, name, None)
        if isinstance(inner, list) and inner:
            yield name, inner


def is_remark(node: ast.AST) -> bool:
    """Whether a statement does nothing: ``pass``, a docstring, an ellipsis."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Pass)


class _Reader:
    """Cuts rows out of *lines*, of which the first *above* are not the function's."""

    def __init__(self, function: ast.AST, lines: list[str], above: int) -> None:
        self.function, self.lines, self.above = function, lines, above
        self.path: tuple[tuple[str, str], ...] = ()

    def read(self, node: ast.AST) -> Iterator[Row]:
        for decorator in getattr(node, "decorator_list", ()):
            yield self._row(decorator, decorator.end_lineno, decorator, "@")
        suites = list(suites_of(node))
        if not suites:
            if not is_remark(node):
                end = getattr(node, "end_lineno", None)
                yield self._row(node, end, node)
            return
        key = "try:"
        if not isinstance(node, TRIES):
            header = self._header(node, suites[0][1][0])
            key = header.key
            yield header
        outer = self.path
        for name, suite in suites:
            if node is not self.function:
                self.path = (*outer, (key, name))
            for inner in suite:
                yield from self.read(inner)
        self.path = outer

    def _row(self, node: ast.AST, end: int | None, owner: ast.AST, mark: str = "") -> Row:
        first = getattr(node, "lineno", 1)
        last = end or first
        source = mark + self._cut((first, node.col_offset), (last, node.end_col_offset))  # type: ignore[attr-defined]
        return Row(
            squeezed(source), source, first - self.above, last - self.above, owner, self.path
        )

    def _header(self, node: ast.AST, inner: ast.AST) -> Row:
        at = node.pattern if isinstance(node, ast.match_case) else node
        first, column = at.lineno, at.col_offset  # type: ignore[attr-defined]
        if isinstance(node, ast.match_case):
            column = len(self.lines[first - 1]) - len(self.lines[first - 1].lstrip())
        place = _first(inner)
        if place[0] > first:
            source = self._cut((first, column), (place[0], 0))
        else:
            source = self._cut((first, column), place)
        end = first + source.rstrip().count("\n")
        if node is self.function:  # what it is called is none of its code
            source = _NAME.sub(r"\1_", source, count=1)
        key = squeezed(source)
        if key.startswith("elif"):
            key = key[2:]
        return Row(key, source, first - self.above, end - self.above, node, self.path)

    def _cut(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """The text from *start* to *end*, lines and columns (in bytes) as :mod:`ast` counts."""
        first, last = self.lines[start[0] - 1], self.lines[end[0] - 1]
        left, right = start[1], end[1]
        if not first.isascii():
            left = len(first.encode()[:left].decode())
        if not last.isascii():
            right = len(last.encode()[:right].decode())
        if start[0] == end[0]:
            return first[left:right]
        return "".join([first[left:], *self.lines[start[0] : end[0] - 1], last[:right]])


def _first(node: ast.AST) -> tuple[int, int]:
    """Where *node* begins, its decorators with it."""
    if isinstance(node, ast.match_case):
        return node.pattern.lineno, 0
    places = [(node.lineno, node.col_offset)]  # type: ignore[attr-defined]
    places += [(d.lineno, 0) for d in getattr(node, "decorator_list", ())]
    return min(places)
