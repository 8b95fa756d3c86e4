"""Releases: versions, the ranges of entries, and what a target asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from omni_codemods.findings.errors import TableError
from omni_codemods.table.entries import Entry


@dataclass(frozen=True, slots=True)
class Target:
    """The releases aimed at: of the NPU's distribution, and of the GPU names'; empty for any."""

    npu: str = ""
    gpu: str = ""


def parse_target(text: str, table: str, npu: str, gpu: str) -> Target:
    """Read ``NPU==RELEASE`` or a bare release, with or without ``GPU==RELEASE`` beside it.

    *npu* and *gpu* are the distributions that the *table* (its name) is about. Raises
    :class:`TableError` for any other, and where only the GPU's is named.
    """
    names = {_canonical(npu): "npu", **({_canonical(gpu): "gpu"} if gpu else {})}
    found: dict[str, str] = {}
    for part in text.split(","):
        distribution, _, release = part.strip().rpartition("==")
        which = names.get(_canonical(distribution or npu), "")
        if not which:
            message = f"table {table} is about {npu or 'no distribution'}, not {distribution}"
            raise _no_target(message, table, npu, gpu)
        if which in found:
            raise _no_target(f"{text!r} names {distribution or npu} twice", table, npu, gpu)
        found[which] = release.strip()
    if "npu" not in found:
        raise _no_target(f"{text!r} names no release of {npu}", table, npu, gpu)
    return Target(**found)


def _no_target(message: str, table: str, npu: str, gpu: str) -> TableError:
    more = f", or {npu}==RELEASE,{gpu}==RELEASE" if gpu else ""
    return TableError(message, hint=f"Aim at {npu or table}==RELEASE{more}.", side="table")


def require_known(release: str, releases: Sequence[str], distribution: str) -> str:
    """Return which of *releases*, oldest first, *release* is.

    A post release, and a build of a release (``0.23.0.post1``, ``0.23.0+local``), are that
    release. Raises :class:`TableError`, which names the nearest, for one that is not listed:
    what the entries say of the releases around it need not be true of it.
    """
    version = parse_version(release, f"target {release}")
    known = {parse_version(one, "releases"): one for one in releases}
    plain = Version(str(version).partition("+")[0].partition(".post")[0])
    if version in known or plain in known:
        return known.get(version) or known[plain]
    beside = [max((v for v in known if v < version), default=None)]
    beside.append(min((v for v in known if v > version), default=None))
    near = [f"{distribution or 'release'}=={known[v]}" for v in beside if v is not None]
    raise TableError(
        f"the table knows no {distribution or 'release'} {release}; it knows {releases[0]} "
        f"to {releases[-1]}",
        hint=f"Aim at {' or '.join(near)}; where its entries hold for {release} too, list that "
        "in releases of a table of yours (extends = true).",
        side="table",
    )


def parse_version(text: str, where: str) -> Version:
    """Return the version *text*; raises :class:`TableError` that begins with *where*."""
    try:
        return Version(text)
    except InvalidVersion as error:
        raise TableError(
            f"{where}: {text!r} is no version",
            hint="Write it as on PyPI, such as 0.19.1rc1.",
            side="table",
        ) from error


def holds(entry: Entry, npu: Version, gpu: Version | None) -> bool:
    """Whether *entry* holds for both releases; *gpu* may be any."""
    in_gpu = gpu is None or _within(gpu, entry.gpu_since, entry.gpu_until)
    return in_gpu and _within(npu, entry.since, entry.until)


def overlap(one: Entry, other: Entry) -> bool:
    """Whether there are releases for which both entries hold."""
    return _meet(one.since, one.until, other.since, other.until) and _meet(
        one.gpu_since, one.gpu_until, other.gpu_since, other.gpu_until
    )


def require_ranges(entry: Entry, table: str, line: int | None) -> None:
    """Raise :class:`TableError`, at *line* of *table*, where a range of *entry* is none."""
    for since, until in ((entry.since, entry.until), (entry.gpu_since, entry.gpu_until)):
        try:
            bounds = [parse_version(b, f"{table}: entry {entry.id}") for b in (since, until) if b]
        except TableError as error:
            error.line = line
            raise
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise TableError(
                f"{table}: entry {entry.id} ends ({until}) before it begins ({since})",
                hint="Exchange since and until.",
                line=line,
                side="table",
            )


def _within(version: Version, since: str, until: str) -> bool:
    if since and version < Version(since):
        return False
    return not (until and version > Version(until))


def _meet(since: str, until: str, other_since: str, other_until: str) -> bool:
    def before(end: str, start: str) -> bool:
        return bool(end and start and Version(end) < Version(start))

    return not before(until, other_since) and not before(other_until, since)


def _canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution.strip()).lower()
