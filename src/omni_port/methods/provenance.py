"""Addresses of an upstream, and its history, as candidates for where a copy was made from."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.names.imports import module_imports
from omni_codemods.provenance.provenance import Candidate, MethodProvenance, find_provenance
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import definitions
from omni_port import revisions
from omni_port.base import files
from omni_port.base.address import Address
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import InputError, UsageError, from_library
from omni_port.base.progress import step, steps
from omni_port.sources.file_at import Located, Provenance, class_of, read_address


@dataclass(frozen=True, slots=True)
class History:
    """Which versions of one file of a git repository to look at: after *since*, up to *until*."""

    since: str | None = None
    until: str | None = None
    tags: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """What :func:`search_provenance` found: the local file, and each candidate's provenance."""

    local: Located
    candidates: tuple[tuple[str, Provenance], ...]
    methods: tuple[MethodProvenance, ...]

    @property
    def best(self) -> Counter[str]:
        """For how many copies each candidate is the best."""
        return Counter(
            name for method in self.methods if method.is_copy for name in method.best.names
        )


def search_provenance(
    local: Address,
    upstream: Sequence[Address],
    *,
    history: History | None = None,
    methods: Sequence[str] = (),
) -> Search:
    """Say for each local method from which of the *upstream* addresses it was copied.

    An upstream that is a folder stands for the one file in it that defines the class. With a
    *history*, *upstream* is one file of a git repository. Raises OmniPortError.
    """
    mine = read_address(local)
    cls = local.qualname
    if cls is not None and len(methods) == 1:
        cls = class_of(local, methods[0])
    if (function := _named_function(mine.source.text, cls)) is not None and not methods:
        cls, methods = function[0], (function[1],)
    found = _in_history(upstream, history) if history else [_read(a, cls, mine) for a in upstream]
    candidates = [_candidate(name, source.text, owner, methods) for name, source, _, owner in found]
    try:
        ranked = find_provenance(
            mine.source.text,
            steps("comparing with version", candidates),
            local_class=cls,
            methods=tuple(methods),
        )
    except OmniCodemodsError as error:
        path = str(local) if error.side == "local" else ""
        raise from_library(error, path=path) from error
    return Search(mine, tuple((name, where) for name, _, where, _ in found), ranked)


def _candidate(name: str, text: str, owner: str | None, methods: Sequence[str]) -> Candidate:
    """The version of an upstream; its address may name the one function that was copied."""
    function = _named_function(text, owner)
    if function is None or function[1] in methods:
        return Candidate(name, text, owner if function is None else function[0])
    return Candidate(name, text, *function)


def _named_function(text: str, qualname: str | None) -> tuple[str | None, str] | None:
    """Class and name, where *qualname* is a function or a method and no class."""
    if qualname is None:
        return None
    try:
        known = definitions(text)
    except OmniCodemodsError:
        return None  # whoever reads the functions says what is wrong with the file
    if not any(one.qualname == qualname and not one.is_class for one in known):
        return None
    owner, _, name = qualname.rpartition(".")
    return owner or None, name


_Found = tuple[str, files.Source, Provenance, "str | None"]


def _read(address: Address, cls: str | None, local: Located) -> _Found:
    name = str(address).partition("::")[0]
    if address.repository is None and Path(address.path).is_dir():
        path = _defining_file(Path(address.path), address.qualname or cls, local)
        address = Address(str(path), qualname=address.qualname)
    located = read_address(address)
    return name, located.source, located.provenance, address.qualname


def _defining_file(folder: Path, cls: str | None, local: Located) -> Path:
    """The one file below *folder* that defines the class; of several, what local imports."""
    if cls is None:
        hint = f"write {folder}::CLASS, or name the file"
        raise UsageError(f"{folder} is a folder, and no class is named", hint=hint)
    last = last_part(cls)
    wanted = re.compile(rb"^[ \t]*class[ \t]+%s\b" % re.escape(last.encode()), re.MULTILINE)
    found = [p for p in find_python_files([folder]) if wanted.search(files.read_bytes(p))]
    if len(found) > 1:
        found = [p for p in found if _is_imported(p, last, local)] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"no file defines a class {last}", path=str(folder), hint="name the file")
    named = ", ".join(str(path) for path in found[:3])
    message = f"{len(found)} files define a class {last}: {named}"
    raise InputError(message, hint="name the file", path=str(folder))


def _is_imported(path: Path, cls: str, local: Located) -> bool:
    stem = path.with_suffix("").as_posix().replace("/", ".")
    return any(
        f".{stem}".endswith(f".{found.value.module}")
        for found in module_imports(local.source.text)
        if found.value.name == cls and found.value.module
    )


def _in_history(upstream: Sequence[Address], history: History) -> list[_Found]:
    if len(upstream) != 1:
        message = "--since, --until and --tags look at the history of one --upstream"
        raise UsageError(message, hint="name one file of a git repository")
    (address,) = upstream
    until = history.until or address.revision or "HEAD"
    if address.repository is None:
        absolute = Path(address.path).absolute()
        place, path = str(absolute.parent), str(absolute)
    else:
        place, path = address.repository, address.path
    step(f"reading the history of {path}")
    versions = revisions.read_versions(place, history.since, until, path, tags=history.tags)
    if not versions:
        message = f"no version of the file between {history.since or 'the start'} and {until}"
        raise InputError(message, hint="check the path and the revisions", path=address.path)
    return [
        (
            version.name,
            files.decode(version.blob.data, path=f"{version.name}:{version.blob.path}"),
            _provenance(version.blob, address.qualname),
            address.qualname,
        )
        for version in versions
    ]


def _provenance(blob: revisions.Blob, qualname: str | None) -> Provenance:
    digest = hashlib.sha256(blob.data).hexdigest()
    return Provenance(blob.path, digest, blob.repository, blob.revision, qualname)
