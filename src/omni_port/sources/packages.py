"""A whole tree of sources, in a folder or at a revision, for ``table verify`` and ``check``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from omni_codemods.text.dotted import module_of
from omni_port import revisions
from omni_port.base.address import Address
from omni_port.base.errors import InputError

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


def iter_modules(address: Address, package: str) -> Iterator[tuple[str, bytes]]:
    """Yield dotted name and bytes of each module of *package* in the tree of *address*."""
    if address.repository is None or address.revision is None:
        root = Path(address.path)
        inside = (
            root if root.name == package and (root / "__init__.py").is_file() else root / package
        )
        for path in sorted(inside.rglob("*.py")):
            yield (
                module_of(f"{package}/{path.relative_to(inside).as_posix()}"),
                path.read_bytes(),
            )
        return
    start = "" if address.path in (".", "") else address.path.rstrip("/") + "/"
    with revisions.open_tree(address.repository, address.revision) as tree:
        for name in tree.paths():
            inner = name.removeprefix(start)
            data = (
                tree.read(name)
                if inner.startswith(f"{package}/") and name.endswith(".py")
                else None
            )
            if data is not None:
                yield module_of(inner), data


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
