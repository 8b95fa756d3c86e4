"""Readings of local files against upstreams, kept in the user's cache by what went into them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

import omni_codemods
from omni_codemods.checks.imports import Where
from omni_codemods.findings.model import Finding
from omni_codemods.impact.breaks import LocalText, Reading, merge_readings, read_contract
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.kin import Kin
from omni_codemods.sources.modules import Sources
from omni_port.base.gc_pause import paused_collector
from omni_port.base.progress import steps
from omni_port.methods.workers import Workers

_KEPT = 40
# So many characters of local code are worth a process.
_PART = 300_000


def cache_folder() -> Path:
    """Return where readings are kept: ``$XDG_CACHE_HOME/omni-port/readings``, or below ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "omni-port" / "readings"


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be read: the local files against *sources*, which hold them, too.

    *contents* tell the trees from all others: commits, or digests. *kin* are the local files
    together, made when first needed; *where* tells which modules define a name.
    """

    files: Sequence[LocalText]
    sources: Callable[[], Sources]
    versions: Mapping[str, str]
    contents: Sequence[str]
    kin: Callable[[], Kin]
    where: Where | None = None

    def key(self) -> str:
        """What tells the question from any other."""
        digest = hashlib.blake2b(digest_size=20)
        digest.update(_program().encode())
        for one in self.files:
            for part in (one.path, one.module, str(one.package), one.text):
                digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        for content in self.contents:
            digest.update(f"{content}\0".encode())
        digest.update(repr(sorted(self.versions.items())).encode())
        return digest.hexdigest()


def read_all(questions: Sequence[Question]) -> list[Reading]:
    """Return the reading for each of *questions*, from the cache where it is there.

    What is not there is read by as many processes as there are processors.
    """
    folder = cache_folder()
    keys = [one.key() for one in questions]
    found = [_load(folder / key) for key in keys]
    missing = [number for number, one in enumerate(found) if one is None]
    for number, made in zip(missing, _read([questions[n] for n in missing]), strict=True):
        found[number] = made
        _save(folder, keys[number], made)
    return [one for one in found if one is not None]


def _read(questions: Sequence[Question]) -> Iterator[Reading]:
    """Read what no cache has: each question in as many parts as make all processors busy."""
    if not questions:
        return
    every = sum(len(one.text) for one in questions[0].files)
    jobs = min(_processors(), 1 + every // _PART) if sys.platform == "linux" else 1
    cuts = max(1, jobs // len(questions))
    parts = [(one, part) for one in questions for part in _cut(one.files, cuts)]
    if jobs > 1 and len(parts) > 1:
        for one in questions:
            one.kin()  # once, before the processes part
        workers = Workers(functools.partial(_encoded, parts), lambda *_: b"", jobs)
        done = list(steps("reading", workers.map(range(len(parts))), len(parts)))
    else:
        done = [b""] * len(parts)
    made = (
        _decode(data) if data else _answer(*part) for data, part in zip(done, parts, strict=True)
    )
    for _ in questions:
        yield merge_readings([next(made) for _ in range(len(parts) // len(questions))])


def _answer(question: Question, files: Sequence[LocalText]) -> Reading:
    versions = Versions(question.versions)
    shown = steps("reading", files, len(files))
    return read_contract(shown, question.sources(), versions, question.kin(), question.where)


def _encoded(parts: Sequence[tuple[Question, Sequence[LocalText]]], number: int) -> bytes:
    with paused_collector():
        return msgspec.msgpack.encode(_answer(*parts[number]))


def _decode(data: bytes) -> Reading:
    return msgspec.msgpack.decode(data, type=Reading)


def _cut(files: Sequence[LocalText], parts: int) -> list[Sequence[LocalText]]:
    """Cut *files* into *parts* of about the same length, in their order."""
    whole, done = sum(len(one.text) for one in files), 0
    out: list[list[LocalText]] = [[] for _ in range(parts)]
    for one in files:
        out[min(parts - 1, done * parts // max(1, whole))].append(one)
        done += len(one.text)
    return list(out)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load_findings(key: str) -> dict[str, tuple[Finding, ...]]:
    """Return what a check found of each file, by its path; nothing where no cache has it."""
    try:
        data = (cache_folder() / key).read_bytes()
        return msgspec.msgpack.decode(data, type=dict[str, tuple[Finding, ...]])
    except (OSError, msgspec.DecodeError):
        return {}


def save_findings(key: str, found: Mapping[str, tuple[Finding, ...]]) -> None:
    """Keep what a check found of each file."""
    _save(cache_folder(), key, found)


def _load(path: Path) -> Reading | None:
    try:
        found = _decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None  # whatever is wrong with a cache, it is as if it were not there
    with contextlib.suppress(OSError):
        os.utime(path)
    return found


def _save(folder: Path, key: str, reading: object) -> None:
    """Keep *reading*; where the cache cannot be written, nothing is kept."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / key, msgspec.msgpack.encode(reading))
        every = sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime)
        for old in every[:-_KEPT]:
            old.unlink(missing_ok=True)


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
