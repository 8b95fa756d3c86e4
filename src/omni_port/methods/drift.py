"""Drift by addresses: read a GPU class and its NPU counterpart, compare, mind the baseline."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omni_codemods.findings.errors import OmniCodemodsError
from omni_port.base import files
from omni_port.base.address import Address
from omni_port.base.errors import ConfigurationError, UsageError, from_library
from omni_port.base.writing import write_file
from omni_port.sources.file_at import Located, read_address
from omni_port.sources.package import find_home

if TYPE_CHECKING:
    from omni_codemods.drift.drift import MethodDrift

Known = Mapping[str, tuple[str, ...]]
# What a baseline lists the bases under; no method can be called so.
_BASES = "(bases)"
# Counted up where a difference gets another digest: what is known would not be recognised.
_VERSION = 2


@dataclass(frozen=True, slots=True)
class DriftRequest:
    """Which class of *local* to compare with which of *gpu*, by which table."""

    local: Address
    gpu: Address
    tables: tuple[Path, ...] = ()
    table_target: str | None = None

    @property
    def pair(self) -> str:
        """What names the two classes in a baseline, wherever their files are."""
        return f"{self.local.qualname} < {self.gpu.qualname}"


@dataclass(frozen=True, slots=True)
class Compared:
    """One method, and how many of its differences the baseline does not know."""

    method: MethodDrift
    new: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A request with its files as they were read, the methods, and the bases that are lacking.

    *new_bases* are those that the baseline does not know.
    """

    request: DriftRequest
    local: Located
    gpu: Located
    methods: tuple[Compared, ...]
    bases: tuple[str, ...] = ()
    new_bases: tuple[str, ...] = ()

    @property
    def new(self) -> int:
        """How many differences the baseline does not know."""
        return sum(one.new for one in self.methods) + len(self.new_bases)


def compare_classes(request: DriftRequest, known: Known | None = None) -> Drift:
    """Compare the two classes of *request*; *known* is what a baseline says of them.

    Raises OmniPortError: a class that is not named or not there, a file that is not Python.
    """
    from omni_codemods.drift.drift import find_drift
    from omni_port.sources.tables import load_selected

    local, gpu = read_address(request.local), read_address(request.gpu)
    sides = {"npu": local, "gpu": gpu}
    with ExitStack() as stack:
        try:
            found = find_drift(
                gpu=gpu.source.text,
                npu=local.source.text,
                gpu_class=_class(request.gpu, "--gpu"),
                npu_class=_class(request.local, "--local"),
                table=load_selected(request.tables, request.table_target),
                gpu_home=find_home(gpu, stack),
                npu_home=find_home(local, stack),
            )
        except OmniCodemodsError as error:
            side = sides.get(error.side)
            raise from_library(error, path="" if side is None else str(side.address)) from error
    known = known or {}
    compared = tuple(Compared(m, _new(m, known)) for m in found.methods)
    fresh = tuple(base for base in found.bases if base not in known.get(_BASES, ()))
    return Drift(request, local, gpu, compared, found.bases, fresh)


def _class(address: Address, option: str) -> str:
    if address.qualname is None:
        hint = f"{option} PATH::CLASS"
        raise UsageError(f"{option} {address}: name the class after the path", hint=hint)
    return address.qualname


def _new(method: MethodDrift, known: Known) -> int:
    if not method.drifts:
        return 0
    return (Counter(method.digests) - Counter(known.get(method.name, ()))).total()


def load_baseline(path: Path, pair: str) -> Known:
    """Return what the baseline at *path* knows of *pair*, by method; nothing if it is not in it.

    Raises InputError (not readable) or ConfigurationError (not a baseline).
    """
    known = _parse(files.read_bytes(path), path).get(pair, {})
    return {name: tuple(digests) for name, digests in known.items()}


def write_baseline(path: Path, drift: Drift) -> None:
    """Write the drift as it is into *path*; what that says of other classes stays."""
    seen = files.read_bytes(path) if path.exists() else None
    pairs = {} if seen is None else _parse(seen, path)
    known = {m.name: sorted(m.digests) for m in (c.method for c in drift.methods) if m.drifts}
    pairs[drift.request.pair] = {**known, **({_BASES: list(drift.bases)} if drift.bases else {})}
    document = {"version": _VERSION, "classes": dict(sorted(pairs.items()))}
    data = (json.dumps(document, indent=2) + "\n").encode("utf-8")
    write_file(path, data, seen=seen, new=seen is None)


def _parse(data: bytes, path: Path) -> dict[str, dict[str, list[str]]]:
    import msgspec

    class Baseline(msgspec.Struct, forbid_unknown_fields=True):
        version: int
        classes: dict[str, dict[str, list[str]]]

    hint = "write it with --write-baseline"
    try:
        baseline = msgspec.json.decode(data, type=Baseline)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigurationError(f"not a baseline: {error}", hint=hint, path=str(path)) from error
    if baseline.version != _VERSION:
        message = f"a baseline of version {baseline.version}, and not {_VERSION}"
        hint = f"remove it, and {hint}"
        raise ConfigurationError(message, hint=hint, path=str(path))
    return baseline.classes
