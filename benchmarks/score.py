"""How much of a team's work does a tool do?

Sides are compared as code alone (``ast.unparse``: neither layout nor comments count), a line
each; ``dist`` is lines deleted plus lines inserted.

- *todo*: dist(local, truth), the team's work
- *effort*: what is left to do: dist(result, truth) with every conflict resolved to the side or
  sides that serve best, plus 1 for each conflict, which somebody had to decide
- *saved*: 1 - effort / todo; 1 is a finished job, 0 is no help, below 0 is harm
- *lost*: code lines of fenced blocks of local that stand nowhere in the result, but for those
  that the GPU sibling had word for word and dropped itself, where it was synced: those followed it
"""

from __future__ import annotations

import ast
import difflib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from cases import Case, methods_of
from omni_codemods.functions.fences import parse_fences

_HUNK = re.compile(
    r"^<{7}[^\n]*\n(.*?)(?:^\|{7}[^\n]*\n(.*?))?^={7}[^\n]*\n(.*?)^>{7}[^\n]*\n",
    re.MULTILINE | re.DOTALL,
)
_BROKEN = 10**6


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of one case; *error* is why there are none."""

    todo: int
    effort: int
    conflicts: int = 0
    lost: int = 0
    error: str = ""

    @property
    def saved(self) -> float:
        """Share of the team's work that the tool did."""
        return 1 - self.effort / max(self.todo, 1)


def add(scores: Sequence[Score]) -> Score:
    """Return the sum of *scores*."""
    return Score(
        sum(score.todo for score in scores),
        sum(score.effort for score in scores),
        sum(score.conflicts for score in scores),
        sum(score.lost for score in scores),
        ", ".join(filter(None, (score.error for score in scores))),
    )


def score_failure(case: Case, error: str) -> Score:
    """Return the score of a tool that gave nothing: all the work is left."""
    todo = _distance(_code(case.local.method), _code(case.truth.method))
    return Score(todo, todo, error=error)


def score_result(
    case: Case, text: str, class_name: str, dropped: frozenset[str] = frozenset()
) -> Score:
    """Score *text*, in which the method stands in *class_name*; raises ValueError if broken.

    *dropped* are the lines that the sibling dropped, as :func:`flat_line` makes them.
    """
    truth = _code(case.truth.method)
    resolution = _Resolution(text, case.method, class_name, truth)
    effort = resolution.best() + resolution.conflicts
    flat = re.sub(r"\s+", "", text)
    fenced = _fenced_lines(case.local.method)
    lost = sum(line not in flat and line not in dropped for line in fenced)
    todo = _distance(_code(case.local.method), truth)
    return Score(todo, effort, resolution.conflicts, lost)


class _Resolution:
    """The conflicts of a text, and the choice of sides that comes nearest to the truth."""

    def __init__(self, text: str, method: str, class_name: str, truth: list[str]) -> None:
        self._text, self._method, self._class, self._truth = text, method, class_name, truth
        self._hunks = list(_HUNK.finditer(text))
        self._sides = [(h[1], h[3], h[1] + h[3], h[3] + h[1], "", h[2] or "") for h in self._hunks]

    @property
    def conflicts(self) -> int:
        return len(self._hunks)

    def best(self) -> int:
        """Return the least distance to the truth over the choices tried."""
        uniform = [[side] * len(self._hunks) for side in range(3 if self._hunks else 1)]
        choice = min(uniform, key=self._distance)
        for _ in range(2):
            for index in range(len(choice)):
                tries = [[*choice[:index], side, *choice[index + 1 :]] for side in range(6)]
                choice = min(tries, key=self._distance)
        distance = self._distance(choice)
        if distance >= _BROKEN:
            raise ValueError("the result does not parse, or lacks the method")
        return distance

    def _distance(self, choice: list[int]) -> int:
        try:
            method = methods_of(self._resolved(choice), self._class)[self._method]
            return _distance(_code(method), self._truth)
        except (SyntaxError, KeyError):
            return _BROKEN

    def _resolved(self, choice: list[int]) -> str:
        parts: list[str] = []
        at = 0
        for hunk, sides, side in zip(self._hunks, self._sides, choice, strict=True):
            parts += [self._text[at : hunk.start()], sides[side]]
            at = hunk.end()
        return "".join([*parts, self._text[at:]])


def _code(method: str) -> list[str]:
    tree = ast.parse(textwrap.dedent(method))
    function = tree.body[0]
    if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        function.decorator_list = []
    return ast.unparse(tree).split("\n")


def _distance(one: list[str], other: list[str]) -> int:
    codes = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum((i2 - i1) + (j2 - j1) for tag, i1, i2, j1, j2 in codes if tag != "equal")


def flat_line(line: str) -> str:
    """The code of *line* without white space, comment and closing comma."""
    return re.sub(r"\s+|,$", "", line.split("#")[0])


def _fenced_lines(method: str) -> list[str]:
    lines = method.split("\n")
    found = [
        flat_line(line)
        for block in parse_fences(textwrap.dedent(method)).blocks
        for line in lines[block.span.start - 1 : block.span.end]
    ]
    return [line for line in found if line]
