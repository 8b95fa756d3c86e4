"""Now :mod:`omni_port.plan.gate`."""

from __future__ import annotations

from omni_port.plan.gate import Gate, Stop

__all__ = ["Gate", "Stop"]
