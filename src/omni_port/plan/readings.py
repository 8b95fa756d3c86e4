"""Readings of local files against upstreams, kept in the user's cache by what went into them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

import omni_codemods
from omni_codemods.impact.breaks import LocalText, Reading
from omni_port.sources.upstream import Tree

_KEPT = 40


def cache_folder() -> Path:
    """Return where readings are kept: ``$XDG_CACHE_HOME/omni-port/readings``, or below ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "omni-port" / "readings"


def load_reading(
    local: Sequence[LocalText], trees: Iterable[Tree], versions: Mapping[str, str]
) -> Reading | None:
    """Return the reading of *local* against *trees*, ``None`` where the cache does not have it."""
    path = cache_folder() / _key(local, trees, versions)
    try:
        found = msgspec.msgpack.decode(path.read_bytes(), type=Reading)
    except (OSError, msgspec.DecodeError):
        return None  # whatever is wrong with a cache, it is as if it were not there
    with contextlib.suppress(OSError):
        os.utime(path)
    return found


def save_reading(
    local: Sequence[LocalText],
    trees: Iterable[Tree],
    versions: Mapping[str, str],
    reading: Reading,
) -> None:
    """Keep *reading*; where the cache cannot be written, nothing is kept."""
    folder = cache_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / _key(local, trees, versions), msgspec.msgpack.encode(reading))
        every = sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime)
        for old in every[:-_KEPT]:
            old.unlink(missing_ok=True)


def _key(local: Sequence[LocalText], trees: Iterable[Tree], versions: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(digest_size=20)
    digest.update(_program().encode())
    for one in local:
        for part in (one.path, one.module, str(one.package), one.text):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    for tree in trees:
        digest.update(f"{sorted(tree.packages.items())}{tree.content_id()}\0".encode())
    digest.update(repr(sorted(versions.items())).encode())
    return digest.hexdigest()


@functools.cache
def _program() -> str:
    """What the program itself is: another one reads otherwise."""
    folder = Path(omni_codemods.__file__).parent
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path.name}{stat.st_size}{stat.st_mtime_ns}".encode())
    return digest.hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Write so that another run never sees half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)
