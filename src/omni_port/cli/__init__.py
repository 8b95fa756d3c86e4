"""The command line: one command a module, loaded when it is called."""

from __future__ import annotations

from omni_port.cli.boundary import run

__all__ = ["run"]
