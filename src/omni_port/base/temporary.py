"""The temporary file beside a file that is to be replaced; those of killed runs are removed.

Whoever writes one holds a lock on it, which goes with the process, however that ends. One without
a lock is therefore nobody's.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

from omni_port.base import locks

# Without the name of the file, which may be as long as a name can be.
_NAME = re.compile(r"\.omni-port\.[0-9a-f]{16}\.tmp")
_SWEPT: set[Path] = set()


class Temporary:
    """A file beside *real*, with its mode, owner and extended attributes.

    *notes* are sentences on what could not be kept. :meth:`remove` it in any case.
    """

    def __init__(self, real: Path) -> None:
        self._real = real
        self._handle: int | None = None
        self.notes: list[str] = []
        # Named before it is there: an interrupt at any moment can still take it away.
        self.path = real.with_name(f".omni-port.{secrets.token_hex(8)}.tmp")

    def fill(self, data: bytes) -> None:
        """Write *data* and put it on the disk; raises OSError."""
        self._handle = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        if not locks.try_lock(self._handle) or os.fstat(self._handle).st_nlink == 0:
            self.remove()  # another run took it for nobody's, before it had its lock
            self.path = self.path.with_name(f".omni-port.{secrets.token_hex(8)}.tmp")
            self.fill(data)
            return
        with open(self._handle, "wb", closefd=False) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        self._take_after()

    def _take_after(self) -> None:
        """Give it what *real* has besides its text."""
        try:
            old = self._real.stat()
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            self.path.chmod(0o666 & ~mask)
            return
        if old.st_nlink > 1:
            self.notes.append("its other names (hard links) keep the old text")
        self._keep_owner(old)
        _copy_attributes(self._real, self.path)
        self.path.chmod(stat.S_IMODE(old.st_mode))

    def _keep_owner(self, old: os.stat_result) -> None:
        new = self.path.stat()
        for what, was, now, pair in (
            ("owner", old.st_uid, new.st_uid, (old.st_uid, -1)),
            ("group", old.st_gid, new.st_gid, (-1, old.st_gid)),
        ):
            if was == now:
                continue
            try:
                os.chown(self.path, *pair)
            except OSError:
                self.notes.append(f"its {what} is {now} now and was {was}, which could not be kept")

    def remove(self) -> None:
        """Take it away, where it is still there."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)


def _copy_attributes(source: Path, target: Path) -> None:
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))


def sweep(folder: Path, *, once: bool = False) -> None:
    """Remove the temporary files of runs that were killed from *folder*; raises nothing.

    With *once*, a folder that was swept before is not looked at again.
    """
    if once and folder in _SWEPT:
        return
    _SWEPT.add(folder)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 (half of the time)
            if _NAME.fullmatch(name):
                _remove_unlocked(folder / name)


def _remove_unlocked(path: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            if locks.try_lock(handle):
                path.unlink()
        finally:
            os.close(handle)
