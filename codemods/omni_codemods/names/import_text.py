"""The text of one ``from`` import statement, and how names come and go in it.

Works on the statement's own text, so layout, comments and line ends outside the touched names
stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>#[^\r\n]*)|(?P<newline>\r\n|\n|\r)|(?P<continuation>\\(?:\r\n|\n|\r))"
    r"|(?P<word>[^\W\d]\w*)|(?P<mark>[.,()*])|(?P<space>[ \t\f]+)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One imported name: *start* to *end* is ``name as alias``; *comma* its end, or -1.

    *comment* is the trailing comment on the line where the item ends, if it is the last there.
    """

    name: str
    asname: str | None
    start: int
    end: int
    comma: int
    comment: str


@dataclass(frozen=True, slots=True)
class FromLayout:
    """Where things stand in a ``from`` import. Offsets are into *text*."""

    text: str
    module_start: int
    module_end: int
    items: tuple[Item, ...]
    closing: int

    @property
    def parenthesized(self) -> bool:
        """Whether the names stand in parentheses."""
        return self.closing >= 0


def parse_layout(text: str) -> FromLayout:
    """Read the *text* of a ``from ... import ...`` statement, which must be one."""
    tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup != "space"]
    imported = next(i for i, t in enumerate(tokens) if t.group() == "import" and i)
    head = [t for t in tokens[1:imported] if t.lastgroup in ("word", "mark")]
    items: list[Item] = []
    words: list[re.Match[str]] = []
    closing = -1
    for token in [*tokens[imported + 1 :], None]:
        if token is not None and (token.lastgroup == "word" or token.group() == "*"):
            words.append(token)
        elif token is None or token.group() in (",", ")"):
            if words:
                comma = token.end() if token is not None and token.group() == "," else -1
                items.append(_item(words, comma, text))
                words = []
            if token is not None and token.group() == ")":
                closing = token.start()
    return FromLayout(text, head[0].start(), head[-1].end(), tuple(items), closing)


def _item(words: Sequence[re.Match[str]], comma: int, text: str) -> Item:
    end = words[-1].end()
    after = re.match(r"[ \t]*(#[^\r\n]*)", text[max(end, comma) :])
    return Item(
        words[0].group(),
        words[-1].group() if len(words) == 3 else None,
        words[0].start(),
        end,
        comma,
        after[1] if after else "",
    )


def with_module(text: str, module: str) -> str:
    """The statement *text* importing from *module* instead."""
    layout = parse_layout(text)
    return text[: layout.module_start] + module + text[layout.module_end :]


def with_item(text: str, index: int, spelling: str) -> str:
    """The statement *text* with the item at *index* spelt *spelling*."""
    item = parse_layout(text).items[index]
    return text[: item.start] + spelling + text[item.end :]


def without_item(text: str, index: int) -> tuple[str, str]:
    """The statement *text* without the item at *index*, and the comment that went with it.

    The statement must keep another item. A comment goes along only where the item was alone
    on its line.
    """
    layout = parse_layout(text)
    item = layout.items[index]
    line_start, line_end = _line_bounds(text, item.start, max(item.end, item.comma))
    alone = not text[line_start : item.start].strip() and _only_comment(
        text[max(item.end, item.comma) : line_end]
    )
    if layout.parenthesized and alone:
        cut = text[:line_start] + text[line_end:]
        return _without_dangling_comma(cut, layout, index), item.comment
    if index + 1 < len(layout.items) and _same_line(text, item.end, layout.items[index + 1].start):
        return text[: item.start] + text[layout.items[index + 1].start :], ""
    if index:
        before = layout.items[index - 1]
        if item.comma >= 0:
            return text[: before.comma] + text[item.comma :], ""
        return text[: before.end] + text[item.end :], ""
    after = layout.items[1]
    return text[: item.start] + text[after.start :], ""


def _without_dangling_comma(cut: str, layout: FromLayout, index: int) -> str:
    # "(\n    a,\n    b\n)" without b would end in a comma that was not there before.
    last = index == len(layout.items) - 1
    if not last or layout.items[index].comma >= 0 or not index:
        return cut
    before = layout.items[index - 1]
    return cut[: before.end] + cut[before.comma :]


def with_new_item(text: str, spelling: str, newline: str) -> str:
    """The statement *text* with one item more, where it sorts if the list is sorted."""
    layout = parse_layout(text)
    name = spelling.split()[0]
    index = _sorted_index([item.name for item in layout.items], name)
    if index < len(layout.items):
        return _insert_before(layout, index, spelling, newline)
    last = layout.items[-1]
    line_start, _ = _line_bounds(text, last.start, last.end)
    own_line = layout.parenthesized and not text[line_start : last.start].strip()
    at = max(last.end, last.comma)
    if not own_line:
        return text[: last.end] + f", {spelling}" + text[last.end :]
    indent = text[line_start : last.start]
    comma = "" if last.comma >= 0 else ","
    rest = text[at:]
    comment = re.match(r"[ \t]*#[^\r\n]*", rest)
    tail = comment.group() if comment else ""
    end_comma = "," if last.comma >= 0 else ""
    return text[:at] + comma + tail + newline + indent + spelling + end_comma + rest[len(tail) :]


def _insert_before(layout: FromLayout, index: int, spelling: str, newline: str) -> str:
    item = layout.items[index]
    line_start, _ = _line_bounds(layout.text, item.start, item.end)
    indent = layout.text[line_start : item.start]
    separator = newline + indent if layout.parenthesized and not indent.strip() else " "
    return layout.text[: item.start] + f"{spelling},{separator}" + layout.text[item.start :]


def _sorted_index(names: list[str], name: str) -> int:
    for key in (_isort_key, str.casefold, str):
        if names == sorted(names, key=key):
            return sum(1 for other in names if _key(key, other) <= _key(key, name))
    return len(names)


def _key(key: Callable[[str], object], name: str) -> tuple[object, ...]:
    value = key(name)
    return value if isinstance(value, tuple) else (value,)


def _isort_key(name: str) -> tuple[int, str]:
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1, name) if name[:1].isupper() else (2, name)


def _line_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    before = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    after = re.compile(r"\r\n|\n|\r").search(text, end)
    return before, after.end() if after else len(text)


def _only_comment(text: str) -> bool:
    return re.fullmatch(r"[ \t]*(#[^\r\n]*)?(\r\n|\n|\r)", text) is not None


def _same_line(text: str, start: int, end: int) -> bool:
    return "\n" not in text[start:end] and "\r" not in text[start:end]
