"""The method-level reconstruction, end to end. From outside: ``method.rebase_method``."""

from __future__ import annotations

from omni_codemods.rebase.method import rebase_method

__all__ = ["rebase_method"]
