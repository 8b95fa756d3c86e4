"""Now :mod:`omni_port.methods.provenance`."""

from __future__ import annotations

from omni_port.methods.provenance import History, Search, search_provenance

__all__ = ["History", "Search", "search_provenance"]
