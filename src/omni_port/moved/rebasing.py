"""Now :mod:`omni_port.methods.rebase`."""

from __future__ import annotations

from omni_port.methods.rebase import POLICIES, Rebase, RebaseRequest, rebase_method, rebase_read

__all__ = ["POLICIES", "Rebase", "RebaseRequest", "rebase_method", "rebase_read"]
