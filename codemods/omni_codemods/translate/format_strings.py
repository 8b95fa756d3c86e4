"""Finding dotted names inside f-strings where Python does not say where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omni_codemods.translate.facts import Reference


def locate_chains(text: str, span: tuple[int, int], references: Sequence[Reference]) -> None:
    """Set the spans of *references*, which stand in the f-string at *span*, or leave them fuzzy.

    A spelling that occurs as often as it is referred to is placed in order; otherwise one of its
    occurrences is not code, and none is touched.
    """
    by_spelling: dict[str, list[Reference]] = {}
    for reference in references:
        by_spelling.setdefault(reference.text, []).append(reference)
    code = tuple(_iter_expressions(text, span))
    for same in by_spelling.values():
        parts = (same[0].name, *same[0].chain)
        body = r"\s*\.\s*".join(f"({re.escape(part)})" for part in parts)
        pattern = re.compile(rf"(?<![\w.]){body}(?!\w|\s*\.\s*\w)")
        found = [match for start, end in code for match in pattern.finditer(text, start, end)]
        if len(found) == len(same):
            for reference, match in zip(same, found, strict=True):
                reference.spans = tuple(match.span(i + 1) for i in range(len(parts)))
                reference.offset = match.start()
                reference.fuzzy = False


def _iter_expressions(text: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    depth = 0
    start = at = span[0]
    while at < span[1]:
        character = text[at]
        if depth == 0 and text[at : at + 2] in ("{{", "}}"):
            at += 1
        elif character == "{":
            if depth == 0:
                start = at + 1
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if depth == 0:
                yield start, at
        at += 1
