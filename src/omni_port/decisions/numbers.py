"""Numbers for what is to be decided: one means the same thing until the next upgrade.

They stand in ``.omni-port/numbers.json``, which git does not carry: a number is what somebody reads
on one screen and types on the next. Nothing but convenience depends on them, so a folder that
cannot be written costs no more than that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from omni_port.base import files
from omni_port.base.errors import OmniPortError
from omni_port.base.writing import make_folder, require_inside, write_file

_FOLDER = ".omni-port"


class _Numbers(msgspec.Struct, frozen=True):
    upgrade: str
    numbers: dict[str, int] = {}


def number(root: Path, upgrade: str, keys: Iterable[str], *, save: bool = True) -> dict[str, int]:
    """Return a number for each of *keys*, things to decide in *upgrade* of the project at *root*.

    A key that had a number keeps it, others get the next ones in their order; a number is not
    given twice in one upgrade. With *save* they are kept.
    """
    path = root / _FOLDER / "numbers.json"
    known = _load(path, upgrade)
    numbers = dict(known)
    for key in keys:
        if key not in numbers:
            numbers[key] = max(numbers.values(), default=0) + 1
    if save and numbers != known:
        with contextlib.suppress(OmniPortError, OSError):
            _save(root, path, _Numbers(upgrade, numbers))
    return numbers


def _load(path: Path, upgrade: str) -> dict[str, int]:
    try:
        found = msgspec.json.decode(files.read_bytes(path), type=_Numbers)
    except (OmniPortError, msgspec.DecodeError):
        return {}
    return found.numbers if found.upgrade == upgrade else {}


def _save(root: Path, path: Path, numbers: _Numbers) -> None:
    require_inside(path, root)
    make_folder(path.parent)
    ignore = path.parent / ".gitignore"
    if not ignore.exists():
        write_file(ignore, b"*\n", new=True)
    write_file(path, msgspec.json.format(msgspec.json.encode(numbers), indent=1) + b"\n")
