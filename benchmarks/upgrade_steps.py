"""The commands of an upgrade, run as a user runs them: whole processes, timed."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# What a command printed is told by its first and last lines.
_HEAD, _TAIL = 6, 10


@dataclass(frozen=True, slots=True)
class Ran:
    """A command line, its exit code, how long it took, and what it printed.

    *cpu* are its seconds of processor time: what it takes on a machine with nothing else to do.
    """

    arguments: tuple[str, ...]
    code: int
    seconds: float
    cpu: float
    out: str
    err: str

    @property
    def line(self) -> str:
        """The command line."""
        return " ".join(("omni-port", *self.arguments))

    @property
    def crashed(self) -> bool:
        """Whether it ended by a bug instead of an answer."""
        return self.code not in (0, 1, 2, 3, 4) or "Traceback" in self.err


def run_commands(folder: Path, commands: Sequence[Sequence[str]]) -> list[Ran]:
    """Run *commands* of omni-port in *folder*, one after the other, whatever they answer."""
    return [run_command(folder, command) for command in commands]


def program() -> str:
    """Return the omni-port of this Python, else the one on the path."""
    beside = Path(sys.executable).with_name("omni-port")
    return str(beside) if beside.exists() else shutil.which("omni-port") or "omni-port"


def run_command(folder: Path, arguments: Sequence[str]) -> Ran:
    """Run one command of omni-port in *folder*."""
    start, before = time.perf_counter(), _cpu()
    done = subprocess.run(
        [program(), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    seconds, cpu = time.perf_counter() - start, _cpu() - before
    return Ran(tuple(arguments), done.returncode, seconds, cpu, done.stdout, done.stderr)


def _cpu() -> float:
    """Return the processor time of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def render_ran(ran: Ran, *, whole: bool = False) -> str:
    """Return the command, what it printed (in short, or the *whole*), exit code and time."""
    lines = [*ran.out.splitlines(), *ran.err.splitlines()]
    if not whole and len(lines) > _HEAD + _TAIL + 1:
        left = len(lines) - _HEAD - _TAIL
        lines = [*lines[:_HEAD], f"[{left} more lines]", *lines[-_TAIL:]]
    body = "".join(f"    {line}\n" for line in lines)
    times = f"{ran.seconds:.1f} s, {ran.cpu:.1f} s of processor time"
    return f"$ {ran.line}\n{body}exit code {ran.code}, {times}\n"
