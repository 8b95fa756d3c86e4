"""The checks of files against the trees of their upstreams."""

from __future__ import annotations

import contextlib
import functools
import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from omni_codemods.checks.run import CheckOptions, check_text
from omni_codemods.errors import OmniCodemodsError
from omni_codemods.model import TranslateResult
from omni_codemods.resolve import Read, Sources
from omni_codemods.table import Table
from omni_port import files, revisions
from omni_port.address import Address
from omni_port.api import Translation
from omni_port.errors import InputError, InternalError, OmniPortError, from_library
from omni_port.located import find_module, read_address
from omni_port.trees import iter_modules, open_package


@dataclass(frozen=True, slots=True)
class Upstream:
    """The tree of one upstream package; *revision* is the full SHA, ``None`` for a folder."""

    package: str
    address: Address
    read: Read
    revision: str | None = None


@contextlib.contextmanager
def open_upstreams(addresses: Mapping[str, Address]) -> Iterator[tuple[Upstream, ...]]:
    """Open the trees of *addresses*, by package; raises InputError or RevisionError."""
    with contextlib.ExitStack() as stack:
        yield tuple(
            Upstream(
                package,
                address,
                stack.enter_context(open_package(address, package)),
                _revision(address),
            )
            for package, address in addresses.items()
        )


def _revision(address: Address) -> str | None:
    if address.repository is None or address.revision is None:
        return None
    with revisions.open_tree(address.repository, address.revision) as tree:
        return tree.revision


@dataclass(frozen=True, slots=True)
class Old:
    """Where the old copies are: one file, or a folder in which *inside* names each."""

    address: Address

    def read(self, inside: Path) -> str | None:
        """Return the old copy of a file, ``None`` where the folder has none."""
        address = self.address
        if address.path.endswith(".py"):
            return read_address(address).source.text
        place = (Path(address.path) / inside).as_posix()
        try:
            found = read_address(Address(place, address.repository, address.revision))
        except InputError:
            return None
        return found.source.text


@dataclass(slots=True)
class Checker:
    """Checks files; what it has parsed of the trees serves for the next file."""

    upstreams: tuple[Upstream, ...] = ()
    table: Table | None = None
    old: Old | None = None
    _sources: dict[str, Sources] = field(default_factory=dict)

    def check_file(self, path: Path, inside: Path | None = None) -> Translation:
        """Return the findings of *path* as those of a translation that changes nothing.

        *inside* is its path below the folder that was named, for the old copy. Never raises: what
        goes wrong is the *error* of what is returned.
        """
        try:
            return self._check(path, inside or Path(path.name))
        except OmniPortError as error:
            return Translation(str(path), error=error)
        except Exception:
            bug = InternalError(traceback.format_exc(), path=str(path))
            return Translation(str(path), error=bug)

    def _check(self, path: Path, inside: Path) -> Translation:
        source = files.decode(files.read_bytes(path), path=str(path))
        old = self.old.read(inside) if self.old is not None else None
        module = find_module(str(path.absolute()), lambda p: Path(p).is_file())
        options = CheckOptions(self._sources_of(path, module), self._where, self.table)
        is_package = path.name == "__init__.py"
        try:
            found = check_text(source.text, options, module=module, package=is_package, old=old)
        except OmniCodemodsError as error:
            where = str(self.old.address) if self.old and error.side == "old" else str(path)
            raise from_library(error, path=where) from error
        return Translation(str(path), source, TranslateResult(source.text, findings=found))

    def _sources_of(self, path: Path, module: str | None) -> Sources:
        """The upstreams and, where the file stands in a package, that one: its own classes."""
        root = "" if module is None else str(_root(path, module))
        if root not in self._sources:
            readers = {upstream.package: upstream.read for upstream in self.upstreams}
            if module is not None:
                readers[module.partition(".")[0]] = functools.partial(_read, Path(root))
            self._sources[root] = Sources(readers)
        return self._sources[root]

    def _where(self, name: str) -> tuple[str, ...]:
        wanted = re.compile(
            rb"^(?:(?:async[ \t]+)?def|class)[ \t]+%s\b|^%s[ \t]*[:=]" % ((name.encode(),) * 2),
            re.MULTILINE,
        )
        return tuple(
            module
            for upstream in self.upstreams
            for module, data in iter_modules(upstream.address, upstream.package)
            if wanted.search(data)
        )


def _root(path: Path, module: str) -> Path:
    """The folder that the package of *path* stands in."""
    parts = len(module.split(".")) + (path.name == "__init__.py")
    return path.absolute().parents[parts - 1]


def _read(root: Path, path: str) -> str | None:
    try:
        return (root / path).read_text("utf-8", errors="replace")
    except OSError:
        return None
