"""Files that were upgraded already, where no record tells of it: a fresh clone of the result."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from commandline import Command
from omni_codemods.functions.conflict_markers import HUNK
from planned import LOCAL, NEW, make_project, upstream, write
from worlds import make_world, texts

LONG = NEW + "".join(
    f"\n    def step_{n}(self, batch):\n        first = self.start(batch, {n})\n"
    f"        return self.finish(first, {n})\n"
    for n in range(4)
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.chdir(tmp_path)
    return command


@pytest.mark.parametrize("side", ["target", "local", "base"])
def test_the_bundled_world(run: Command, tmp_path: Path, side: str) -> None:
    root = make_world(tmp_path)
    assert run("upgrade").code == 3
    for path, text in texts(root).items():
        (root / path).write_text(HUNK.sub(lambda hunk: hunk[side], text))
    shutil.rmtree(root / ".omni-port")
    before = texts(root)
    ran = run("upgrade")
    assert ran.code == 3
    assert "inventory        BLOCKED" in ran.text
    assert "omni_npu_runner.py was upgraded already: its " in ran.text
    assert texts(root) == before
    planned = run("plan")
    assert planned.code == 3
    assert "gate  BLOCKED by upgraded-already" in planned.text


def make_small(root: Path, local: str) -> None:
    make_project(root, LONG.replace("self.start(batch", "self.begin(self.queue, batch"))
    write(root / "up-1", upstream(LONG))
    write(root, {"mine/runner.py": local})


def local_of(text: str) -> str:
    body = text[text.index("    def run") :]
    block = (
        "        # ---- Omni-new ----\n        self.talker(hidden)\n        # ---- Omni-new ----\n"
    )
    head = LOCAL[: LOCAL.index("    def run")]
    return head + body.replace("        return self.head", f"{block}        return self.head")


def test_a_file_that_was_not(run: Command, tmp_path: Path) -> None:
    make_small(tmp_path, local_of(LONG))
    assert "was upgraded already" not in run("plan").text


def test_a_file_that_was(run: Command, tmp_path: Path) -> None:
    make_small(tmp_path, local_of(LONG.replace("self.start(batch", "self.begin(self.queue, batch")))
    ran = run("plan")
    said = (
        "mine/runner.py was upgraded already: its 4 copied functions have 100% of what up changed"
    )
    assert said in ran.text
    assert "write that revision as current of [upstream.up]" in ran.text
    ran = run("upgrade", "--override=upgraded-already=it is known")
    assert "gate             PASS" in ran.text


def test_half_of_it_is_a_commit_between(run: Command, tmp_path: Path) -> None:
    half = LONG.replace("self.start(batch, 0", "self.begin(self.queue, batch, 0")
    half = half.replace("self.start(batch, 1", "self.begin(self.queue, batch, 1")
    make_small(tmp_path, local_of(half))
    assert "was upgraded already" not in run("plan").text


def test_a_base_that_is_said_is_believed(run: Command, tmp_path: Path) -> None:
    make_small(tmp_path, local_of(LONG.replace("self.start(batch", "self.begin(self.queue, batch")))
    project = tmp_path / "omni-port.toml"
    project.write_text(project.read_text() + 'base = "up-2"\n')
    assert run("plan").code == 0


def test_with_the_record_nothing_is_said(run: Command, tmp_path: Path) -> None:
    make_small(tmp_path, local_of(LONG))
    run("upgrade")
    assert "begin" in (tmp_path / "mine" / "runner.py").read_text()
    assert "was upgraded already" not in run("upgrade").text
