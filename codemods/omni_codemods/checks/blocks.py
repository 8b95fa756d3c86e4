"""Blocks of the old copy that are gone (OP604)."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.findings.check_codes import BLOCK_GONE
from omni_codemods.findings.model import Block, Finding, Severity
from omni_codemods.functions.fences import parse_fences
from omni_codemods.text.outline import definitions
from omni_codemods.text.parsing import parse_module


def check_blocks(text: str, old: str, *, conflicted: str | None = None) -> Iterator[Finding]:
    """Yield a finding for each block of *old* of which lines stand nowhere in *text*.

    *conflicted* is *text* with all sides of the conflicts that are left: what stands in one of
    them is not gone. The finding is at the function that the block was in, where *text* still
    has that, else at line 1. Raises SourceError, its *side* ``old`` where that is no Python.
    """
    parse_module(old, "old")
    standing = [_code(line) for line in (conflicted or text).split("\n")]
    here, flat = set(standing), "".join(standing)
    lines = old.split("\n")
    places = {d.qualname: (d.start, d.column) for d in definitions(text)}
    for block in parse_fences(old).blocks:
        code = list(_code_lines(block, lines))
        gone = [
            (number, line)
            for number, line in code
            if _code(line) not in here and _code(line) not in flat
        ]
        if gone:
            place = places.get(block.scope, (1, 0))
            yield _finding(block, place, len(gone), len(code), gone[0])


def _code_lines(block: Block, lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines of the block that are code, with their numbers in the old copy."""
    for number in range(block.span.start, block.span.end + 1):
        if _code(lines[number - 1]):
            yield number, lines[number - 1]


def _finding(
    block: Block, place: tuple[int, int], gone: int, total: int, first: tuple[int, str]
) -> Finding:
    number, line = first
    whole = gone == total
    label = f" ({block.opening.label})" if block.opening.label else ""
    said = "is gone" if whole else f"has lost {gone} of its {total} lines"
    message = (
        f"the block at line {block.span.start} of the old copy, in {block.scope or 'the module'}"
        f"{label}, {said}; line {number}: {line.strip()}"
    )
    severity = Severity.ERROR if whole else Severity.WARNING
    return Finding(BLOCK_GONE.code, *place, message, BLOCK_GONE.remedy, severity)


def _code(line: str) -> str:
    """The line's code without layout: no comment, no white space, no comma that a list may end."""
    code = line if '"' in line or "'" in line else line.partition("#")[0]
    return "" if line.lstrip().startswith("#") else "".join(code.split()).rstrip(",")
