"""Now :mod:`omni_port.methods.check`."""

from __future__ import annotations

from omni_port.methods.check import Beside, Checker, Upstream, open_upstreams

__all__ = ["Beside", "Checker", "Upstream", "open_upstreams"]
