"""The text behind an address, and where it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.findings.suggest import suggest
from omni_port import revisions
from omni_port.base import files
from omni_port.base.address import Address
from omni_port.base.errors import InputError, OmniPortError, from_library

if TYPE_CHECKING:
    from omni_codemods.text.outline import Definition


@dataclass(frozen=True, slots=True)
class Provenance:
    """Repository and full SHA (``None`` for the working tree), path, name, SHA-256 of the file."""

    path: str
    sha256: str
    repository: str | None = None
    revision: str | None = None
    qualname: str | None = None


@dataclass(frozen=True, slots=True)
class Located:
    """A file that an address names; *module* is its dotted name where it stands in a package."""

    address: Address
    source: files.Source
    provenance: Provenance
    module: str | None = None

    @property
    def label(self) -> str:
        """The path, with the revision where there is one: for conflict markers and reports."""
        revision = self.provenance.revision
        if revision is None:
            return self.address.path
        spelling = self.address.revision or ""
        short = revision[:12]
        at = short if revision.startswith(spelling) else f"{spelling}, {short}"
        return f"{self.address.path} at {at}"

    def explain(self, error: OmniCodemodsError) -> OmniPortError:
        """Return the shell's error for one of the library that is about this file."""
        whole = self.address if error.line is None else replace(self.address, qualname=None)
        return from_library(error, path=str(whole), text=self.source.text)

    def with_text(self, text: str) -> Located:
        """Return the file with another text; its provenance stays that of what was read."""
        return replace(self, source=replace(self.source, text=text))


def read_address(address: Address) -> Located:
    """Read the file that *address* names; raises InputError or RevisionError."""
    if address.repository is None or address.revision is None:
        data = files.read_bytes(Path(address.path))
        provenance = Provenance(address.path, _digest(data), qualname=address.qualname)
        # Absolute: the current folder may itself stand in the package.
        absolute = str(Path(address.path).absolute())
        module = find_module(absolute, lambda path: Path(path).is_file())
    else:
        with revisions.open_tree(address.repository, address.revision) as tree:
            blob = tree.require(address.path)
            module = find_module(blob.path, lambda path: tree.read(path) is not None)
        data = blob.data
        provenance = Provenance(
            blob.path, _digest(data), blob.repository, blob.revision, address.qualname
        )
    return Located(address, files.decode(data, path=str(address)), provenance, module)


def class_of(address: Address, method: str) -> str | None:
    """Return the class that *address* names, ``None`` where it names none."""
    qualname = address.qualname or ""
    if qualname == method or qualname.endswith(f".{method}"):
        qualname = qualname[: -len(method)].rstrip(".")
    return qualname or None


def names_in(located: Located, method: str) -> tuple[str | None, str]:
    """Return the class and the name of the function that *located* is addressed by.

    That is *method* in the class that the address names; where the address names a function of
    another name, as ``PATH::CLASS._other``, that one.
    """
    qualname = located.address.qualname or ""
    plain = class_of(located.address, method), method
    if not qualname or qualname == method or qualname.endswith(f".{method}"):
        return plain
    from omni_codemods.text.outline import definitions

    try:
        known = definitions(located.source.text)
    except OmniCodemodsError:
        return plain  # whoever reads the function says what is wrong with the file
    if not any(one.qualname == qualname and not one.is_class for one in known):
        return plain
    owner, _, name = qualname.rpartition(".")
    return owner or None, name


def require_definitions(
    located: Located, qualname: str, *, side: str = "local", note: str = "", otherwise: str
) -> list[Definition]:
    """Return the definitions of *qualname*, a class or function of the file, in order.

    Raises InputError where there is none: with the nearest names, else with *otherwise* as what
    to do; *note* stands behind the name.
    """
    from omni_codemods.text.outline import definitions

    try:
        known = definitions(located.source.text, side)
    except OmniCodemodsError as error:
        raise located.explain(error) from error
    found = [one for one in known if one.qualname == qualname]
    if not found:
        hint = suggest(qualname, [one.qualname for one in known], otherwise=otherwise)
        message = f"no class or function {qualname}{note}"
        raise InputError(message, hint=hint, path=located.address.path)
    return found


def find_module(path: str, is_file: Callable[[str], bool]) -> str | None:
    """Return the dotted name of the module *path*, ``None`` outside of every package.

    Packages are the folders above that hold an ``__init__.py``, up to the first that does not.
    """
    stem, folder = PurePosixPath(path).stem, PurePosixPath(path).parent
    names = [] if stem == "__init__" else [stem]
    while folder.name and is_file(str(folder / "__init__.py")):
        names.insert(0, folder.name)
        folder = folder.parent
    inside = len(names) > 1 or stem == "__init__"
    return ".".join(names) if inside and names else None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
