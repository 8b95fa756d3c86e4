"""Now :mod:`omni_codemods.sources.modules`."""

from __future__ import annotations

from omni_codemods.sources.modules import Sources

__all__ = ["Sources"]
