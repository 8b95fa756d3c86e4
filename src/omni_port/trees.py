"""A whole tree of sources, in a folder or at a revision, for ``table verify``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from omni_port import revisions
from omni_port.address import Address
from omni_port.errors import InputError

Read = Callable[[str], str | None]


@contextlib.contextmanager
def open_package(address: Address, package: str) -> Iterator[Read]:
    """Yield what reads ``package/module.py`` in the tree that *address* names.

    The address is the folder that holds the package, or the package itself. Raises InputError
    where the package is not there.
    """
    if address.repository is None or address.revision is None:
        yield _reader(_folder(Path(address.path)), address, package)
        return
    with revisions.open_tree(address.repository, address.revision) as tree:
        inside = "" if address.path in (".", "") else address.path.rstrip("/") + "/"
        yield _reader(lambda path: tree.read(inside + path), address, package)


def _folder(root: Path) -> Callable[[str], bytes | None]:
    def read(path: str) -> bytes | None:
        try:
            return (root / path).read_bytes()
        except OSError:
            return None

    return read


def _reader(read: Callable[[str], bytes | None], address: Address, package: str) -> Read:
    start = f"{package}/"
    if read(f"{start}__init__.py") is None:
        if Path(address.path).name != package or read("__init__.py") is None:
            raise InputError(
                f"{address} holds no package {package}",
                hint=f"name the folder that {package}/ stands in, or REPO@REV:.",
            )
        return lambda path: _text(read(path.removeprefix(start)))
    return lambda path: _text(read(path))


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", errors="replace")
