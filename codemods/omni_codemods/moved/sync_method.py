"""Now :mod:`omni_codemods.sync.sync_method`."""

from __future__ import annotations

from omni_codemods.sync.sync_method import sync_method

__all__ = ["sync_method"]
