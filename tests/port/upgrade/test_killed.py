"""Whenever an upgrade is killed, every local file is as before or as after, and it goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from omni_port.project.project import require_project
from omni_port.upgrade.finish import write_report
from omni_port.upgrade.run import UpgradeOptions, run_upgrade
from worlds import make_world, texts


class Killed(BaseException):
    """As sudden as a signal, and only for this process's own code."""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], ...]:
    root = make_world(tmp_path_factory.mktemp("whole"))
    before = texts(root)
    upgrade(root)
    return before, texts(root)


def upgrade(root: Path) -> None:
    write_report(run_upgrade(require_project(root), UpgradeOptions()))


def assert_whole(root: Path, ends: tuple[dict[str, str], ...]) -> None:
    now = texts(root)
    for path, text in now.items():
        assert text in {end[path] for end in ends}


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_at_every_replacement_of_a_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ends: tuple[dict[str, str], ...],
    done: bool,
) -> None:
    replace = Path.replace
    calls: list[Path] = []

    def counted(self: Path, target: Path) -> Path:
        calls.append(Path(target))
        if len(calls) == last and not done:
            raise Killed
        replaced = replace(self, target)
        if len(calls) == last:
            raise Killed
        return replaced

    last = 1
    while True:
        root = make_world(tmp_path / f"{done}-{last}")
        calls.clear()
        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", counted)
            try:
                upgrade(root)
            except Killed:
                pass
            else:
                break
        assert_whole(root, ends)
        upgrade(root)
        assert texts(root) == ends[1]
        assert not list(root.rglob("*.tmp"))
        last += 1
    assert last > 6


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("delay", [0.3, 0.6, 0.9, 1.2])
def test_by_a_signal(tmp_path: Path, ends: tuple[dict[str, str], ...], delay: float) -> None:
    root = make_world(tmp_path / "world")
    command = [sys.executable, "-m", "omni_port", "-q", "upgrade"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    assert_whole(root, ends)
    upgrade(root)
    assert texts(root) == ends[1]
