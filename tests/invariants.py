"""What holds for every rebase, whatever went in; the golden and the property tests share it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Literal

from omni_codemods.fences import parse_fences
from omni_codemods.model import EditKind, Outcome, RebaseResult

Side = Literal["local", "base", "target"]

HUNK = re.compile(
    r"^<{7}[^\n]*\n(?P<local>.*?)^\|{7}[^\n]*\n(?P<base>.*?)^={7}\r?\n(?P<target>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def resolve(text: str, side: Side) -> str:
    """*text* with each conflict hunk replaced by what it holds for *side*."""
    return HUNK.sub(lambda hunk: hunk[side], text)


def code_of(text: str) -> str:
    """The code of *text* alone: no comments, no layout."""
    return ast.unparse(ast.parse(text))


def assert_parses(result: RebaseResult) -> None:
    """The result is Python whichever side its conflicts are resolved to."""
    for side in ("local", "target"):
        resolved = resolve(result.text, side)
        try:
            ast.parse(resolved)
        except SyntaxError as error:
            raise AssertionError(f"resolved to {side}, {error}:\n{resolved}") from error
    assert len(HUNK.findall(result.text)) == len(result.conflicts)


def assert_nothing_fenced_is_lost(local: str, result: RebaseResult) -> None:
    """Each fenced line of *local* stands in the result, or its block is reported absorbed."""
    absorbed = [
        edit.edit.span
        for edit in result.edits
        if edit.edit.kind is EditKind.BLOCK and edit.outcome is Outcome.ABSORBED
    ]
    lines = local.splitlines()
    fenced = {
        number
        for block in parse_fences(local).blocks
        for number in range(block.span.start, block.span.end + 1)
        if not any(span.start <= number <= span.end for span in absorbed)
    }
    want = Counter(lines[number - 1].strip() for number in fenced if lines[number - 1].strip())
    have = Counter(line.strip() for line in result.text.splitlines())
    missing = want - have
    assert not missing, f"fenced lines are gone: {dict(missing)}\n{result.text}"


def assert_fences_balance(local: str, result: RebaseResult) -> None:
    """The result has the blocks of *local*, less those absorbed, and no new oddity."""
    absorbed = sum(
        edit.edit.kind is EditKind.BLOCK and edit.outcome is Outcome.ABSORBED
        for edit in result.edits
    )
    before = parse_fences(local)
    after = parse_fences(resolve(result.text, "local"))
    assert len(after.blocks) == len(before.blocks) - absorbed, result.text
    assert Counter(f.code for f in after.findings) <= Counter(f.code for f in before.findings)


def assert_invariants(local: str, result: RebaseResult) -> None:
    """All that holds for one run on its own."""
    assert_parses(result)
    assert_nothing_fenced_is_lost(local, result)
    assert_fences_balance(local, result)
