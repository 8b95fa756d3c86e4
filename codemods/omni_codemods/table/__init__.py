"""The translation table: its schema, the packaged entries, what holds in which release.

``ascend.toml`` is the table. From outside: ``table.packaged``, ``table.load_table``,
``table.merge`` and ``verify.verify_table``.
"""

from __future__ import annotations

from omni_codemods.table.table import load_table, merge, packaged

__all__ = ["load_table", "merge", "packaged"]
