from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omni_port.base.diff import unified_diff

TEXT = st.lists(st.sampled_from(["a", "b\n", "c\n", "\n", "d\r\n", "\x0c\n", "é\n"])).map("".join)


def test_nothing_changes_nothing() -> None:
    assert unified_diff("a\n", "a\n", "x.py") == ""


def test_a_change() -> None:
    expected = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert unified_diff("a\nb\n", "a\nc\n", "x.py") == expected


def test_a_missing_final_newline_is_marked() -> None:
    diff = unified_diff("a\nb", "a\nb\n", "x.py")
    assert diff.endswith("-b\n\\ No newline at end of file\n+b\n")


def test_paths_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside = unified_diff("a", "b", str(tmp_path / "pkg" / "x.py"))
    assert inside.startswith("--- a/pkg/x.py\n+++ b/pkg/x.py\n")
    outside = unified_diff("a", "b", "/elsewhere/x.py")
    assert outside.startswith("--- a/x.py\n")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@given(TEXT.filter(bool), TEXT.filter(bool))
def test_git_applies_it(tmp_path_factory: pytest.TempPathFactory, before: str, after: str) -> None:
    if before == after:
        return
    folder = tmp_path_factory.mktemp("apply")
    (folder / "x.py").write_bytes(before.encode())
    diff = unified_diff(before, after, "x.py").encode()
    subprocess.run(["git", "apply", "-"], input=diff, cwd=folder, check=True)
    assert (folder / "x.py").read_bytes() == after.encode()
