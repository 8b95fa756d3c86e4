"""The score of one method in a file that a whole upgrade has written, other conflicts in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from cases import Case
from omni_codemods.functions.conflict_markers import HUNK
from replay import dropped_by_sibling
from score import Score, score_failure, score_result

_MARK = "# the conflict of the measurement"
_SIDES = ("local", "target", "base")


def score_file(case: Case, root: Path) -> Score:
    """Score the method of *case* as it now stands in the repository *root*."""
    package = next(p for p in case.truth.path.parents if p.name == "vllm_omni")
    path = root / case.truth.path.relative_to(package.parent)
    try:
        text = isolate(path.read_text("utf-8"), case.local_class, case.method)
        return score_result(case, text, case.local_class, dropped_by_sibling(case))
    except (OSError, ValueError, SyntaxError) as error:
        return score_failure(case, str(error))


def isolate(text: str, class_name: str, method: str) -> str:
    """Return *text* with the conflicts of one method alone, all others taken for one side.

    Raises ValueError where the text parses with no side of the conflicts.
    """
    hunks = list(HUNK.finditer(text))
    side = next((s for s in _SIDES if _parses(_resolve(text, hunks, s, set()))), None)
    if side is None:
        raise ValueError("the file does not parse with any side of its conflicts")
    own = set(_numbers_in(_resolve(text, hunks, side, set()), class_name, method))
    return _resolve(text, hunks, side, own)


def _resolve(text: str, hunks: list[re.Match[str]], side: str, kept: set[int]) -> str:
    parts: list[str] = []
    at = 0
    for number, hunk in enumerate(hunks):
        chosen = f"{_MARK} {number}\n{hunk[side]}"
        parts += [text[at : hunk.start()], hunk.group() if number in kept else chosen]
        at = hunk.end()
    return "".join([*parts, text[at:]])


def _numbers_in(text: str, class_name: str, method: str) -> Iterator[int]:
    """Yield the numbers of the conflicts whose marks stand in the method of *text*."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            for child in node.body:
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    # A mark at the end stands behind the last statement, where a side is empty.
                    end = (child.end_lineno or 0) + 1
                    for line in lines[child.lineno - 1 : end] if child.name == method else ():
                        if line.startswith(_MARK):
                            yield int(line.rpartition(" ")[2])


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
