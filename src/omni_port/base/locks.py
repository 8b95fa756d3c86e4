"""Locks that go with the process that has them, however that ends.

There are two of them, for there are two things to lock. What a run holds is a *path*, and the file
there is the lock's own (:func:`held`, by filelock, on every system). A temporary file is locked by
its open *handle*: a lock file beside each would be litter of its own after a kill, and to open it
by its name could be to open what another run has just put there.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import socket
from collections.abc import Iterator
from pathlib import Path


class Held(Exception):
    """Another process has the lock; *holder* says which, empty where that is not known."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock file *path*, whose folder is there; raises :class:`Held` and OSError.

    The file stays, and so does, after a kill, the one beside it that names the holder: neither
    keeps anybody out.
    """
    from filelock import FileLock, Timeout

    holder = path.with_name(f"{path.name}-holder")
    lock = FileLock(path, timeout=0, mode=0o644)
    try:
        lock.acquire()
    except Timeout:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            raise Held(holder.read_text("utf-8").strip()) from None
        raise Held("") from None
    try:
        with contextlib.suppress(OSError):
            holder.write_text(f"{_this_process()}\n", "utf-8")
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()
        lock.release()


def _this_process() -> str:
    now = datetime.datetime.now(datetime.timezone.utc)
    return f"process {os.getpid()} on {socket.gethostname()}, since {now:%Y-%m-%d %H:%M:%S} UTC"


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
