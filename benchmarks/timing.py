"""Timing of commands and functions, and the table that compares them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Timed:
    """The best of several runs in seconds; *note* says why there is none, or what was special."""

    name: str
    seconds: float | None
    note: str = ""


def best_of(runs: int, function: Callable[[], object]) -> float:
    """Return the shortest of *runs* wall times: on a noisy machine the least disturbed one."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def time_command(name: str, command: Sequence[str | Path], *, runs: int, note: str = "") -> Timed:
    """Time a command of this environment; one that is not installed is said to be so."""
    program = Path(sys.executable).with_name(str(command[0]))
    found = str(program) if program.exists() else shutil.which(str(command[0]))
    if found is None:
        return Timed(name, None, "not installed")
    words = [found, *(str(word) for word in command[1:])]
    environment = {**os.environ, "NO_COLOR": "1"}

    def run() -> None:
        done = subprocess.run(words, env=environment, capture_output=True, check=False)
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"{name}: exit {done.returncode}: {done.stderr.decode()[-500:]}")

    return Timed(name, best_of(runs, run), note)


def render_times(title: str, times: Sequence[Timed], *, unit: str) -> str:
    """Return a Markdown table of *times*, each with its ratio to the one named *unit*."""
    one = next((timed.seconds for timed in times if timed.name == unit), None)
    lines = [f"### {title}", "", f"| tool | seconds | times {unit} | |", "|---|---:|---:|---|"]
    for timed in times:
        seconds = "-" if timed.seconds is None else f"{timed.seconds:.2f}"
        known = timed.seconds is not None and one
        ratio = f"{timed.seconds / one:.2f}" if known and timed.seconds and one else "-"
        lines.append(f"| {timed.name} | {seconds} | {ratio} | {timed.note} |")
    return "\n".join([*lines, ""])
