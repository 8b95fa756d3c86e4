"""Notes that say where code was copied from: ``# Upstream source: vllm-ascend commit 80d8c194f``.

``# Upstream: vLLM v0.26.0, vllm/worker.py`` is one where it begins a line and names a file.
*Adapted from* is no such note: what is adapted goes its own way.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.text.outline import Definition, definitions

# What a file with such a note must contain; a byte search, before anything is parsed.
NEEDLE = re.compile(rb"(?:upstream(?: source)?\s*:|copied from)", re.IGNORECASE)

_QUOTES = ('"""', "'''")
_NOTE = re.compile(
    r"(?:upstream source\s*:|copied from|^[ \t]*(?P<plain>upstream)\s*:)\s*"
    r"(?P<said>[^\n]*(?:\n[^\n]+){0,2})",
    re.IGNORECASE | re.MULTILINE,
)
_PATH = re.compile(r"(?P<path>[\w./-]*\w+\.py)\b")
_COMMIT = re.compile(
    r"\b(?:commit|rev(?:ision)?|sha)\W{0,4}(?P<sha>[0-9a-f]{7,40})\b", re.IGNORECASE
)
_TAG = re.compile(r"(?<![\w.])(?P<tag>v\d+(?:\.\d+)+(?:\.?(?:rc|post|dev)\d+)?)(?![\w])")
_SYMBOL = re.compile(r"(?<![\w./])(?P<symbol>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?![\w/(])")
_PROJECT = re.compile(r"^\W*(?P<project>[A-Za-z][\w-]*)")
# Ends what a note says of its source: the next heading of a structured comment, or a sentence.
_END = re.compile(r"\n\s*(?!(?:Commit|Revision|Tag|Version)\s*:)[A-Z][\w ]{2,30}:|\.(?:\s|$)")


@dataclass(frozen=True, slots=True)
class SourceNote:
    """What a note on *line* (1-based) says: project, path, dotted name and revisions, if it does.

    *scope* is the function or class that it stands in or right above, empty for the module.
    *revisions* are commits and then tags, as they are written.
    """

    line: int
    scope: str
    project: str
    path: str
    symbol: str
    revisions: tuple[str, ...]


def find_source_notes(text: str) -> tuple[SourceNote, ...]:
    """Return the notes in comments and docstrings of *text*, in order.

    A note that names neither a path nor a revision is none. Raises SourceError.
    """
    scopes = definitions(text)
    found = []
    for line, said in _prose(text):
        for match in _NOTE.finditer(said):
            at = line + said.count("\n", 0, match.start())
            note = _read(match["said"], at, _scope(at, line + said.count("\n"), scopes))
            if note.path or (note.revisions and not match["plain"]):
                found.append(note)
    return tuple(found)


def _read(said: str, line: int, scope: str) -> SourceNote:
    end = _END.search(said)
    said = said[: end.start()] if end else said
    path = _PATH.search(said)
    rest = said.replace(path["path"], " ") if path else said
    revisions = [m["sha"] for m in _COMMIT.finditer(rest)] + [m["tag"] for m in _TAG.finditer(rest)]
    symbol = next((m["symbol"] for m in _SYMBOL.finditer(_TAG.sub(" ", rest))), "")
    project = _PROJECT.match(said)
    return SourceNote(
        line,
        scope,
        project["project"] if project and not path else "",
        path["path"] if path else "",
        symbol,
        tuple(dict.fromkeys(revisions)),
    )


def _scope(start: int, end: int, scopes: Sequence[Definition]) -> str:
    """The innermost definition around the lines, or the one that starts right below them."""
    inside = ""
    for one in scopes:
        if one.start <= start <= one.end or one.start == end + 1:
            inside = one.qualname
    return inside


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each run of comment lines, and of each long string."""
    run: list[str] = []
    first = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            if run and line != first + len(run):
                yield first, "\n".join(run)
                run = []
            first = first if run else line
            run.append(token.string.lstrip("#! "))
        elif token.type == tokenize.STRING and token.string.endswith(_QUOTES):
            yield line, token.string
    if run:
        yield first, "\n".join(run)
