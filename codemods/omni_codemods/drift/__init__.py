"""How a GPU class and its NPU counterpart differ, beyond what the table explains."""

from __future__ import annotations

from omni_codemods.drift.drift import Difference, MethodDrift, find_drift

__all__ = ["Difference", "MethodDrift", "find_drift"]
