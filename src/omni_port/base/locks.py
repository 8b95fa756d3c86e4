"""Locks on open files, which go with the process."""

from __future__ import annotations


def try_lock(handle: int) -> bool:
    """Lock the open file; False where another process has it locked.

    Where there are no such locks (on Windows, on some network file systems), nothing is locked.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
