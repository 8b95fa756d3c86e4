"""Putting conflict hunks out of the way, so that a text with hunks can be worked on.

A hunk of statements becomes one placeholder statement; a hunk of a header becomes the target's
header with a mark behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

HUNK = re.compile(
    r"^<{7}[^\n]*\n(?P<local>.*?)^\|{7}[^\n]*\n(?P<base>.*?)"
    r"^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_CALL = "__omni_port_conflict__"
_MARK = "#@omni-port-conflict"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hunk, and the lines that stand for it."""

    stand_in: str
    hunk: str

    def find(self, text: str, number: int) -> re.Match[str] | None:
        """Where the stand-in of hunk *number* is in *text*, if it is there once and as it was."""
        if _MARK in self.stand_in:
            pattern = re.escape(self.stand_in)
        else:
            pattern = rf"^[ \t]*{_CALL}\({number}\)(?:\r?\n|\Z)"
        found = list(re.finditer(pattern, text, re.MULTILINE))
        return found[0] if len(found) == 1 else None


def hide_hunks(text: str) -> tuple[str, list[Hidden]]:
    """Return *text* without hunks, and what was hidden, in order."""
    hidden: list[Hidden] = []

    def stand_in(found: re.Match[str]) -> str:
        shown = _stand_in(found, len(hidden))
        hidden.append(Hidden(shown, found.group()))
        return shown

    return HUNK.sub(stand_in, text), hidden


def _stand_in(found: re.Match[str], number: int) -> str:
    whole = found.group()
    newline = whole[len(whole.rstrip("\r\n")) :]
    sides = [found["target"], found["local"], found["base"]]
    lines = next((x.splitlines(keepends=True) for x in sides if x.strip()), [])
    lines = [x for x in lines if x.strip()]
    if lines and lines[-1].split("#")[0].rstrip().endswith(":"):
        return "".join(lines).rstrip("\r\n") + f"  {_MARK} {number}{newline}"
    indent = re.match(r"[ \t]*", lines[0] if lines else "")
    return f"{indent.group() if indent else ''}{_CALL}({number}){newline}"


def show_hunks(text: str, hidden: Sequence[Hidden]) -> tuple[str, Callable[[int], int]] | None:
    """Put the hunks back, byte for byte.

    Returns the text, and a function from lines (1-based) of *text* to lines of it; ``None``
    where a stand-in was changed, doubled, or went into another hunk.
    """
    found = [h.find(text, number) for number, h in enumerate(hidden)]
    places = [(m.start(), m.end(), h) for m, h in zip(found, hidden, strict=True) if m]
    if len(places) < len(hidden) or any(_in_hunk(text, m.start()) for m in found if m):
        return None
    parts: list[str] = []
    grown: list[tuple[int, int]] = []
    at = 0
    for start, end, one in sorted(places, key=lambda place: place[0]):
        parts += [text[at:start], one.hunk]
        grown.append(
            (text.count("\n", 0, end) + 1, one.hunk.count("\n") - text.count("\n", start, end))
        )
        at = end

    def moved(line: int) -> int:
        return line + sum(extra for after, extra in grown if line >= after)

    return "".join([*parts, text[at:]]), moved


def _in_hunk(text: str, place: int) -> bool:
    return any(m.start() <= place < m.end() for m in HUNK.finditer(text))


def blank_hunks(text: str) -> str:
    """Return *text* with each hunk resolved to its target side, line for line as long as before."""

    def resolved(hunk: re.Match[str]) -> str:
        before = hunk.group().count("\n", 0, hunk.start("target") - hunk.start())
        return "\n" * before + hunk["target"] + "\n"

    return HUNK.sub(resolved, text)
