from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from commandline import Command, Ran
from omni_port.cli import run


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
