"""What the step of an upstream from one revision to another breaks in local code."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omni_codemods.checks.misfit import Misfit, Trust
from omni_codemods.impact.breaks import (
    LocalText,
    Reading,
    compare_readings,
    make_kin,
)
from omni_codemods.impact.end import End
from omni_codemods.impact.held import ChangedCopy, changed_copies
from omni_codemods.impact.instead import Instead
from omni_codemods.sources.kin import Kin
from omni_codemods.sources.modules import Sources
from omni_codemods.text.dotted import first_part, last_part, module_of
from omni_port.base import files
from omni_port.base.discovery import find_python_files
from omni_port.base.errors import UsageError
from omni_port.base.gc_pause import paused_collector
from omni_port.methods.readings import Question, read_all
from omni_port.plan.causes import Cause, find_causes
from omni_port.sources.file_at import find_module
from omni_port.sources.upstream import Tree, Upstream, find_version, open_upstream


@dataclass(frozen=True, slots=True)
class Break:
    """One place that fits the old revision and does not fit the new one.

    *instead* is what upstream shows to write, empty where it shows nothing.
    """

    path: str
    misfit: Misfit
    instead: str = ""

    @property
    def certainty(self) -> str:
        """``sure``, ``likely`` (a part of what decides is in no tree) or ``possible``."""
        return {Trust.SURE: "sure", Trust.UNSEEN: "likely"}.get(self.misfit.trust, "possible")

    @property
    def identity(self) -> str:
        """What stays the same while lines move: for a baseline."""
        one = self.misfit
        said = one.finding.message.partition(" (")[0]
        return f"{self.path}|{one.finding.code}|{one.subject}|{said}"


@dataclass(frozen=True, slots=True)
class Group:
    """The breaks that one change of an upstream causes; *cause* is its commit, where one knows."""

    subject: str
    cause: Cause | None
    breaks: tuple[Break, ...]


@dataclass(frozen=True, slots=True)
class Breaks:
    """What was compared, and what breaks: the groups in the order of their first place.

    *left* are files that could not be read as Python, *unread* upstream modules that could not;
    *known* is how many breaks a baseline has already. *copies* are local copies of upstream
    functions that changed: they break nothing, and are to be rebased.
    """

    upstreams: tuple[Upstream, ...]
    files: int
    groups: tuple[Group, ...]
    left: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    known: int = 0
    copies: tuple[ChangedCopy, ...] = ()

    @property
    def places(self) -> tuple[Break, ...]:
        """All breaks."""
        return tuple(one for group in self.groups for one in group.breaks)

    @property
    def broken(self) -> bool:
        """Whether something breaks that is more than possible."""
        return any(one.certainty != "possible" for one in self.places)


def find_breaks(
    upstreams: Sequence[Upstream],
    paths: Sequence[Path],
    root: Path,
    *,
    exclude: Sequence[str] = (),
    baseline: frozenset[str] = frozenset(),
) -> Breaks:
    """Return what of the files under *paths* fits all *upstreams* at their current ends, and not
    at their targets. *baseline* are identities of breaks that are known.

    Raises UsageError for an upstream without a current end, RevisionError and InputError for what
    cannot be read. Reads alone, but for the cache.
    """
    for one in upstreams:
        if one.current is None:
            hint = f"write {one.name}=REPO@OLD..NEW"
            raise UsageError(f"{one.name!r} names no older revision to compare with", hint=hint)
    with paused_collector(), contextlib.ExitStack() as stack:
        local = list(_local(paths, root, exclude))
        old, new = (_open(upstreams, end, root, stack) for end in (0, 1))
        kin = functools.cache(lambda: make_kin(local))
        ends = [_Side(local, trees, end, upstreams, kin) for end, trees in enumerate((old, new))]
        before, after = read_all([side.question() for side in ends])
        found = compare_readings(before, after)
        instead = Instead(End(ends[0].sources), End(ends[1].sources), ends[1].where, ends[1].search)
        made = [Break(p.path, p.misfit, instead.find(p.misfit)) for p in found]
        fresh = [one for one in made if one.identity not in baseline]
        groups = _grouped(fresh, ends, upstreams, root)
    unread = tuple(sorted({*before.unread, *after.unread}))
    known = len(made) - len(fresh)
    copies = changed_copies(before.held, after.held)
    return Breaks(tuple(upstreams), len(local), groups, after.left, unread, known, copies)


def read_side(
    upstreams: Sequence[Upstream], paths: Sequence[Path], root: Path, exclude: Sequence[str] = ()
) -> Reading:
    """Return what *upstreams* at their targets say of the files under *paths*."""
    with paused_collector(), contextlib.ExitStack() as stack:
        local = list(_local(paths, root, exclude))
        trees = _open(upstreams, 1, root, stack)
        side = _Side(local, trees, 1, upstreams, functools.cache(lambda: make_kin(local)))
        return read_all([side.question()])[0]


def _open(
    upstreams: Sequence[Upstream], end: int, root: Path, stack: contextlib.ExitStack
) -> dict[str, Tree]:
    return {
        one.name: stack.enter_context(
            open_upstream(one, root, one.target if end else one.current or "")
        )
        for one in upstreams
    }


@dataclass(slots=True)
class _Side:
    """The local files with the upstreams at one end."""

    local: Sequence[LocalText]
    trees: Mapping[str, Tree]
    end: int
    upstreams: Sequence[Upstream]
    kin: Callable[[], Kin]
    _sources: Sources | None = None
    _texts: dict[str, str] = field(default_factory=dict)

    @property
    def sources(self) -> Sources:
        """The sources of both: a local package comes before one of an upstream."""
        if self._sources is None:
            own = {}
            for one in self.local:
                stem = one.module.replace(".", "/")
                own[f"{stem}/__init__.py" if one.package else f"{stem}.py"] = one.text
            roots = {first_part(one.module) for one in self.local}
            readers = {p: tree.read for tree in self.trees.values() for p in tree.packages}
            self._sources = Sources({**readers, **dict.fromkeys(roots, own.get)}, self._texts_with)
        return self._sources

    def question(self) -> Question:
        """What is to be read at this end."""
        contents = [f"{sorted(t.packages.items())}{t.content_id()}" for t in self.trees.values()]
        return Question(self.local, lambda: self.sources, self.versions, contents, self.kin)

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the packages, where the spelling of the revision says one."""
        found = {}
        for one in self.upstreams:
            spelled = one.target if self.end else one.current or ""
            version = find_version(spelled)
            if version:
                found.update(dict.fromkeys(self.trees[one.name].packages, version))
        return found

    def texts(self) -> dict[str, str]:
        """All upstream modules by their dotted names; read when first asked."""
        if not self._texts:
            for tree in self.trees.values():
                for path in tree.paths():
                    text = tree.read(path)
                    if text is not None:
                        self._texts[module_of(path)] = text
        return self._texts

    def _texts_with(self, wanted: str) -> list[tuple[str, str]]:
        return [(name, text) for name, text in self.texts().items() if wanted in text]

    def search(self, wanted: bytes) -> list[tuple[str, str]]:
        word = wanted.decode()
        return [(name, text) for name, text in self.texts().items() if word in text]

    def where(self, name: str) -> list[str]:
        word = re.escape(name)
        wanted = re.compile(
            rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{word}\b|^{word}[ \t]*[:=]", re.MULTILINE
        )
        found = self.texts().items()
        return [module for module, text in found if name in text and wanted.search(text)]


def _local(paths: Sequence[Path], root: Path, exclude: Sequence[str]) -> Iterator[LocalText]:
    for number, path in enumerate(find_python_files(paths, exclude=exclude)):
        source = files.decode(files.read_bytes(path), path=str(path))
        module = find_module(str(path.absolute()), lambda p: Path(p).is_file())
        shown = path.as_posix()
        with contextlib.suppress(ValueError):
            shown = path.absolute().relative_to(root.absolute()).as_posix()
        package = path.name == "__init__.py" and module is not None
        yield LocalText(shown, module or f"__local{number}__", source.text, package)


def _grouped(
    found: Sequence[Break], ends: Sequence[_Side], upstreams: Sequence[Upstream], root: Path
) -> tuple[Group, ...]:
    groups: dict[str, list[Break]] = {}
    for one in found:
        groups.setdefault(one.misfit.subject, []).append(one)
    places = {}
    for subject in groups:
        name, path = _place(subject, ends)
        places[subject] = (name, path)
    causes = find_causes(places, _words(groups), upstreams, root)
    made = [Group(s, causes.get(s), tuple(every)) for s, every in groups.items()]
    return tuple(sorted(made, key=lambda g: g.breaks[0].path))


def _words(groups: Mapping[str, Sequence[Break]]) -> dict[str, list[str]]:
    """Return the words by which the commit of each subject is looked for, the best first."""
    out = {}
    for subject, every in groups.items():
        said = re.search(r"(?:also wants|does not take|is) (\w+)", every[0].misfit.finding.message)
        words = [last_part(subject)]
        if every[0].misfit.finding.code in ("OP608", "OP609", "OP618", "OP619") and said:
            words.insert(0, said[1])
        out[subject] = words
    return out


def _place(subject: str, ends: Sequence[_Side]) -> tuple[str, str]:
    """The upstream and the path in it of the module that *subject* is, or was, in."""
    for side in ends:
        parts = subject.split(".")
        for cut in range(len(parts), 0, -1):
            stem = "/".join(parts[:cut])
            for path in (f"{stem}.py", f"{stem}/__init__.py"):
                for name, tree in side.trees.items():
                    if tree.read(path) is not None:
                        return name, tree.place(path) or path
    return "", ""
