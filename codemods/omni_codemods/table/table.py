"""Translation tables: loading, merging, and picking what holds for one release."""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec
from packaging.version import Version

from omni_codemods.findings.errors import TableError
from omni_codemods.table.entries import Document, Entry
from omni_codemods.table.releases import (
    Target,
    holds,
    overlap,
    parse_target,
    parse_version,
    require_known,
    require_ranges,
)

PACKAGED = "ascend"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The entries of a table that hold for one release.

    *target* is ``distribution==release`` (with ``,distribution==release`` for the GPU names, where
    asked for), or empty for a table without releases. *known* says whether the table lists that
    very release. *skipped* are the entries of other releases. *facts* names the packaged table
    whose facts hold for this one, *release* is what they call the release aimed at.
    """

    name: str
    target: str
    known: bool
    entries: tuple[Entry, ...]
    skipped: tuple[Entry, ...] = ()
    facts: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """A whole table, for all releases. *extends* is the packaged table it builds on, or None.

    *distribution* is what the releases are of, *gpu_distribution* where the GPU names come from.
    *facts* names the packaged table that this one is, or extends.
    """

    name: str
    distribution: str
    releases: tuple[str, ...]
    entries: tuple[Entry, ...]
    extends: str | None = None
    gpu_distribution: str = ""
    facts: str = ""

    @property
    def newest(self) -> str:
        """The newest release that the table lists, empty where it lists none."""
        return self.releases[-1] if self.releases else ""

    def known_release(self, release: str) -> str:
        """Return which of the releases that the table lists *release* is, as it is written there.

        Raises :class:`TableError` for one that it does not list.
        """
        return require_known(release, self.releases, self.distribution)

    def select(self, target: str | None = None) -> Table:
        """What holds for *target* (``vllm-ascend==0.19.1rc1``, or the bare release).

        ``None`` picks the newest release that the table lists.
        ``vllm-ascend==0.19.1rc1,vllm==0.19.1`` also leaves out
        the entries whose GPU name that vllm lacks. Raises :class:`TableError` for another
        distribution, a release that is no version, and one that the table does not list.
        """
        asked = (
            parse_target(target, self.name, self.distribution, self.gpu_distribution)
            if target
            else Target()
        )
        release = asked.npu or self.newest
        gpu = parse_version(asked.gpu, f"target {target}") if asked.gpu else None
        if not release:
            return Table(self.name, "", True, self.entries)
        version = parse_version(release, f"target {target or release}")
        named = self.known_release(release) if self.releases else ""
        taken = [holds(entry, version, gpu) for entry in self.entries]
        return Table(
            self.name,
            (f"{self.distribution}=={release}" if self.distribution else release)
            + (f",{self.gpu_distribution}=={asked.gpu}" if gpu else ""),
            any(parse_version(known, "releases") == version for known in self.releases),
            tuple(e for e, yes in zip(self.entries, taken, strict=True) if yes),
            tuple(e for e, yes in zip(self.entries, taken, strict=True) if not yes),
            self.facts,
            named,
        )


def load_table(text: str, *, name: str) -> TableFile:
    """Read a table from TOML *text*; *name* (a path) is only used in errors.

    Raises :class:`TableError` that says where (``at $.symbol[3].npu``), with the line.
    """
    try:
        document = msgspec.toml.decode(text.encode("utf-8"), type=Document)
    except RecursionError as error:
        message = f"{name} is no translation table: values are nested too deeply to read"
        raise TableError(message, hint="Mend the file.", side="table") from error
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
        document.gpu_distribution,
    )
    _require_sound(table, text, name)
    return table


@functools.lru_cache(maxsize=1)
def packaged() -> TableFile:
    """The Ascend table that comes with this package."""
    name = f"{PACKAGED}.toml"
    file = importlib.resources.files("omni_codemods.table") / name
    return replace(load_table(file.read_text(encoding="utf-8"), name=name), facts=PACKAGED)


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
        releases=_join_releases(base, extra),
        gpu_distribution=extra.gpu_distribution or base.gpu_distribution,
        entries=(*entries, *own.values()),
    )


def _join_releases(base: TableFile, extra: TableFile) -> tuple[str, ...]:
    """The releases of both, in order; those of *extra* alone where it is about another thing."""
    if extra.distribution not in ("", base.distribution):
        return extra.releases or base.releases
    return tuple(sorted(dict.fromkeys((*base.releases, *extra.releases)), key=Version))


def find_clashes(entries: Iterable[Entry]) -> tuple[tuple[Entry, Entry], ...]:
    """Pairs of entries that give one GPU name two answers in one release."""
    seen: dict[tuple[str, str], list[Entry]] = {}
    clashes: list[tuple[Entry, Entry]] = []
    for entry in entries:
        key = (_group(entry), entry.gpu or entry.npu)
        earlier = seen.setdefault(key, [])
        clashes.extend((other, entry) for other in earlier if overlap(entry, other))
        seen[key].append(entry)
    return tuple(clashes)


def _group(entry: Entry) -> str:
    by_path = {"symbol", "namespace", "re-export", "base-class", "leave", "report"}
    callee = getattr(entry, "callee", "")
    if entry.kind in by_path:
        return "path"
    return f"call {callee}" if callee else entry.kind


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
        require_ranges(entry, name, _line_of_id(text, entry.id))
    for release in table.releases:
        parse_version(release, f"{name}: releases")


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
