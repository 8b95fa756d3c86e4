"""Marker comments → fences, and fences → blocks.

Real files are not tidy: opening and closing fence are often the same line, a closing one may be
bare dashes (elsewhere an ordinary heading), labels differ or are missing, and now and then a
fence has no partner. So fences pair per innermost function or class and per column, a bare line
of dashes only ever closes, and an orphan is reported and touches nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from omni_codemods.findings.model import Block, Fence, FenceKind, Finding, Severity, Span
from omni_codemods.text.lexer import Lexed, Token, lex

_BANNER = re.compile(r"#\s*-{2,}\s*omni-new\b:?\s*(?P<label>.*?)\s*-*\s*$", re.IGNORECASE)
_BANNER_TAIL = re.compile(r"#\s*omni-new\b:?\s*(?P<label>.*?)\s*-{2,}\s*$", re.IGNORECASE)
_NOTE = re.compile(r"#\s*(?:omni-new|omni-specific)\b:?\s*(?P<label>.*?)\s*$", re.IGNORECASE)
_PATCH = re.compile(
    r"#\s*#*\s*PATCH\s+(?P<which>START|END)\b\s*:?\s*(?P<label>.*?)\s*#*\s*$", re.IGNORECASE
)
_MODIFY = re.compile(
    r"#\s*=*\s*(?P<label>\w+)\s+modify\s+(?P<which>start|end)\b\s*=*\s*$", re.IGNORECASE
)
_DASHES = re.compile(r"#\s*-{10,}\s*$")
NEEDLE = re.compile(r"omni-new|omni-specific|patch\s+(?:start|end)|modify\s+(?:start|end)", re.I)

BANNER, DASHES, PATCH, MODIFY, NOTE = "omni-new", "dashes", "patch", "modify", "note"


@dataclass(frozen=True, slots=True)
class Fences:
    """The fences of a text, the blocks they make, and a finding for each oddity."""

    fences: tuple[Fence, ...]
    blocks: tuple[Block, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with the scope it stands in; *own_line* when nothing stands before it."""

    token: Token
    own_line: bool
    scope: str


def find_fence(token: Token, *, own_line: bool) -> Fence | None:
    """Read one comment as a fence. A banner reads as opening; pairing tells which it is."""
    text = token.text.rstrip()
    for pattern, dialect in ((_PATCH, PATCH), (_MODIFY, MODIFY)):
        if found := pattern.match(text):
            closing = found["which"].lower() == "end"
            kind = FenceKind.CLOSING if closing else FenceKind.OPENING
            return _fence(token, kind, dialect, found["label"])
    if own_line and (found := _BANNER.match(text) or _BANNER_TAIL.match(text)):
        return _fence(token, FenceKind.OPENING, BANNER, found["label"])
    if own_line and _DASHES.match(text):
        return _fence(token, FenceKind.CLOSING, DASHES, "")
    if found := _NOTE.match(text):
        return _fence(token, FenceKind.TRAILING, NOTE, found["label"])
    return None


def _fence(token: Token, kind: FenceKind, dialect: str, label: str) -> Fence:
    return Fence(kind, dialect, token.line, token.column, token.text, label)


def pair_fences(comments: Iterable[Comment]) -> Fences:
    """Pair the fences among *comments*, which come in the order of the text."""
    fences: list[Fence] = []
    blocks: list[Block] = []
    findings: list[Finding] = []
    open_: dict[tuple[str, int], list[Fence]] = {}
    for comment in comments:
        fence = find_fence(comment.token, own_line=comment.own_line)
        if fence is None:
            continue
        if fence.kind is FenceKind.TRAILING:
            fences.append(fence)
            blocks.append(Block(fence, None, Span(fence.line, fence.line), comment.scope))
            continue
        waiting = open_.setdefault((comment.scope, fence.column), [])
        partner = _partner(fence, waiting)
        if partner is not None:
            closing = replace(fence, kind=FenceKind.CLOSING)
            fences.append(closing)
            blocks.append(Block(partner, closing, Span(partner.line, fence.line), comment.scope))
            findings += _check_labels(partner, closing)
        elif fence.kind is FenceKind.OPENING:
            fences.append(fence)
            waiting.append(fence)
        elif fence.dialect != DASHES:
            fences.append(fence)
            findings.append(_orphan(fence))
    findings += [_orphan(f) for waiting in open_.values() for f in waiting]
    blocks.sort(key=lambda b: (b.span.start, b.opening.column))
    findings.sort(key=lambda f: (f.line, f.column))
    return Fences(tuple(fences), tuple(blocks), tuple(findings))


def _partner(fence: Fence, waiting: list[Fence]) -> Fence | None:
    """Take the fence that *fence* closes out of *waiting*, if there is one."""
    wanted = BANNER if fence.dialect == DASHES else fence.dialect
    if fence.kind is FenceKind.OPENING and fence.dialect != BANNER:
        return None
    for i in range(len(waiting) - 1, -1, -1):
        if waiting[i].dialect == wanted:
            return waiting.pop(i)
    return None


def _check_labels(opening: Fence, closing: Fence) -> Iterator[Finding]:
    if opening.dialect != PATCH or not closing.label or closing.label == opening.label:
        return
    yield Finding(
        "OP202",
        closing.line,
        closing.column,
        f"this fence closes {opening.label!r} (line {opening.line}) but says {closing.label!r}",
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
            yield Comment(token, True, _scope_at(scopes, token.column))
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
                before = lexed.lines[token.line - 1][: token.column]
                yield Comment(token, not before.strip(), inside)
    for token in own:
        yield Comment(token, True, _scope_at(scopes, token.column))


def _scope_at(scopes: list[tuple[int, str]], column: int) -> str:
    return next((name for start, name in reversed(scopes) if start < column), "")
