"""The text behind an address, and where it came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from omni_port import files, revisions
from omni_port.address import Address


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
    """A file that an address names."""

    address: Address
    source: files.Source
    provenance: Provenance

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


def read_address(address: Address) -> Located:
    """Read the file that *address* names; raises InputError or RevisionError."""
    if address.repository is None or address.revision is None:
        data = files.read_bytes(Path(address.path))
        provenance = Provenance(address.path, _digest(data), qualname=address.qualname)
    else:
        with revisions.open_tree(address.repository, address.revision) as tree:
            blob = tree.require(address.path)
        data = blob.data
        provenance = Provenance(
            blob.path, _digest(data), blob.repository, blob.revision, address.qualname
        )
    return Located(address, files.decode(data, path=str(address)), provenance)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
