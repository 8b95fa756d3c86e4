"""The bundled world: each method rebased, one after the other, against a hand-written result."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest

from invariants import Texts, assert_invariants, resolve
from omni_codemods.findings.model import RebaseResult
from omni_codemods.rebase.method import rebase_method

WORLD = Path(__file__).parents[2] / "fixtures" / "world"
STEPS: list[dict[str, Any]] = msgspec.toml.decode((WORLD / "world.toml").read_bytes())["method"]
BASE, TARGET = ((WORLD / f"upstream-{n}" / "npu_runner.py").read_text() for n in (1, 2))


def rebase_step(step: dict[str, Any], local: str) -> RebaseResult:
    """Rebase one method of *local*."""
    return rebase_method(
        local=local,
        base=BASE,
        target=TARGET,
        method=step["method"],
        local_class="OmniNPUModelRunner" if step["file"].startswith("omni") else None,
        base_class="NPUModelRunner",
        target_class="NPUModelRunner",
    )


@pytest.mark.parametrize("step", STEPS, ids=[step["method"] for step in STEPS])
def test_account_of_a_method(step: dict[str, Any]) -> None:
    local = (WORLD / "local" / step["file"]).read_text()
    result = rebase_step(step, local)
    edits = sorted(result.edits, key=lambda e: (e.edit.span.start, e.edit.span.end))
    assert [f"{e.edit.kind.value} {e.outcome.value}" for e in edits] == step["outcomes"]
    overruled = [edit.overruled for edit in edits if edit.overruled]
    assert len(overruled) == len(step.get("overruled", ()))
    assert all(
        word in diff for word, diff in zip(step.get("overruled", ()), overruled, strict=True)
    )
    for name in step.get("unbound", ()):
        assert any(f"{name}" in finding.message for finding in result.findings)
    assert_invariants(Texts(BASE, local, TARGET), result)


@pytest.mark.parametrize("name", ["omni_npu_runner.py", "batch_patch.py"])
def test_whole_file_as_written_by_hand(name: str) -> None:
    text = (WORLD / "local" / name).read_text()
    steps = [step for step in STEPS if step["file"] == name]
    for step in sorted(steps, key=lambda step: "drift conflict" in step["outcomes"]):
        text = rebase_step(step, text).text
    assert text == (WORLD / "expected" / name).read_text()


def test_every_outcome_appears() -> None:
    seen = {outcome.split()[1] for step in STEPS for outcome in step["outcomes"]}
    assert seen == {"carried", "moved", "absorbed", "conflict", "orphan"}


@pytest.mark.parametrize("path", sorted(WORLD.rglob("*.py")), ids=lambda p: "/".join(p.parts[-2:]))
def test_every_file_is_small_and_parses(path: Path) -> None:
    text = path.read_text()
    ast.parse(resolve(text, "local"))
    ast.parse(resolve(text, "target"))
    assert len(text.splitlines()) < 200
