"""Now :mod:`omni_port.sources.find_base`."""

from __future__ import annotations

from omni_port.sources.find_base import find_base

__all__ = ["find_base"]
