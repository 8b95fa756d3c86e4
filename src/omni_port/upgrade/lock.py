"""One upgrade of a project at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from omni_port.base.errors import InputError


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock on the file *path*, the project's; raises InputError where another run has it.

    The lock goes with the process, however that ends, and writes nothing. Where there are no such
    locks (on Windows, on some network file systems), nothing is locked.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = "another upgrade of this project is running"
            raise InputError(message, hint="wait for its end", path=str(path)) from error
        except OSError:
            pass
        yield
