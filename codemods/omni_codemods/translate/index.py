"""A table made ready for look-up: by path, by callee, by literal, and by what to search for."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterable
from dataclasses import dataclass

from omni_codemods.findings.errors import TableError
from omni_codemods.table.callees import Callees, callees_of
from omni_codemods.table.entries import (
    Backend,
    BaseClass,
    Device,
    DottedPath,
    DroppedKeyword,
    Entry,
    Environment,
    Keyword,
    Leave,
    Literals,
    Namespace,
    NeededKeyword,
    Positional,
    ReExport,
    Report,
    Symbol,
    expand,
)
from omni_codemods.table.table import Table
from omni_codemods.text.dotted import owner_of

DIALECTS = ("npu", "accelerator", "platform")


@dataclass(frozen=True, slots=True)
class Answer:
    """Where a name goes: import *name* from *module*, and write *name* + *suffix*."""

    module: str
    name: str
    suffix: str = ""

    @property
    def path(self) -> str:
        """The dotted path of what is imported."""
        return f"{self.module}.{self.name}" if self.module else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """What the table says about calls of one callee, by keyword."""

    keywords: dict[str, Keyword]
    dropped: dict[str, DroppedKeyword]
    needed: tuple[NeededKeyword, ...]
    positional: Positional | None


@dataclass(frozen=True, slots=True, eq=False)
class TableIndex:
    """Look-ups for one table and dialect.

    *paths*: entries by GPU path. *callees*: by NPU path, or by ``*.`` pattern. *members*,
    *methods*: reports on attributes of unknown objects and of ``self``, by attribute name.
    """

    dialect: str
    paths: dict[str, Entry]
    answers: dict[str, Answer]
    namespaces: tuple[Namespace, ...]
    callees: dict[str, Callee]
    members: dict[str, Report]
    methods: dict[str, Report]
    devices: tuple[Device, ...]
    backends: tuple[Backend, ...]
    environment: dict[str, Environment]
    dotted: dict[str, DottedPath]
    guards: frozenset[str]
    device_classes: tuple[str, ...]
    table: Table

    @property
    def known(self) -> Callees | None:
        """What is known about the signatures of callees; read when it is first asked for."""
        return callees_of(self.table)

    def npu_path(self, path: str) -> str:
        """The NPU path of a GPU *path* whatever the dialect; the path itself if it has none."""
        entry = self.paths.get(path)
        return parse_answer(entry.npu).path if entry is not None and entry.npu else path

    def find(self, path: str) -> tuple[Entry, str] | None:
        """The entry for *path* or for the nearest path that it is an attribute of."""
        while path:
            entry = self.paths.get(path)
            if entry is not None:
                return entry, path
            path = owner_of(path)
        return None

    def namespace_of(self, path: str) -> Namespace | None:
        """The namespace that *path* is, or lies in."""
        for namespace in self.namespaces:
            if path == namespace.gpu or path.startswith(namespace.gpu + "."):
                return namespace
        return None

    def is_question(self, path: str, space: Namespace) -> bool:
        """Whether *path*, in the namespace *space*, is a member that asks for the GPU."""
        member = path[len(space.gpu) + 1 :]
        return any(fnmatch.fnmatchcase(member, pattern) for pattern in space.questions)

    @property
    def literals(self) -> tuple[Literals, ...]:
        """All entries on strings in certain positions."""
        return (*self.devices, *self.backends)


@functools.lru_cache(maxsize=32)
def parse_answer(text: str) -> Answer:
    """Read ``package.module.name``, or ``package.module:name.attribute``."""
    module, colon, rest = text.partition(":")
    if not colon:
        module, _, name = text.rpartition(".")
        return Answer(module, name)
    for index, character in enumerate(rest):
        if character in ".(":
            return Answer(module, rest[:index], rest[index:])
    return Answer(module, rest)


@functools.lru_cache(maxsize=16)
def build_index(table: Table, dialect: str) -> TableIndex:
    """Index *table* for *dialect*; raises :class:`TableError` for a dialect it does not know."""
    if dialect not in DIALECTS:
        raise TableError(
            f"there is no dialect {dialect!r}",
            hint=f"Choose one of {', '.join(DIALECTS)}.",
            side="table",
        )
    entries = table.entries
    namespaces = tuple(e for e in entries if isinstance(e, Namespace))
    members = [member for namespace in namespaces for member in expand(namespace)]
    paths = _paths([*members, *entries])
    reports = [e for e in entries if isinstance(e, Report)]
    return TableIndex(
        dialect=dialect,
        paths=paths,
        answers={path: answer for path, e in paths.items() if (answer := _answer(e, dialect))},
        namespaces=namespaces,
        callees=_callees(entries, paths),
        members={e.gpu[2:]: e for e in reports if e.gpu.startswith("*.")},
        methods={e.gpu[5:]: e for e in reports if e.gpu.startswith("self.")},
        devices=tuple(e for e in entries if isinstance(e, Device)),
        backends=tuple(e for e in entries if isinstance(e, Backend)),
        environment={e.gpu: e for e in entries if isinstance(e, Environment)},
        dotted={e.gpu: e for e in entries if isinstance(e, DottedPath)},
        guards=frozenset(guard for n in namespaces for guard in n.guards),
        device_classes=tuple(name for n in namespaces for name in n.device_classes),
        table=table,
    )


def _paths(entries: Iterable[Entry]) -> dict[str, Entry]:
    kinds = (Symbol, ReExport, BaseClass, Leave, Report)
    return {
        e.gpu: e
        for e in entries
        if isinstance(e, kinds)
        and not e.gpu.startswith(("*.", "self."))
        and not (isinstance(e, Leave) and e.status == "optional")
    }


def _answer(entry: Entry, dialect: str) -> Answer | None:
    if isinstance(entry, (Leave, Report)):
        return None
    text = getattr(entry, dialect) or entry.npu
    return parse_answer(text) if text else None


def _callees(entries: Iterable[Entry], paths: dict[str, Entry]) -> dict[str, Callee]:
    grouped: dict[str, list[Entry]] = {}
    for entry in entries:
        callee = getattr(entry, "callee", "")
        if callee:
            known = paths.get(callee)
            key = parse_answer(known.npu).path if known is not None and known.npu else callee
            grouped.setdefault(key, []).append(entry)
    return {
        key: Callee(
            {e.gpu: e for e in group if isinstance(e, Keyword)},
            {e.gpu: e for e in group if isinstance(e, DroppedKeyword)},
            tuple(e for e in group if isinstance(e, NeededKeyword)),
            next((e for e in group if isinstance(e, Positional)), None),
        )
        for key, group in grouped.items()
    }
