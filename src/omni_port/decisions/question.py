"""The open questions of a project: what its conflict hunks ask, equal ones as one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_codemods.text.code_lines import code_of
from omni_codemods.text.outline import definitions


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question stands: a file, a line (1-based) of it, and the function around that."""

    path: str
    line: int
    method: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Question:
    """What a hunk asks: the three sides as they stand, and every place that asks the same.

    *number* is for people; *key* is a digest of the code of the sides, so that layout, comments
    and place do not matter.
    """

    number: int
    key: str
    local: str
    base: str
    target: str
    places: tuple[Place, ...]

    def side(self, name: str) -> str:
        """Return the text of the side *name* (``local``, ``base`` or ``target``)."""
        return {"local": self.local, "base": self.base, "target": self.target}[name]


def find_questions(texts: Mapping[str, str]) -> list[Question]:
    """Return the questions of *texts* (by path), numbered as they come; equal ones are one."""
    found: dict[str, list[tuple[Place, re.Match[str]]]] = {}
    for path, text in texts.items():
        for place, hunk in _hunks(path, text):
            found.setdefault(key_of(hunk), []).append((place, hunk))
    return [_question(number, key, asked) for number, (key, asked) in enumerate(found.items(), 1)]


def _question(number: int, key: str, asked: list[tuple[Place, re.Match[str]]]) -> Question:
    hunk = asked[0][1]
    places = tuple(place for place, _ in asked)
    return Question(number, key, hunk["local"], hunk["base"] or "", hunk["target"], places)


def _hunks(path: str, text: str) -> Iterator[tuple[Place, re.Match[str]]]:
    hunks = list(HUNK.finditer(text))
    known = _functions(text) if hunks else []
    for hunk in hunks:
        line = text.count("\n", 0, hunk.start()) + 1
        around = [name for start, end, name in known if start <= line <= end]
        yield Place(path, line, around[-1] if around else ""), hunk


def _functions(text: str) -> list[tuple[int, int, str]]:
    """The functions of *text* with their lines, outer ones first; hunks keep the lines."""
    try:
        found = definitions(blank_hunks(text))
    except OmniCodemodsError:
        return []
    return [(one.start, one.end, one.qualname) for one in found if not one.is_class]


def make_key(local: str, base: str, target: str) -> str:
    """Return the digest by which the question of these sides is known."""
    sides = map(code_of, (local, base, target))
    return hashlib.sha256("\x00".join(sides).encode("utf-8")).hexdigest()[:12]


def key_of(hunk: re.Match[str]) -> str:
    """Return the digest by which the question of *hunk* is known."""
    return make_key(hunk["local"], hunk["base"] or "", hunk["target"])


def among(questions: Iterable[Question], name: str) -> Question | None:
    """Return the question of that number, key, or place (``path:line``)."""
    for one in questions:
        if name in (str(one.number), one.key, *map(str, one.places)):
            return one
    return None
