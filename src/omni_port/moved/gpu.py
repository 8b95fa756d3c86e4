"""Now :mod:`omni_port.sources.sibling`."""

from __future__ import annotations

from omni_port.sources.sibling import EXACT, INFERRED, Gpu, GpuRequest, make_sibling, read_gpu

__all__ = ["EXACT", "INFERRED", "Gpu", "GpuRequest", "make_sibling", "read_gpu"]
