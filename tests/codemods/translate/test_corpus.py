"""The released sources: nothing crashes, all parses, nothing changes twice, the rest stays."""

from __future__ import annotations

import ast
import difflib
import os
from pathlib import Path

import pytest

from omni_codemods.findings.model import TranslateResult
from omni_codemods.text.parsing import parse_module
from omni_codemods.translate import translate

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
RELEASES = (
    ("omni-0.18.0", "npu"),
    ("omni-0.26.0", "npu"),
    ("omni-0.30.0", "npu"),
    ("omni-0.30.0", "platform"),
    ("ascend-0.19.1rc1", "npu"),
)


def accounted_lines(text: str, result: TranslateResult) -> set[int]:
    """The lines of *text* that may differ: those of changes, dropped keywords and imports."""
    lines = {change.line for change in result.changes}
    lines |= {found.line for found in result.findings if found.code in ("OP109", "OP116")}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def differing_lines(text: str, new: str) -> tuple[set[int], list[str]]:
    """The lines of *text* that *new* lacks or has otherwise, and those it has more."""
    before, after = text.split("\n"), new.split("\n")
    differing: set[int] = set()
    added: list[str] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "insert":
            added += after[j1:j2]
        elif tag != "equal":
            differing.update(range(i1 + 1, i2 + 1))
    return differing, added


@pytest.mark.corpus
@pytest.mark.parametrize(("release", "dialect"), RELEASES)
def test_release(release: str, dialect: str) -> None:
    folder = CORPUS / release
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    changed = 0
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes().decode("utf-8")
        result = translate(text, dialect=dialect)
        if not result.changes:
            assert result.text == text, path
            continue
        changed += 1
        parse_module(result.text)
        assert translate(result.text, dialect=dialect).text == result.text, path
        differing, added = differing_lines(text, result.text)
        assert differing <= accounted_lines(text, result), path
        assert all("import" in line for line in added), path
    assert changed
