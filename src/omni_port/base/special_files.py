"""Devices, pipes and the process's own streams: written into, where a file would be replaced."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

from omni_port.base.errors import InputError

_STREAM = re.compile(r"/dev/(?:fd/(\d+)|stdin|stdout|stderr)|/proc/(?:self|\d+)/fd/(\d+)")
_NAMED = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def is_special(path: Path) -> bool:
    """Whether *path* is something to write into: a character device, a pipe, an open stream."""
    if _stream(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def is_endless(path: Path) -> bool:
    """Whether reading *path* may never end: a device, or a pipe that the shell did not make."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    if stat.S_ISFIFO(mode):
        return _stream(path) is None
    return stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and str(path) != os.devnull)


def write_into(path: Path, data: bytes) -> None:
    """Write *data* into what :func:`is_special`; raises InputError, BrokenPipeError."""
    number = _stream(path)
    try:
        if number is None:
            with path.open("wb", buffering=0) as stream:
                _write_all(stream.fileno(), data)
            return
        sys.stdout.flush()
        # Opened anew, a stream that goes to a file would begin at its start again.
        _write_all(number, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise InputError(message, hint="check what it leads to", path=str(path)) from error


def _write_all(number: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(number, rest) :]


def _stream(path: Path) -> int | None:
    """Return the number of the open stream that *path* names."""
    for place in (str(path.absolute()), _one_link(path)):
        found = _STREAM.fullmatch(place)
        if found is not None:
            return _NAMED.get(place, int(found[1] or found[2] or 0))
    return None


def _one_link(path: Path) -> str:
    try:
        return str(path.parent.absolute() / path.readlink())
    except OSError:
        return ""


def name_kind(mode: int) -> str:
    """Return what something that is no regular file is, for a message."""
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISBLK, "a disk"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISCHR, "a device"),
    )
    return next((name for is_kind, name in kinds if is_kind(mode)), "not a regular file")
