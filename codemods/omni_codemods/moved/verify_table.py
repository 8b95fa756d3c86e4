"""Now :mod:`omni_codemods.table.verify`."""

from __future__ import annotations

from omni_codemods.table.verify import verify_table

__all__ = ["verify_table"]
