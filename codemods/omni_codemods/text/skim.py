"""A file without the bodies of its functions: quick to parse, and outside of them the same.

Most of a file is bodies, and most of the time that a parse takes goes into the nodes of its tree.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

_LONG = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""' + r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
_SHORT = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"' + r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_QUOTES = re.compile(r'"""|' + "'''")
_STRING = re.compile(rf"#[^\n]*|{_LONG}|{_SHORT}", re.DOTALL)
_HEADER = re.compile(rf"#[^\n]*|{_LONG}|{_SHORT}|[()\[\]{{}}:]", re.DOTALL)
_DEF = re.compile(r"def\b")
_BEFORE_DEF = re.compile(r"([ \t]*)(?:async[ \t]+)?")
_REST = re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n")
_BLANK = re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n?")


def without_bodies(text: str) -> str:
    """Return *text* with each function's body emptied, but for a ``pass`` in its last line.

    Lines keep their numbers. Bodies are told by their indentation: where a bracket or a continued
    line closes further left, what comes out is not Python though *text* is.
    """
    if "\f" in text or text.count("\r") != text.count("\r\n"):
        return text
    strings = list(_long_strings(text))
    opened = [start for start, _ in strings]

    def is_inside(offset: int) -> bool:
        k = bisect_right(opened, offset - 1) - 1
        return k >= 0 and offset < strings[k][1]

    out: list[str] = []
    done = 0
    for found in _DEF.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        before = _BEFORE_DEF.fullmatch(text, start, found.start())
        if start < done or before is None or is_inside(start):
            continue
        header = _REST.match(text, _header_end(text, found.end()))
        if header is None:
            continue  # the body stands on the header's line
        ends = _left_of(len(before[1])).finditer(text, header.end() - 1)
        end = next((e.start() + 1 for e in ends if not is_inside(e.start() + 1)), len(text))
        last = _last_line(text, header.end(), end, is_inside)
        emptied = "\n" * text.count("\n", header.end(), last)
        out += (text[done : header.end()], emptied, before[1], " pass\n")
        done = text.find("\n", last) + 1 or len(text)
    return "".join([*out, text[done:]])


def _long_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where the triple-quoted strings of *text* start and end."""
    done = 0
    while quotes := _QUOTES.search(text, done):
        # What they mean shows from the start of their line, or of the lines that it continues.
        at = max(done, text.rfind("\n", 0, quotes.start()) + 1)
        while at > done and text[at - 2 : at] == "\\\n":
            at = max(done, text.rfind("\n", 0, at - 1) + 1)
        found = next((f for f in _STRING.finditer(text, at) if f.end() > quotes.start()), quotes)
        if found.start() == quotes.start():
            yield found.span()
        done = found.end()


@functools.lru_cache(maxsize=16)
def _left_of(column: int) -> re.Pattern[str]:
    """What finds a line end before code that starts at *column* or left of it."""
    return re.compile(rf"\n(?=[ \t]{{0,{column}}}[^ \t\r\n#])")


def _header_end(text: str, at: int) -> int:
    """The place behind the colon that ends the header which goes on at *at*."""
    depth = 0
    for token in _HEADER.finditer(text, at):
        if token[0] == ":" and depth == 0:
            return token.end()
        depth += (token[0] in "([{") - (token[0] in ")]}")
    return len(text)


def _last_line(text: str, start: int, end: int, is_inside: Callable[[int], bool]) -> int:
    """Where the last line of code of a body starts, which stands from *start* to *end*."""
    at = end
    while at > start:
        at = text.rfind("\n", start, at - 1) + 1 or start
        if is_inside(at) or not _BLANK.fullmatch(text, at, end):
            return at
        end = at
    return start
