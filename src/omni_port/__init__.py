"""omni-port: the command line around :mod:`omni_codemods`."""

from __future__ import annotations

__version__ = "0.1.0"

# Modules that have moved are found under their old names as well.
__path__ = [*__path__, f"{__path__[0]}/moved"]
