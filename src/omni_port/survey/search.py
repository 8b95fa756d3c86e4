"""The byte search: which of a project's files may hold copies. Nothing is parsed here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from omni_codemods.functions.fence_dialects import may_hold_blocks
from omni_codemods.provenance import assigned, source_notes
from omni_codemods.text.dotted import module_of, package_path
from omni_port.base import files
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import UsageError

_CLASS = re.compile(rb"^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)", re.MULTILINE)
# Copies there would be copies of tests; fences there are test data.
_ASIDE = frozenset({"tests", "test", "testing", "docs", "examples", "benchmarks"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file worth parsing: *classes* inherit from an upstream, directly or not.

    *marked* says that it has a fence or names a source, *patching* that it may assign a function
    to an imported name.
    """

    path: str
    classes: frozenset[str]
    marked: bool
    patching: bool


@dataclass(slots=True)
class Index:
    """The Python files below *root* by their path, as bytes, and the root packages among them.

    *within* are the files and folders to look at; the others are read for what they define.
    """

    root: Path
    within: tuple[str, ...] = ()
    data: dict[str, bytes] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """Return the text of the file *path*; what is not its encoding is replaced."""
        return self.data[path].decode("utf-8", errors="replace")

    def read(self, path: str) -> str | None:
        """Return the text of ``package/module.py``, ``None`` where that is not there.

        A file outside of every package is a module by its own path.
        """
        place = self.packages.get(path.partition("/")[0], "") + path
        return self.text(place) if place in self.data else None

    def looks_at(self, path: str) -> bool:
        """Whether the file *path* is one to look at."""
        return not self.within or any(
            path == place or place == "." or path.startswith(f"{place}/") for place in self.within
        )

    def owns(self, package: str) -> bool:
        """Whether *package* is the project's own: not one that it keeps in some folder."""
        return self.packages.get(package) in ("", "src/")

    def module(self, path: str) -> str:
        """Return the dotted name of the module that the file *path* is."""
        return "" if path == "__init__.py" else module_of(package_path(path, self.packages))


def index_project(root: Path, paths: Sequence[Path], exclude: Iterable[str]) -> Index:
    """Read the Python files below *root*; tests and docs only where *paths* name them.

    *paths* (default: everything) are those to look at. Raises UsageError for one outside of
    *root*, InputError for a file that cannot be read.
    """
    index = Index(root, tuple(_inside(path, root) for path in paths))
    for path in find_python_files([root, *paths], exclude=exclude):
        inside = _inside(path, root)
        named = bool(paths) and index.looks_at(inside)
        if named or _ASIDE.isdisjoint(PurePosixPath(inside).parts):
            index.data[inside] = files.read_bytes(path)
    for inside in index.data:
        folder = PurePosixPath(inside).parent
        name = folder.name
        above = folder.parent.as_posix()
        start = "" if above == "." else f"{above}/"
        if inside.endswith("/__init__.py") and f"{start}__init__.py" not in index.data:
            index.packages.setdefault(name, start)
    return index


def other_candidates(index: Index, known: Sequence[Candidate]) -> list[Candidate]:
    """Return the files to look at that nothing in them marks."""
    paths = {one.path for one in known}
    return [
        Candidate(path, frozenset(), marked=False, patching=False)
        for path in index.data
        if path not in paths and index.looks_at(path)
    ]


def _inside(path: Path, root: Path) -> str:
    try:
        return Path(os.path.realpath(path)).relative_to(os.path.realpath(root)).as_posix()
    except ValueError as error:
        message = f"{path} is outside of the project"
        raise UsageError(message, hint=f"name files and folders below {root}") from error


def find_candidates(index: Index, packages: Iterable[str]) -> list[Candidate]:
    """Return the files that may hold copies from the upstream *packages*, in order."""
    packages = list(packages)
    imported, note = _Imports(packages), _note(packages)
    known = {path: set(imported.names(data)) for path, data in index.data.items()}
    classes = {path: _classes(data) for path, data in index.data.items()}
    kin = _kin(classes, known)
    found = []
    for path, data in index.data.items():
        mine = [name for name, bases in classes[path] if bases & known[path] or bases & kin]
        if not index.looks_at(path) or not (mine or known[path]):
            continue
        marked = may_hold_blocks(data) or bool(note.search(data))
        patching = bool(known[path]) and _patches(data, known[path])
        if mine or marked or patching:
            found.append(Candidate(path, frozenset(mine), marked, patching))
    return found


def _note(packages: Iterable[str]) -> re.Pattern[bytes]:
    """What a file must contain that notes one of *packages* as its source."""
    names = "|".join(sorted(re.escape(name).replace("_", "[-_]") for name in packages)) or r"(?!)"
    start = source_notes.NEEDLE.pattern
    return re.compile(start + rf"[^\n]*\n?[^\n]*\b(?:{names})\b".encode(), re.IGNORECASE)


def _patches(data: bytes, names: set[str]) -> bool:
    return any(
        match[1].decode() in names and b"def " + match[2] + b"(" in data
        for match in assigned.NEEDLE.finditer(data)
    )


def _classes(data: bytes) -> list[tuple[str, set[str]]]:
    """Each class of a file with the first and the last part of the name of each base."""
    found = []
    for name, bases in _CLASS.findall(data):
        named = [base.strip().partition("[")[0].split(".") for base in bases.decode().split(",")]
        found.append((name.decode(), {part for base in named for part in (base[0], base[-1])}))
    return found


def _kin(classes: dict[str, list[tuple[str, set[str]]]], known: dict[str, set[str]]) -> set[str]:
    """The names of local classes that inherit from what their files import from an upstream."""
    every = [(name, bases, known[path]) for path, own in classes.items() for name, bases in own]
    kin: set[str] = set()
    while True:
        more = {name for name, bases, names in every if bases & names or bases & kin} - kin
        if not more:
            return kin
        kin |= more


class _Imports:
    """What a file imports from some packages, by a regular expression."""

    def __init__(self, packages: Iterable[str]) -> None:
        root = "|".join(sorted(map(re.escape, packages))) or r"(?!)"
        self._from = re.compile(
            rf"^[ \t]*from[ \t]+(?:{root})(?:\.[\w.]*)?[ \t]+import[ \t]*".encode()
            + rb"(\([^)]*\)|[^\n]+)",
            re.MULTILINE,
        )
        self._plain = re.compile(
            rf"^[ \t]*import[ \t]+((?:{root})(?:\.\w+)*(?:[ \t]+as[ \t]+\w+)?)".encode(),
            re.MULTILINE,
        )

    def names(self, data: bytes) -> Iterable[str]:
        """Yield the names that are bound."""
        for listed in self._from.findall(data):
            body = re.sub(rb"#[^\n]*", b"", listed).strip(b"() \t\r\n")
            for item in body.split(b","):
                if words := item.split():
                    yield words[-1].decode()
        for item in self._plain.findall(data):
            words = item.split()
            yield (words[-1] if len(words) > 1 else words[0].partition(b".")[0]).decode()
