"""Putting conflict hunks out of the way, so that a text with hunks can be worked on.

A hunk of statements becomes one placeholder statement; a hunk of a header becomes the target's
header with a mark behind it.
"""

from __future__ import annotations

import re

HUNK = re.compile(
    r"^<{7}[^\n]*\n(?P<local>.*?)^\|{7}[^\n]*\n(?P<base>.*?)^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*\n",
    re.MULTILINE | re.DOTALL,
)
_CALL = "__omni_port_conflict__"
_MARK = "#@omni-port-conflict"


def hide_hunks(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return *text* without hunks, and for each hunk what stands for it and its own text."""
    hidden: list[tuple[str, str]] = []

    def stand_in(found: re.Match[str]) -> str:
        number = len(hidden)
        body = found["target"] if found["target"].strip() else found["local"]
        lines = [x for x in body.splitlines(keepends=True) if x.strip()]
        if lines and lines[-1].split("#")[0].rstrip().endswith(":"):
            shown = "".join(lines).rstrip("\r\n") + f"  {_MARK} {number}\n"
        else:
            other = found["base"] if not lines else body
            indent = re.match(r"[ \t]*", other or "")
            assert indent is not None
            shown = f"{indent.group()}{_CALL}({number})\n"
        hidden.append((shown, found.group()))
        return shown

    return HUNK.sub(stand_in, text), hidden


def show_hunks(text: str, hidden: list[tuple[str, str]]) -> str | None:
    """Put the hunks back; ``None`` where a stand-in was changed."""
    for number, (shown, hunk) in enumerate(hidden):
        if _MARK in shown:
            before, mark = text.count(shown), shown
        else:
            mark = rf"^[ \t]*{_CALL}\({number}\)\n"
            before = len(re.findall(mark, text, flags=re.MULTILINE))
        if before != 1:
            return None
        if _MARK in shown:
            text = text.replace(shown, hunk)
        else:
            text = re.sub(mark, hunk.replace("\\", "\\\\"), text, count=1, flags=re.MULTILINE)
    return text


def is_stand_in(words: tuple[str, ...], comments: list[str]) -> bool:
    """Whether a statement with these tokens and comments stands for a hunk."""
    return _CALL in words or any(c.startswith(_MARK) for c in comments)
