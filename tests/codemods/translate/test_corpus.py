"""The released sources: nothing crashes, all parses, nothing changes twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omni_codemods.source import parse_module
from omni_codemods.translate import translate

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache/omni-port/corpus"))


@pytest.mark.corpus
@pytest.mark.parametrize(
    "release", ["omni-0.18.0", "omni-0.26.0", "omni-0.30.0", "ascend-0.19.1rc1"]
)
def test_release(release: str) -> None:
    folder = CORPUS / release
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    changed = 0
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes().decode("utf-8")
        result = translate(text)
        if not result.changes:
            assert result.text == text, path
            continue
        changed += 1
        parse_module(result.text)
        assert translate(result.text).text == result.text, path
        before, after = text.splitlines(), result.text.splitlines()
        assert len(after) > len(before) * 0.9, path
    assert changed
