"""Where files of omni-port's own lie in the user's account, outside of every project."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache(name: str) -> Path:
    """Return ``$XDG_CACHE_HOME/omni-port/NAME``, or that below ``~/.cache``; nothing is made."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "omni-port" / name
