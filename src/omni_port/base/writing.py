"""Writing files: whole or not at all, and never over what somebody else wrote meanwhile.

    read ... work ... | temporary file, whole and on the disk | compare with what was read | rename

Between the last two steps lie microseconds; everything that takes time stands before them.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omni_port.base import special_files
from omni_port.base.errors import InputError
from omni_port.base.temporary import Temporary, sweep


class Changed(InputError):
    """The file is not as it was read, and was left so."""


@dataclass(frozen=True, slots=True)
class Write:
    """*data* for the file *path*.

    *seen* are the bytes that were read from it: where it holds others by now, it is left alone.
    Without it, whatever stands there is replaced; with *new*, nothing may stand there.
    A read-only file is replaced with *force* alone.
    """

    path: Path
    data: bytes
    seen: bytes | None = None
    new: bool = False
    force: bool = False


def write_file(
    path: Path,
    data: bytes,
    *,
    seen: bytes | None = None,
    new: bool = False,
    force: bool = False,
) -> tuple[str, ...]:
    """Replace what stands in *path*: at any moment the file is old or new, and whole.

    Writes through a symbolic link, and keeps mode, owner and extended attributes; returns what
    could not be kept, a sentence each. Devices, pipes and ``/dev/stdout`` are written into.
    Raises :class:`Changed` or InputError.
    """
    if special_files.is_special(path):
        special_files.write_into(path, data)
        return ()
    return write_together([Write(path, data, seen, new, force)])


def write_together(writes: Sequence[Write]) -> tuple[str, ...]:
    """Replace several files as :func:`write_file` does, none before all are on the disk.

    Raises InputError where one cannot be put on the disk; all are then as they were. Raises
    :class:`Changed` where files are not as they were read; the others are then written.
    """
    waiting: list[tuple[Write, Path, Temporary]] = []
    path = Path()
    try:
        for write in writes:
            path = write.path
            real = _real(write)
            sweep(real.parent, once=True)
            waiting.append((write, real, Temporary(real)))
            waiting[-1][2].fill(write.data)
        changed = []
        notes: list[str] = []
        for write, real, temporary in waiting:
            path = write.path
            if _is_as_seen(write, real):
                notes += (f"{path}: {note}" for note in temporary.notes)
                changed += [] if _put(write, real, temporary) else [path]
            else:
                changed.append(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        for _, _, temporary in waiting:
            temporary.remove()
    if changed:
        raise _changed(changed)
    return tuple(notes)


def _real(write: Write) -> Path:
    """Return the place of the file behind links; raises OSError, InputError."""
    path = write.path
    real = Path(os.path.realpath(path))
    if path.is_symlink() and real.is_symlink():
        path.stat()  # a circle: this says so
    with contextlib.suppress(FileNotFoundError):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            kind = special_files.name_kind(found.st_mode)
            raise InputError(f"is {kind}", hint="name a regular file", path=str(path))
        # Asked of the mode too: to an administrator everything is writable.
        if not write.force and not (found.st_mode & 0o222 and os.access(real, os.W_OK)):
            hint = f"chmod u+w {path}, or --force where the command has it"
            raise InputError("is read-only, and was left alone", hint=hint, path=str(path))
    return real


def _is_as_seen(write: Write, real: Path) -> bool:
    if write.seen is None:
        return True
    try:
        return real.read_bytes() == write.seen
    except FileNotFoundError:
        return False


def _put(write: Write, real: Path, temporary: Temporary) -> bool:
    if not write.new:
        temporary.path.replace(real)
        return True
    try:
        # Unlike a rename, this fails where something is there.
        real.hardlink_to(temporary.path)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        with contextlib.suppress(FileExistsError):
            real.open("xb").close()
            temporary.path.replace(real)
            return True
        return False
    return True


def _changed(paths: Sequence[Path]) -> Changed:
    others = f", and so have {', '.join(map(str, paths[1:]))}" if len(paths) > 1 else ""
    return Changed(
        f"has changed since it was read, and was left as it is{others}",
        hint="run omni-port again: it then works on what stands there now",
        path=str(paths[0]),
    )


def _unwritable(path: Path, error: OSError) -> InputError:
    message = f"cannot be written: {error.strerror or error}"
    return InputError(message, hint="check the folder and its permissions", path=str(path))


def make_folder(path: Path) -> None:
    """Make the folder *path* and those above it, where they are missing; raises InputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the folder cannot be made: {error.strerror}"
        raise InputError(message, hint="check the path", path=str(path)) from error


def require_inside(path: Path, root: Path) -> None:
    """Raise InputError unless *path* lies in the folder *root* once all links are followed."""
    real, inside = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    if not real.is_relative_to(inside):
        raise InputError(
            f"leads out of {root}: its real place is {real}",
            hint="nothing is written there; take the link away, or name the place itself",
            path=str(path),
        )
