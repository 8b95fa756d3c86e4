from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

import pytest

from omni_port.base.progress import step
from omni_port.cli.progress import Progress, start_progress


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_quick_command_shows_nothing(clock: Clock) -> None:
    terminal = io.StringIO()
    shown = Progress(terminal, alone=False, clock=clock)
    step("reading")
    clock.now = 1.9
    step("comparing")
    shown.stop()
    assert terminal.getvalue() == ""


def test_after_two_seconds_the_step_and_its_time_are_shown(clock: Clock) -> None:
    terminal = io.StringIO()
    shown = Progress(terminal, alone=False, clock=clock)
    clock.now = 2.5
    step("comparing")
    clock.now = 2.6
    step("too soon")
    clock.now = 3.6
    step("reading")
    shown.stop()
    step("not heard")
    assert terminal.getvalue() == "\r\x1b[Kcomparing ... 2 s\r\x1b[Kreading ... 4 s\r\x1b[K"


def test_a_line_is_never_longer_than_the_terminal(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal = io.StringIO()
    shown = Progress(terminal, alone=False, clock=clock)
    clock.now = 3
    step("x" * 50)
    shown.stop()
    assert "x" * 19 in terminal.getvalue()
    assert "x" * 20 not in terminal.getvalue()


def test_in_pipes_nothing_is_shown() -> None:
    before = sys.stdout, sys.stderr
    start_progress(alone=True)()
    assert (sys.stdout, sys.stderr) == before


PROGRAM = """
import sys
from omni_port.base.progress import step
from omni_port.cli import progress
progress._PATIENCE = 0
progress._PERIOD = 0.01
end = progress.start_progress(alone=True)
step("reading vllm")
import time; time.sleep(0.3)
print("the result")
end()
"""


def test_on_a_terminal_output_never_stands_behind_the_line() -> None:
    leader, follower = pty.openpty()
    subprocess.run(
        [sys.executable, "-c", PROGRAM], stdout=follower, stderr=follower, check=True, timeout=30
    )
    os.close(follower)
    seen = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "\r\x1b[Kreading vllm ... 0 s" in seen
    assert "\x1b[Kthe result" in seen
    # A line that came after the result was taken away again.
    assert seen.endswith(("the result\r\n", "\r\x1b[K"))
