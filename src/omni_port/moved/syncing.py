"""Now :mod:`omni_port.methods.sync`."""

from __future__ import annotations

from omni_port.methods.sync import Sync, SyncRequest, sync_method, sync_read

__all__ = ["Sync", "SyncRequest", "sync_method", "sync_read"]
