"""vllm-omni from ``init`` to ``check`` by its commands, in repositories of released sources."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import Transition
from gitrepos import git, needs_git
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from upgrade_steps import Ran, run_command
from upgrade_world import World, build_world

CORPUS = Path(os.environ.get("OMNI_CORPUS", Path.home() / ".cache" / "omni-port" / "corpus"))
pytestmark = [pytest.mark.corpus, needs_git]
TRANSITION = Transition("t5", ("0.24.0", "0.26.0"), ("0.19.1rc1", "0.25.1rc1"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    releases = (
        *(f"omni-{v}" for v in TRANSITION.omni),
        *(f"ascend-{v}" for v in TRANSITION.ascend),
    )
    for name in (*releases, *(f"vllm-{v}" for v in TRANSITION.omni)):
        if not (CORPUS / name).is_dir():
            pytest.skip(f"{name} is not there")
    folder = tmp_path_factory.mktemp("omni")
    yield build_world(CORPUS, folder / "world", TRANSITION)
    shutil.rmtree(folder)


def run(world: World, *arguments: str) -> Ran:
    ran = run_command(world.downstream, arguments)
    assert not ran.crashed, f"{ran.line}: {ran.code}\n{ran.err[-2000:]}"
    return ran


def read(world: World) -> dict[str, str]:
    """The files that are not as committed."""
    changed = git(world.downstream, "diff", "--name-only", "--", "*.py").splitlines()
    return {path: (world.downstream / path).read_text("utf-8") for path in changed}


def test_from_init_to_check(world: World) -> None:
    assert run(world, "init", *world.init).code == 0
    planned = run(world, "plan")
    assert planned.code == 0
    assert "gate  PASS" in planned.out
    assert run(world, "upgrade").code in (0, 3)
    after = read(world)
    assert len(after) == 3
    for path, text in after.items():
        for side in ("local", "target"):
            ast.parse(blank_hunks(text, side), path)
    assert run(world, "upgrade").code in (0, 3)
    assert read(world) == after
    assert run(world, "check").code in (0, 1)
    # Another clone of the decided result has no record of it.
    for path, text in after.items():
        (world.downstream / path).write_text(HUNK.sub(lambda hunk: hunk["target"], text))
    shutil.rmtree(world.downstream / ".omni-port")
    git(world.downstream, "commit", "-qam", "Decide")
    again = run(world, "upgrade")
    assert again.code == 3
    assert "was upgraded already" in again.out
    assert read(world) == {}
