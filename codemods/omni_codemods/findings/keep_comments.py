"""``# omni-port: keep`` comments: lines that a translation leaves alone."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field

from omni_codemods.findings.model import Finding
from omni_codemods.findings.translate_codes import BROKEN_KEEP, UNUSED_KEEP

_MARK = "omni-port:"
_COMMENT = re.compile(r"#\s*omni-port:\s*keep\b(?:\s+(start|end)\b)?")


@dataclass(slots=True)
class KeepLines:
    """Which lines are kept: *lines* maps each to the line of the comment that keeps it."""

    lines: dict[int, int] = field(default_factory=dict)
    comments: list[tuple[int, int]] = field(default_factory=list)
    broken: list[tuple[int, int, str]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def keeps(self, first: int, last: int | None = None) -> bool:
        """Whether a comment keeps any of the lines *first* to *last*, and so is used."""
        for line in range(first, (last or first) + 1):
            if line in self.lines:
                self.used.add(self.lines[line])
                return True
        return False

    def findings(self) -> tuple[Finding, ...]:
        """One finding for each comment that kept nothing, or has no partner."""
        unused = [
            Finding(
                UNUSED_KEEP.code,
                line,
                column,
                "this comment keeps nothing: no name here would have been translated",
                "Remove it.",
            )
            for line, column in self.comments
            if line not in self.used
        ]
        broken = [
            Finding(BROKEN_KEEP.code, line, column, message, "Add the missing half.")
            for line, column, message in self.broken
        ]
        return (*unused, *broken)


def find_keeps(text: str) -> KeepLines:
    """Find the keep comments of *text*, which must be Python that tokenizes."""
    keeps = KeepLines()
    if _MARK not in text:
        return keeps
    opened: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        match = _COMMENT.search(token.string) if token.type == tokenize.COMMENT else None
        if match is None:
            continue
        line, column = token.start[0], token.start[1] + match.start()
        if match[1] == "start":
            opened.append((line, column))
        elif match[1] == "end":
            _close(keeps, opened, line, column)
        else:
            own_line = not token.line[: token.start[1]].strip()
            keeps.lines[line + 1 if own_line else line] = line
            keeps.comments.append((line, column))
    keeps.broken += [(*place, "this keep range is never closed") for place in opened]
    return keeps


def _close(keeps: KeepLines, opened: list[tuple[int, int]], line: int, column: int) -> None:
    if not opened:
        keeps.broken.append((line, column, "this keep range was never opened"))
        return
    start = opened.pop()
    keeps.comments.append(start)
    keeps.lines.update((kept, start[0]) for kept in range(start[0], line + 1))
