"""Now :mod:`omni_codemods.names.imports`."""

from __future__ import annotations

from omni_codemods.names.imports import add_imports, module_imports, remove_imports

__all__ = ["add_imports", "module_imports", "remove_imports"]
