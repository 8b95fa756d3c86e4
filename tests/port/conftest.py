from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from omni_port.cli import run

WORLD = Path(__file__).parents[2] / "fixtures" / "world"


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


Command = Callable[..., Ran]


@pytest.fixture
def world() -> Path:
    """Return the bundled world."""
    return WORLD


@pytest.fixture
def command(
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Command:
    """Return what runs a command line in an empty folder, with *stdin* as its input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run([str(argument) for argument in arguments])
        captured = capsysbinary.readouterr()
        return Ran(code, captured.out, captured.err.decode())

    return call
