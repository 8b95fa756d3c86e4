"""Commands that are stopped from outside, or whose files somebody saves meanwhile."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import Command
from omni_port.base.temporary import Temporary

GPU = "import torch\ntorch.cuda.synchronize()\n"
MINE = GPU + "mine = 1\n"


def make_files(folder: Path, number: int) -> list[Path]:
    paths = [folder / f"m{index:03}.py" for index in range(number)]
    for path in paths:
        path.write_text(GPU)
    return paths


def running(group: int) -> Iterator[str]:
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, found = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(found) == group and state != "Z":
                yield entry.name


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_saved_meanwhile_is_left_and_the_rest_is_done(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    paths = make_files(tmp_path, 50)
    fill = Temporary.fill

    def saved(self: Temporary, data: bytes) -> None:
        fill(self, data)
        if self._real.name in ("m009.py", "m030.py"):
            self._real.write_text(MINE)

    monkeypatch.setattr(Temporary, "fill", saved)
    ran = command("translate", "--in-place", "--jobs", jobs, ".")
    assert ran.code == 4
    assert ran.err.count("has changed since it was read") == 2
    assert "m009.py: error" in ran.err
    assert "m030.py: error" in ran.err
    for path in paths:
        expected = MINE if path in (paths[9], paths[30]) else GPU.replace("cuda", "npu")
        assert path.read_text() == expected
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert command("translate", "--in-place", ".").code == 0
    assert paths[9].read_text() == MINE.replace("cuda", "npu")


def test_an_output_that_is_the_input_is_compared_too(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.py"
    path.write_text(GPU)
    fill = Temporary.fill

    def saved(self: Temporary, data: bytes) -> None:
        fill(self, data)
        path.write_text(MINE)

    monkeypatch.setattr(Temporary, "fill", saved)
    assert command("translate", "m.py", "-o", "./m.py").code == 4
    assert path.read_text() == MINE


def test_a_read_only_file_needs_force(command: Command, tmp_path: Path) -> None:
    (path,) = make_files(tmp_path, 1)
    path.chmod(0o444)
    ran = command("translate", "--in-place", path)
    assert ran.code == 4
    assert "read-only" in ran.err
    assert "--force" in ran.err
    assert path.read_text() == GPU
    assert command("translate", "--in-place", "--force", path).code == 0
    assert "npu" in path.read_text()


def test_a_link_below_the_output_folder_leads_nowhere(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "a.py").write_text(GPU)
    (tmp_path / "in" / "sub" / "b.py").write_text(GPU)
    ran = command("translate", "in", "--output-dir", "out")
    assert ran.code == 4
    assert "leads out of out" in ran.err
    assert str(tmp_path / "elsewhere") in ran.err
    assert (tmp_path / "out" / "a.py").exists()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_device_takes_the_result(command: Command, tmp_path: Path) -> None:
    make_files(tmp_path, 1)
    assert command("translate", "m000.py", "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_stopped_run_leaves_nothing_behind(tmp_path: Path, how: signal.Signals) -> None:
    make_files(tmp_path, 200)
    run = [sys.executable, "-m", "omni_port", "translate", "-j", "2"]
    process = subprocess.Popen(
        [*run, "--in-place", "."], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
    )
    while "npu" not in (tmp_path / "m000.py").read_text() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    if process.returncode != 0:  # it may have been done before
        assert process.returncode == (-9 if how == signal.SIGKILL else 130)
        assert b"Traceback" not in said
    time.sleep(0.5)
    assert not list(running(process.pid))
    for path in tmp_path.glob("*.py"):
        assert path.read_text() in (GPU, GPU.replace("cuda", "npu"))
    subprocess.run([*run, "--in-place", "."], cwd=tmp_path, check=True, capture_output=True)
    assert len(list(tmp_path.iterdir())) == 200
