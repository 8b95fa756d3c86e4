"""The garbage collector, out of the way while trees are built."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def paused_collector() -> Iterator[None]:
    """Do not look for cycles inside.

    Parsed trees are millions of objects that live on: to go through them again and again costs as
    much as all else together, and finds nothing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
