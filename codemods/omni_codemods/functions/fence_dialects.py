"""The spellings of fences, as data: the one grammar that pairing, merging and ``init`` read.

To teach the tool another spelling, add a :class:`Dialect` and, where its words are new, a needle.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.model import Fence, FenceKind
from omni_codemods.text.lexer import Token

BANNER, MARKED, DASHES = "omni-new", "omni-new-ends", "dashes"
PATCH, MODIFY, NOTE = "patch", "modify", "note"

# What people draw rules with; the long ones are what editors make of two hyphens.
_LONG = "—–―─━═−"
_RULE = rf"(?:[-=*#~_]{{2,}}|[{_LONG}]+)"
_BEFORE = rf"##?\s*(?:{_RULE}\s*)?"
_AFTER = rf"\s*(?:{_RULE})?\s*$"
_WORD = r"omni[-_ ]?(?:new|specific)"
_WHICH = r"(?P<which>start|begin|end|stop)\b"
_TEXT = rf"(?P<label>(?:[^\s:,=*#~_{_LONG}-].*?)?)"
_SAYS = rf"(?:\s*[:,{_LONG}-]\s*{_TEXT})?"
_LABEL = rf"\s*(?:{_RULE}|[:-])?\s*{_TEXT}"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One spelling: *pattern* matches a whole comment, its group ``label`` says what is fenced.

    A fence that has no group ``which`` is an opening one, or *trailing*. Fences of one *family*
    make a block; those of a *toggle* open and close by the same words. One that stands *alone* is
    none behind code, unless it is a toggle, which marks that line.
    """

    name: str
    pattern: re.Pattern[str]
    family: str
    toggle: bool = False
    trailing: bool = False
    closes: bool = False
    alone: bool = False


def _dialect(
    name: str,
    pattern: str,
    family: str = "",
    *,
    toggle: bool = False,
    trailing: bool = False,
    closes: bool = False,
    alone: bool = False,
) -> Dialect:
    compiled = re.compile(pattern, re.IGNORECASE)
    return Dialect(name, compiled, family or name, toggle, trailing, closes, alone)


# The first that matches counts: those that say which end they are come before those that do not.
DIALECTS = (
    _dialect(PATCH, rf"{_BEFORE}patch\s+{_WHICH}\s*:?\s*(?P<label>.*?){_AFTER}"),
    _dialect(MODIFY, rf"{_BEFORE}(?P<label>\w+)\s+modify\s+{_WHICH}{_AFTER}"),
    _dialect(MARKED, rf"{_BEFORE}{_WORD}\s*[:(\[]?\s*{_WHICH}[)\]]?{_SAYS}{_AFTER}", family=BANNER),
    _dialect(MARKED, rf"{_BEFORE}{_WHICH}(?:\s+of)?\s+{_WORD}\b{_SAYS}{_AFTER}", family=BANNER),
    _dialect(BANNER, rf"##?\s*{_RULE}\s*{_WORD}\b{_LABEL}{_AFTER}", toggle=True),
    _dialect(BANNER, rf"##?\s*{_WORD}\b{_LABEL}\s*{_RULE}\s*$", toggle=True),
    _dialect(
        DASHES, rf"#\s*(?:-{{10,}}|[{_LONG}]{{5,}})\s*$", family=BANNER, closes=True, alone=True
    ),
    _dialect(NOTE, rf"#\s*omni-(?:new|specific)\b{_LABEL}\s*$", trailing=True),
)
FAMILIES = {dialect.name: dialect.family for dialect in DIALECTS}
# What a text must have to hold a fence: asked before anything is tokenized. Plain ASCII.
NEEDLE = re.compile(
    rf"{_WORD}|(?:patch|modify)\s+(?:start|begin|end|stop)\b",
    re.IGNORECASE,
)
_BYTES = re.compile(NEEDLE.pattern.encode(), re.IGNORECASE)
_LINE = re.compile(rf"^[^#\n]*#[^\n]*?(?:{NEEDLE.pattern})[^\n]*", re.IGNORECASE | re.MULTILINE)
_CLOSING = frozenset({"end", "stop"})


def find_fence(token: Token, *, own_line: bool) -> Fence | None:
    """Read one comment as a fence, ``None`` where it is none.

    A toggle on its own line reads as opening; pairing tells which it is. Behind code it marks
    that line, until pairing finds that it is the missing end of a block.
    """
    text = token.text.rstrip()
    for dialect in DIALECTS:
        found = dialect.pattern.match(text)
        if found is None or (dialect.alone and not own_line):
            continue
        said = found.groupdict()
        marks = dialect.trailing or (dialect.toggle and not own_line)
        closing = dialect.closes or (said.get("which") or "").lower() in _CLOSING
        kind = FenceKind.CLOSING if closing else FenceKind.OPENING
        label = said.get("label") or ""
        kind = FenceKind.TRAILING if marks else kind
        return Fence(kind, dialect.name, token.line, token.column, token.text, label)
    return None


def is_toggle(fence: Fence) -> bool:
    """Whether *fence* may open as well as close."""
    return fence.dialect == BANNER


def may_hold_fences(text: str) -> bool:
    """Whether a comment of *text* is a fence, by its lines alone: it may stand in a string."""
    return any(True for _ in _roughly(text))


def may_hold_blocks(data: bytes) -> bool:
    """Whether a file has a comment that opens a block; nothing is parsed.

    A mark of a single line is not enough: its words may stand in any prose.
    """
    if not _BYTES.search(data):
        return False
    found = _roughly(data.decode("utf-8", errors="replace"))
    return any(fence.kind is FenceKind.OPENING or is_toggle(fence) for fence in found)


def _roughly(text: str) -> Iterator[Fence]:
    """The fences of *text*, without asking what is code and what a string."""
    for line in _LINE.findall(text):
        own_line = line.lstrip().startswith("#")
        starts = (n for n, c in enumerate(line) if c == "#" and line[n - 1 : n] != "#")
        for start in starts:
            comment = line[start:]
            token = Token(tokenize.COMMENT, comment, 1, start, 1, len(line))
            if fence := find_fence(token, own_line=own_line):
                yield fence
                break
