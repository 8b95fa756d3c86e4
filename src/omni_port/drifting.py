"""Drift by addresses: read a GPU class and its NPU counterpart, compare, mind the baseline."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omni_codemods.errors import OmniCodemodsError
from omni_port import files
from omni_port.address import Address
from omni_port.errors import ConfigurationError, UsageError, from_library
from omni_port.located import Located, read_address

if TYPE_CHECKING:
    from omni_codemods.drift import MethodDrift

Known = Mapping[str, tuple[str, ...]]


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
    """A request with its files as they were read, and the methods."""

    request: DriftRequest
    local: Located
    gpu: Located
    methods: tuple[Compared, ...]

    @property
    def new(self) -> int:
        """How many differences the baseline does not know."""
        return sum(one.new for one in self.methods)


def compare_classes(request: DriftRequest, known: Known | None = None) -> Drift:
    """Compare the two classes of *request*; *known* is what a baseline says of them.

    Raises OmniPortError: a class that is not named or not there, a file that is not Python.
    """
    from omni_codemods.drift import find_drift
    from omni_port.tables import load_selected

    local, gpu = read_address(request.local), read_address(request.gpu)
    sides = {"npu": local, "gpu": gpu}
    try:
        methods = find_drift(
            gpu=gpu.source.text,
            npu=local.source.text,
            gpu_class=_class(request.gpu, "--gpu"),
            npu_class=_class(request.local, "--local"),
            table=load_selected(request.tables, request.table_target),
        )
    except OmniCodemodsError as error:
        side = sides.get(error.side)
        raise from_library(error, path="" if side is None else str(side.address)) from error
    compared = tuple(Compared(m, _new(m, known or {})) for m in methods)
    return Drift(request, local, gpu, compared)


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
    known = _load(path).get(pair, {})
    return {name: tuple(digests) for name, digests in known.items()}


def write_baseline(path: Path, drift: Drift) -> None:
    """Write the drift as it is into *path*; what that says of other classes stays."""
    pairs = _load(path) if path.exists() else {}
    pairs[drift.request.pair] = {
        one.method.name: sorted(one.method.digests) for one in drift.methods if one.method.drifts
    }
    document = {"version": 1, "classes": dict(sorted(pairs.items()))}
    files.write_atomic(path, (json.dumps(document, indent=2) + "\n").encode("utf-8"))


def _load(path: Path) -> dict[str, dict[str, list[str]]]:
    import msgspec

    class Baseline(msgspec.Struct, forbid_unknown_fields=True):
        version: int
        classes: dict[str, dict[str, list[str]]]

    try:
        return msgspec.json.decode(files.read_bytes(path), type=Baseline).classes
    except msgspec.DecodeError as error:
        hint = "write it with --write-baseline"
        raise ConfigurationError(f"not a baseline: {error}", hint=hint, path=str(path)) from error
