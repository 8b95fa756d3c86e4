"""omni-port: the command line around :mod:`omni_codemods`."""

from __future__ import annotations

__version__ = "0.1.0"
