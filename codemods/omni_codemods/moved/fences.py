"""Now :mod:`omni_codemods.functions.fences`."""

from __future__ import annotations

from omni_codemods.functions.fences import parse_fences

__all__ = ["parse_fences"]
