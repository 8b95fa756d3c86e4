"""Unified diffs that ``git apply`` and ``patch`` take."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

from omni_port.base.shown import quoted_name


def unified_diff(before: str, after: str, path: str, *, context: int = 3) -> str:
    """Return the diff that turns *before* into *after*; empty where they are equal.

    Lines end at ``\\n`` alone, so a form feed or a ``\\r\\n`` stays part of its line; a missing
    final newline is marked. *path* is printed relative, after ``a/`` and ``b/``.
    """
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    name = _relative(path)
    parts = [
        f"{mark} {_header_name(f'{side}/{name}')}\n" for mark, side in (("---", "a"), ("+++", "b"))
    ]
    for group in _groups(old, new, context):
        parts.append(_header(group))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                parts.extend(_marked(" ", old[i1:i2]))
            else:
                parts.extend(_marked("-", old[i1:i2]))
                parts.extend(_marked("+", new[j1:j2]))
    return "".join(parts)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _header_name(name: str) -> str:
    # A tab ends a name that has a space in it, as in git's own.
    quoted = quoted_name(name)
    return f"{quoted}\t" if " " in name and quoted == name else quoted


def _relative(path: str) -> str:
    relative = os.path.relpath(path)
    # Outside the current folder there is no name that a patch could carry.
    return Path(path).name if relative.startswith("..") else relative


_Group = list[tuple[str, int, int, int, int]]


def _groups(old: list[str], new: list[str], context: int) -> Iterator[_Group]:
    # autojunk drops frequent lines, and with them the best alignment.
    return iter(
        difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context)
    )


def _header(group: _Group) -> str:
    before = _range(group[0][1], group[-1][2])
    after = _range(group[0][3], group[-1][4])
    return f"@@ -{before} +{after} @@\n"


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _marked(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"
