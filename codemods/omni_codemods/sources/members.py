"""The methods of a class where they stand, each accessor of a property for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omni_codemods.sources.classes import own_methods
from omni_codemods.text.lexer import split_lines
from omni_codemods.text.outline import Definition, Located, definitions, locate


def find_members(text: str, cls: str, *, side: str = "") -> dict[str, Located]:
    """Return the methods that *cls* defines itself, by name, in their order.

    A property's setter goes by ``name.setter``, its deleter by ``name.deleter``. Of another name
    that is defined more than once the last one counts. Raises :class:`.MethodNotFound` and
    :class:`.SourceError`.
    """
    found: dict[str, Located] = {}
    for name in own_methods(text, cls):
        last = locate(text, name, cls, side=side)
        same = [d for d in definitions(text, side) if d.qualname == last.qualname]
        accessors = dict(_accessors(text, name, same)) if len(same) > 1 else {}
        found.update(accessors if len(accessors) > 1 else {name: last})
    return found


def _accessors(text: str, name: str, same: list[Definition]) -> Iterator[tuple[str, Located]]:
    lines = split_lines(text)
    for one in same:
        body = "".join(lines[one.start - 1 : one.end])
        decorators = re.split(r"^\s*(?:async\s+)?def\b", body, maxsplit=1, flags=re.MULTILINE)[0]
        kind = re.search(rf"^\s*@{name}\.(setter|deleter)\b", decorators, re.MULTILINE)
        key = f"{name}.{kind[1]}" if kind else name
        yield key, Located(one.qualname, one.start, one.end, body)
