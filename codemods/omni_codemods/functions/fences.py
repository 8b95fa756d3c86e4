"""Marker comments → fences, and fences → blocks.

Real files are not tidy: opening and closing fence are often the same line, a closing one may be
bare dashes (elsewhere an ordinary heading), labels differ or are missing, and now and then a
fence has no partner. So fences pair per innermost function or class and per column, a bare line
of dashes only ever closes, and an orphan is reported and touches nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.findings.codes import BLOCK_IN_BLOCK, DASHES_CLOSE_NOTHING
from omni_codemods.findings.model import Block, Fence, FenceKind, Finding, Severity, Span
from omni_codemods.functions.fence_dialects import (
    BANNER,
    DASHES,
    FAMILIES,
    MODIFY,
    NEEDLE,
    NOTE,
    PATCH,
    find_fence,
    is_toggle,
)
from omni_codemods.text.lexer import Lexed, Token, lex

__all__ = [
    "BANNER",
    "DASHES",
    "MODIFY",
    "NEEDLE",
    "NOTE",
    "PATCH",
    "Comment",
    "Fences",
    "find_fence",
    "pair_fences",
    "parse_fences",
]


@dataclass(frozen=True, slots=True)
class Fences:
    """The fences of a text, the blocks they make, and a finding for each oddity."""

    fences: tuple[Fence, ...]
    blocks: tuple[Block, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with the scope it stands in; *indent* is the column of its line's first character.

    It stands on its own line where that is the comment's own.
    """

    token: Token
    indent: int
    scope: str

    @property
    def own_line(self) -> bool:
        """Whether nothing stands before it."""
        return self.indent == self.token.column


@dataclass(frozen=True, slots=True)
class _Open:
    """A fence that waits for its partner."""

    fence: Fence
    comment: Comment


@dataclass(slots=True)
class _Pairing:
    """Fences on their way to blocks; *waiting* are those that are open in a scope.

    *above* is how many lines of their file stand above the text.
    """

    above: int = 0
    fences: list[Fence] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    waiting: dict[str, list[_Open]] = field(default_factory=dict)
    marks: list[_Open] = field(default_factory=list)

    def take(self, comment: Comment) -> None:
        """Take the next comment of the text."""
        fence = find_fence(comment.token, own_line=comment.own_line)
        if fence is None:
            return
        if fence.kind is FenceKind.TRAILING:
            if is_toggle(fence):
                self.marks.append(_Open(fence, comment))
            else:
                self._mark(fence, comment)
            return
        opened = self._partner(fence, comment)
        if opened is not None:
            self._close(opened, _Open(fence, comment))
        elif fence.kind is FenceKind.OPENING:
            self.waiting.setdefault(comment.scope, []).append(_Open(fence, comment))
        elif fence.dialect != DASHES:
            self.fences.append(fence)
            self.findings.append(_orphan(fence))

    def _mark(self, fence: Fence, comment: Comment) -> None:
        self.fences.append(fence)
        self.blocks.append(Block(fence, None, Span(fence.line, fence.line), comment.scope))

    def _close(self, opened: _Open, closed: _Open) -> None:
        opening = replace(opened.fence, kind=FenceKind.OPENING)
        closing = replace(closed.fence, kind=FenceKind.CLOSING)
        span = Span(opening.line, closing.line)
        self.fences += [opening, closing]
        self.blocks.append(Block(opening, closing, span, opened.comment.scope))
        self.findings += _check_labels(opening, closing, self.above)

    def _partner(self, fence: Fence, comment: Comment) -> _Open | None:
        """Take the fence that *fence* closes out of those that wait, if there is one."""
        if fence.kind is FenceKind.OPENING and not is_toggle(fence):
            return None
        waiting = self.waiting.get(comment.scope, [])
        for i in range(len(waiting) - 1, -1, -1):
            if _is_pair(waiting[i], fence, comment):
                return waiting.pop(i)
        return None

    def finish(self) -> Fences:
        """Pair what is left with marks behind code; say what has no partner."""
        alone = [one for scope in self.waiting.values() for one in scope]
        for one in alone:
            ends = [mark for mark in self.marks if _is_end(one, mark)]
            if is_toggle(one.fence) and len(ends) == 1:
                self.marks.remove(ends[0])
                self._close(*sorted((one, ends[0]), key=lambda x: x.fence.line))
            else:
                self.fences.append(one.fence)
                self.findings.append(_orphan(one.fence))
        for mark in self.marks:
            self._mark(mark.fence, mark.comment)
        self.findings += _check_nesting(self.blocks, self.above)
        return Fences(
            tuple(sorted(self.fences, key=lambda f: (f.line, f.column))),
            tuple(sorted(self.blocks, key=lambda b: (b.span.start, b.opening.column))),
            tuple(sorted(self.findings, key=lambda f: (f.line, f.column))),
        )


def pair_fences(comments: Iterable[Comment], above: int = 0) -> Fences:
    """Pair the fences among *comments*, which come in the order of the text.

    *above* lines of the file stand above the text; messages name lines of the file.
    """
    every = list(comments)
    pairing = _Pairing(above)
    for comment in every:
        pairing.take(comment)
    found = pairing.finish()
    strays = tuple(_check_dashes(every, found, above))
    return replace(found, findings=(*found.findings, *strays))


def _is_pair(opened: _Open, fence: Fence, comment: Comment) -> bool:
    """Whether *fence* closes what is open: at the same column, or behind the last line of it."""
    if FAMILIES[opened.fence.dialect] != FAMILIES[fence.dialect]:
        return False
    start = opened.comment.indent
    return start == comment.indent or (start < comment.indent and not comment.own_line)


def _is_end(one: _Open, mark: _Open) -> bool:
    """Whether *mark*, behind code, may be the other end of the block of *one*."""
    if one.comment.scope != mark.comment.scope:
        return False
    if mark.fence.line < one.fence.line:
        return mark.comment.indent == one.comment.indent
    return mark.comment.indent >= one.comment.indent


def _check_nesting(blocks: Sequence[Block], above: int) -> Iterator[Finding]:
    """Yield a finding for each block that opens inside another one of its function."""
    pairs = [block for block in blocks if block.closing is not None]
    around = _enclosing(pairs)
    for inner in pairs:
        outer = around.get(id(inner))
        if outer is not None:
            yield Finding(
                BLOCK_IN_BLOCK.code,
                inner.opening.line,
                inner.opening.column,
                f"a block opens inside the one of line {outer.span.start + above}, which ends at "
                f"line {outer.span.end + above}",
                "close the outer one first, if it was to end here",
            )


def _enclosing(pairs: Sequence[Block]) -> dict[int, Block]:
    """The innermost other block of its scope around each block, by the block's id."""
    found: dict[int, Block] = {}
    opened: dict[object, list[Block]] = {}
    for block in sorted(pairs, key=lambda one: (one.span.start, -one.span.end)):
        outers = opened.setdefault(block.scope, [])
        while outers and outers[-1].span.end < block.span.start:
            outers.pop()
        for outer in reversed(outers):
            if outer.span.start < block.span.start and block.span.end <= outer.span.end:
                found[id(block)] = outer
                break
        outers.append(block)
    return found


def _check_dashes(comments: Sequence[Comment], found: Fences, above: int) -> Iterator[Finding]:
    """Yield a finding for each bare line of dashes that no block is open for, and no heading has.

    Behind a block that one banner closed which another opened, the two may be two openings.
    """
    closing = {fence.line for fence in found.fences}
    lines = {comment.token.line for comment in comments if comment.own_line}
    for comment in comments:
        fence = find_fence(comment.token, own_line=comment.own_line)
        if fence is None or fence.dialect != DASHES or fence.line in closing:
            continue
        if {fence.line - 1, fence.line + 1} & lines:
            continue
        before = [
            block
            for block in found.blocks
            if block.closing is not None
            and is_toggle(block.opening)
            and is_toggle(block.closing)
            and block.scope == comment.scope
            and block.opening.column == fence.column
            and block.span.end < fence.line
        ]
        if before:
            last = before[-1].span
            yield Finding(
                DASHES_CLOSE_NOTHING.code,
                fence.line,
                fence.column,
                f"this line of dashes closes nothing: the block before it was opened on line "
                f"{last.start + above} and closed by the banner of line {last.end + above}",
                "if that banner opens a block of its own, give the one before it its closing fence",
            )


def _check_labels(opening: Fence, closing: Fence, above: int) -> Iterator[Finding]:
    toggles = is_toggle(opening) or is_toggle(closing)
    if toggles or not closing.label or closing.label == opening.label:
        return
    yield Finding(
        "OP202",
        closing.line,
        closing.column,
        f"this fence closes {opening.label!r} (line {opening.line + above}) but says "
        f"{closing.label!r}",
        "give both ends of the block the same label",
    )


def _orphan(fence: Fence) -> Finding:
    side = "opened" if fence.kind is FenceKind.OPENING else "closed"
    lacks = "never closed" if fence.kind is FenceKind.OPENING else "never opened"
    return Finding(
        "OP201",
        fence.line,
        fence.column,
        f"a block is {side} here and {lacks}: {fence.text.strip()}",
        "put its partner at the same column of the same function or class, or remove the fence",
        Severity.ERROR,
    )


def parse_fences(text: str) -> Fences:
    """Return the fences and blocks of a whole file.

    Positions are lines (1-based) and columns (0-based) of *text*. Raises
    :class:`~omni_codemods.findings.errors.SourceError` where *text* cannot be tokenized.
    """
    if not NEEDLE.search(text):
        return Fences((), (), ())
    return pair_fences(_comments_with_scope(lex(text)))


def _comments_with_scope(lexed: Lexed) -> Iterator[Comment]:
    """All comments in order, each with the innermost function or class that it belongs to."""
    scopes: list[tuple[int, str]] = []
    own = list(lexed.comments)
    for line in lexed.logical:
        while own and own[0].line < line.start:
            token = own.pop(0)
            yield Comment(token, token.column, _scope_at(scopes, token.column))
        column = line.tokens[0].column
        while scopes and scopes[-1][0] >= column:
            scopes.pop()
        inside = _scope_at(scopes, column)
        words = [t.text for t in line.tokens[:3] if t.text != "async"]
        if words[0] in ("def", "class"):
            inside = f"{inside}.{words[1]}".lstrip(".")
            scopes.append((column, inside))
        for token in line.tokens:
            if token.is_comment:
                yield Comment(token, indent_of(lexed.lines[token.line - 1]), inside)
    for token in own:
        yield Comment(token, token.column, _scope_at(scopes, token.column))


def indent_of(line: str) -> int:
    """Return the column of the first character of *line* that is no white space."""
    return len(line) - len(line.lstrip(" \t\f"))


def _scope_at(scopes: list[tuple[int, str]], column: int) -> str:
    return next((name for start, name in reversed(scopes) if start < column), "")
