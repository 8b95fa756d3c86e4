"""Now :mod:`omni_port.methods.check_project`."""

from __future__ import annotations

from omni_port.methods.check_project import check_ports

__all__ = ["check_ports"]
