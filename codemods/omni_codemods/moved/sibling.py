"""Now :mod:`omni_codemods.sync.sibling`."""

from __future__ import annotations

from omni_codemods.sync.sibling import Sibling

__all__ = ["Sibling"]
