"""Translation tables: loading, merging, and picking what holds for one release."""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec
from packaging.version import InvalidVersion, Version

from omni_codemods.entries import Document, Entry
from omni_codemods.errors import TableError

PACKAGED = "ascend"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The entries of a table that hold for one release.

    *target* is ``distribution==release``, or empty for a table without releases. *known* says
    whether the table lists that very release. *skipped* are the entries of other releases.
    """

    name: str
    target: str
    known: bool
    entries: tuple[Entry, ...]
    skipped: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """A whole table, for all releases. *extends* is the packaged table it builds on, or None."""

    name: str
    distribution: str
    releases: tuple[str, ...]
    entries: tuple[Entry, ...]
    extends: str | None = None

    @property
    def newest(self) -> str:
        """The newest release that the table lists, empty where it lists none."""
        return self.releases[-1] if self.releases else ""

    def select(self, target: str | None = None) -> Table:
        """What holds for *target* (``vllm-ascend==0.19.1rc1``, or the bare release).

        ``None`` picks the newest release that the table lists. A release it does not list is
        taken at its place in the order. Raises :class:`TableError` for another distribution or
        a release that is no version.
        """
        release = self._release(target) if target else self.newest
        if not release:
            return Table(self.name, "", True, self.entries)
        version = _version(release, f"target {target or release}")
        holds = [_holds(entry, version) for entry in self.entries]
        return Table(
            self.name,
            f"{self.distribution}=={release}" if self.distribution else release,
            any(_version(known, "releases") == version for known in self.releases),
            tuple(e for e, yes in zip(self.entries, holds, strict=True) if yes),
            tuple(e for e, yes in zip(self.entries, holds, strict=True) if not yes),
        )

    def _release(self, target: str) -> str:
        distribution, _, release = target.rpartition("==")
        if distribution and _canonical(distribution) != _canonical(self.distribution):
            raise TableError(
                f"table {self.name} is about {self.distribution or 'no distribution'}, "
                f"not {distribution}",
                hint=f"Aim at {self.distribution or self.name}==RELEASE.",
                side="table",
            )
        return release.strip()


def load_table(text: str, *, name: str) -> TableFile:
    """Read a table from TOML *text*; *name* (a path) is only used in errors.

    Raises :class:`TableError` that says where (``at $.symbol[3].npu``), with the line.
    """
    try:
        document = msgspec.toml.decode(text.encode("utf-8"), type=Document)
    except msgspec.ValidationError as error:
        raise _schema_error(str(error), text, name) from error
    except (msgspec.DecodeError, ValueError) as error:
        raise TableError(
            f"{name} is not TOML: {error}",
            hint="Mend the file at that place.",
            line=_number(r"line (\d+)", str(error)),
            side="table",
        ) from error
    extends = document.extends
    table = TableFile(
        document.name,
        document.distribution,
        document.releases,
        document.entries(),
        (PACKAGED if extends is True else extends) or None,
    )
    _require_sound(table, text, name)
    return table


@functools.lru_cache(maxsize=1)
def packaged() -> TableFile:
    """The Ascend table that comes with this package."""
    name = f"{PACKAGED}.toml"
    file = importlib.resources.files("omni_codemods") / "tables" / name
    return load_table(file.read_text(encoding="utf-8"), name=name)


def merge(base: TableFile, extra: TableFile) -> TableFile:
    """*base* with the entries of *extra*: one of the same id replaces, others are added.

    A table that does not extend another stands alone, and is returned as it is.
    """
    if extra.extends is None:
        return extra
    if extra.extends != base.name:
        raise TableError(
            f"table {extra.name} extends {extra.extends}, which is not known",
            hint=f'Write extends = "{base.name}", or extends = false for a table of its own.',
            side="table",
        )
    own = {entry.id: entry for entry in extra.entries}
    entries = [own.pop(entry.id, entry) for entry in base.entries]
    return replace(
        base,
        name=f"{base.name}+{extra.name}",
        distribution=extra.distribution or base.distribution,
        releases=extra.releases or base.releases,
        entries=(*entries, *own.values()),
    )


def find_clashes(entries: Iterable[Entry]) -> tuple[tuple[Entry, Entry], ...]:
    """Pairs of entries that give one GPU name two answers in one release."""
    seen: dict[tuple[str, str], list[Entry]] = {}
    clashes: list[tuple[Entry, Entry]] = []
    for entry in entries:
        key = (_group(entry), entry.gpu or entry.npu)
        earlier = seen.setdefault(key, [])
        clashes.extend((other, entry) for other in earlier if _overlap(entry, other))
        seen[key].append(entry)
    return tuple(clashes)


def _group(entry: Entry) -> str:
    by_path = {"symbol", "namespace", "re-export", "base-class", "leave", "report"}
    callee = getattr(entry, "callee", "")
    if entry.kind in by_path:
        return "path"
    return f"call {callee}" if callee else entry.kind


def _overlap(one: Entry, other: Entry) -> bool:
    def before(until: str, since: str) -> bool:
        return bool(until and since and Version(until) < Version(since))

    return not before(one.until, other.since) and not before(other.until, one.since)


def _holds(entry: Entry, version: Version) -> bool:
    if entry.since and version < Version(entry.since):
        return False
    return not (entry.until and version > Version(entry.until))


def _require_sound(table: TableFile, text: str, name: str) -> None:
    seen: set[str] = set()
    for entry in table.entries:
        if entry.id in seen:
            raise TableError(
                f"{name}: two entries have the id {entry.id}",
                hint="Ids name entries in reports; give each its own.",
                line=_line_of_id(text, entry.id),
                side="table",
            )
        seen.add(entry.id)
        _require_range(entry, text, name)
    for release in table.releases:
        _version(release, f"{name}: releases")


def _require_range(entry: Entry, text: str, name: str) -> None:
    try:
        bounds = [
            _version(bound, f"{name}: entry {entry.id}")
            for bound in (entry.since, entry.until)
            if bound
        ]
    except TableError as error:
        error.line = _line_of_id(text, entry.id)
        raise
    if len(bounds) == 2 and bounds[0] > bounds[1]:
        raise TableError(
            f"{name}: entry {entry.id} ends ({entry.until}) before it begins ({entry.since})",
            hint="Exchange since and until.",
            line=_line_of_id(text, entry.id),
            side="table",
        )


def _version(text: str, where: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion as error:
        raise TableError(
            f"{where}: {text!r} is no version",
            hint="Write it as on PyPI, such as 0.19.1rc1.",
            side="table",
        ) from error


def _schema_error(message: str, text: str, name: str) -> TableError:
    place = re.search(r"\$\.([\w-]+)\[(\d+)\]", message)
    line = None
    if place:
        headers = list(re.finditer(rf"^[ \t]*\[\[\s*{place[1]}\s*\]\]", text, re.MULTILINE))
        if int(place[2]) < len(headers):
            line = text.count("\n", 0, headers[int(place[2])].start()) + 1
    return TableError(
        f"{name} is no translation table: {message}",
        hint="The documentation of tables lists the fields of each kind of entry.",
        line=line,
        side="table",
    )


def _line_of_id(text: str, identifier: str) -> int | None:
    found = list(re.finditer(rf"^[ \t]*id\s*=\s*[\"']{re.escape(identifier)}[\"']", text, re.M))
    return text.count("\n", 0, found[-1].start()) + 1 if found else None


def _number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return int(found[1]) if found else None


def _canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution.strip()).lower()
