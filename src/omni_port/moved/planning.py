"""Now :mod:`omni_port.plan.plan`."""

from __future__ import annotations

from omni_port.plan.plan import Plan, make_plan

__all__ = ["Plan", "make_plan"]
