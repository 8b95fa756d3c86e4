"""What of a project's files is a copy of an upstream function, and how that shows."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.fence_dialects import may_hold_fences
from omni_codemods.provenance.assigned import find_patches
from omni_codemods.provenance.best_match import Copy, Original, Pool
from omni_codemods.provenance.provenance import find_fit
from omni_codemods.provenance.source_notes import SourceNote, find_source_notes
from omni_codemods.sources.kinship import Family, ModuleView, view_module
from omni_codemods.text.dotted import first_part, module_of, owner_of
from omni_codemods.text.outline import Located, iter_functions
from omni_port.sources.upstream import Tree
from omni_port.survey.mirrors import find_mirrored, pair_classes
from omni_port.survey.search import Candidate, Index


class Sign(enum.Enum):
    """How a local function shows that it belongs to an upstream one."""

    INHERITS = "inherits"
    PATCHES = "is assigned to"
    NOTED = "is noted to be from"
    ALIKE = "resembles"
    MIRRORS = "mirrors"


@dataclass(frozen=True, slots=True)
class Found:
    """A local function of the file *path*, and the upstream function that it is a copy of.

    *file* is where that stands, below the root of *upstream*. *note* names its source, *fenced*
    says that it holds a fence. *others* are what it replaces besides.
    """

    path: str
    copy: Copy
    upstream: str
    file: str
    sign: Sign
    fenced: bool
    note: SourceNote | None = None
    others: tuple[str, ...] = ()

    @property
    def local(self) -> str:
        """The local qualified name."""
        return self.copy.local.qualname

    @property
    def original(self) -> str:
        """The upstream's qualified name."""
        return self.copy.original.located.qualname


@dataclass(frozen=True, slots=True)
class Unported:
    """A local function that belongs to an upstream and can be no port, and *why*."""

    path: str
    line: int
    name: str
    why: str


@dataclass(slots=True)
class Copies:
    """What :func:`find_copies` found, with the classes of all trees.

    *notes* are those that name an upstream as a source, by its name: also beside code that is no
    copy of it as it is now.
    """

    family: Family
    found: list[Found] = field(default_factory=list)
    unported: list[Unported] = field(default_factory=list)
    notes: list[tuple[str, SourceNote]] = field(default_factory=list)


def find_copies(
    index: Index,
    candidates: Sequence[Candidate],
    trees: Sequence[Tree],
    *,
    everything: bool = False,
    mirrored: bool = False,
) -> Copies:
    """Return which functions of *candidates* are copies of what stands in *trees*.

    In a file without fences and notes these are functions that replace one of upstream's, and
    with *everything* the methods of its classes as well. With *mirrored* it is every function of a
    file that mirrors an upstream's. A file that is not Python is told, and left out.
    """
    surveyor = _Surveyor(index, trees, everything=everything, mirrored=mirrored)
    for candidate in candidates:
        surveyor.look_at(candidate)
    return Copies(surveyor.family, surveyor.found, surveyor.unported, surveyor.notes)


def methods_in(view: ModuleView, cls: str) -> list[Original]:
    """Return the methods that the class *cls* of a module defines; raises SourceError."""
    every = _functions(view.text)
    return [Original(view.name, f) for f in every if owner_of(f.qualname) == cls]


def function_names(text: str) -> tuple[str, ...]:
    """Return the qualified names of the functions of a module, those inside of others left out."""
    every = [one.qualname for one in _functions(text)]
    return tuple(n for n in every if owner_of(n) not in every)


@functools.lru_cache(maxsize=128)
def _functions(text: str) -> tuple[Located, ...]:
    return tuple(iter_functions(text))


class _Surveyor:
    def __init__(
        self, index: Index, trees: Sequence[Tree], *, everything: bool, mirrored: bool
    ) -> None:
        self._everything, self._mirrored = everything, mirrored
        self._index, self._trees = index, trees
        self._owners = {p: t for t in trees for p in t.packages if not index.owns(p)}
        self._functions: dict[str, dict[str, Located]] = {}
        self.family = Family(self._read)
        self.found: list[Found] = []
        self.unported: list[Unported] = []
        self.notes: list[tuple[str, SourceNote]] = []

    def look_at(self, candidate: Candidate) -> None:
        """Add the copies in one file."""
        marked = candidate.marked or candidate.patching
        if not (marked or self._everything or self._mirrored):
            return
        path, text = candidate.path, self._index.text(candidate.path)
        module = self._index.module(path)
        package = module if path.endswith("/__init__.py") else owner_of(module)
        try:
            view = self.family.view(module) or view_module(text, module, path, package)
            file = _File(path, view, _functions(text))
            file.notes = find_source_notes(text) if candidate.marked else ()
        except SourceError as error:
            why = "is not Python, and was not looked at"
            self.unported.insert(0, Unported(path, error.line or 1, "the file", why))
            return
        self.notes += [
            (tree.upstream.name, note)
            for note in file.notes
            for tree in self._trees
            if (note.project or note.path) and _names(note, tree)
        ]
        if candidate.patching:
            self._add_patches(file)
        if candidate.marked or self._everything:
            for cls in view.classes if candidate.classes else ():
                self._add_methods(file, cls)
            self._add_marked(file)
        if self._mirrored:
            self._add_mirrored(file)

    def _add_mirrored(self, file: _File) -> None:
        """Add every function of a file that mirrors one of upstream's."""
        view = find_mirrored(file.path, function_names(file.view.text), self._owners, self.family)
        if view is None:
            return
        pool = Pool(list(self._originals(view)))
        there = self._located(view)
        called = pair_classes(function_names(file.view.text), function_names(view.text))
        for local in file.functions:
            owner, _, name = local.qualname.rpartition(".")
            if local.qualname in file.done or (owner and owner not in file.view.classes):
                continue
            same = there.get(f"{called.get(owner, owner)}.{name}" if owner else name)
            # A short function is a copy where name and place are the same.
            fit = find_fit(local, same) if same is not None else None
            copy = Copy(local, Original(view.name, same), fit) if same and fit else None
            copy = copy if copy and copy.fit.is_copy else pool.find(local, renamed=True)
            if copy is not None:
                self._add(file, self._found(file, copy, Sign.MIRRORS))

    def _read(self, path: str) -> str | None:
        tree = self._owners.get(path.partition("/")[0])
        return self._index.read(path) if tree is None else tree.read(path)

    def _add_patches(self, file: _File) -> None:
        targets: dict[str, list[tuple[str, list[Original]]]] = {}
        for patch in find_patches(file.view):
            found = self.family.split(patch.target)
            if found is None or self._tree(found[0]) is None:
                continue
            if patch.nested:
                why = f"replaces {patch.target}, and is defined inside of a function"
                self.unported.append(Unported(file.path, patch.line, patch.function, why))
                continue
            there = self._originals(found[0], {found[1]})
            targets.setdefault(patch.function, []).append((patch.target, list(there)))
        for name, places in targets.items():
            file.done.add(name)
            if local := file.function(name):
                self._add_patch(file, local, places)

    def _add_patch(
        self, file: _File, local: Located, places: Sequence[tuple[str, list[Original]]]
    ) -> None:
        """Add a function that replaces what stands at *places*, as a copy of the nearest."""
        found = [(t, c) for t, there in places if (c := Pool(there).find(local, renamed=True))]
        if found:
            target, copy = max(found, key=lambda one: (one[1].fit.copied, -one[1].fit.left))
            others = tuple(other for other, _ in places if other != target)
            self.found.append(replace(self._found(file, copy, Sign.PATCHES), others=others))
            return
        target, there = places[0]
        lacks = "has little of its code" if there else "upstream has no such function there"
        why = f"replaces {target}, and {lacks}"
        self.unported.append(Unported(file.path, local.start, local.qualname, why))

    def _add_methods(self, file: _File, cls: str) -> None:
        lineage = [
            (view, owner)
            for view, owner in self.family.ancestors(f"{file.view.name}.{cls}")
            if self._tree(view) is not None
        ]
        pool = Pool([o for view, owner in lineage for o in self._methods(view, owner)])
        for local in file.methods(cls) if pool.originals else ():
            copy = pool.find(local, renamed=True)
            if copy is not None:
                self._add(file, self._found(file, copy, Sign.INHERITS))

    def _add_marked(self, file: _File) -> None:
        """Add fenced functions, and those with a note, that nothing else says the origin of."""
        left = [f for f in file.functions if f.qualname not in file.done]
        left = [f for f in left if _is_fenced(f) or file.note(f.qualname) is not None]
        pool = Pool(list(self._imported(file))) if left else Pool(())
        for local in left:
            copy = pool.find(local, renamed=True)
            sign = Sign.ALIKE if file.note(local.qualname) is None else Sign.NOTED
            if copy is not None:
                self._add(file, self._found(file, copy, sign))
            elif _is_fenced(local) or file.note(local.qualname, own=True) is not None:
                why = _lost(file.note(local.qualname, own=True))
                self.unported.append(Unported(file.path, local.start, local.qualname, why))

    def _add(self, file: _File, found: Found) -> None:
        file.done.add(found.local)
        self.found.append(found)

    def _found(self, file: _File, copy: Copy, sign: Sign) -> Found:
        view = self.family.view(copy.original.owner)
        assert view is not None
        tree = self._tree(view)
        assert tree is not None
        fenced = _is_fenced(copy.local)
        note = file.note(copy.local.qualname)
        note = note if note is None or _names(note, tree) else None
        sign = Sign.ALIKE if sign is Sign.NOTED and note is None else sign
        place = tree.place(view.path) or view.path
        return Found(file.path, copy, tree.upstream.name, place, sign, fenced, note)

    def _tree(self, view: ModuleView) -> Tree | None:
        return self._owners.get(first_part(view.name))

    def _imported(self, file: _File) -> Iterator[Original]:
        """Yield the functions of the upstream modules that a file imports from, or notes."""
        names = [path for paths in file.view.imports.values() for path in paths]
        names += [module_of(note.path) for note in file.notes if note.path]
        seen = set()
        for name in names:
            found = self.family.split(name) if first_part(name) in self._owners else None
            if found is not None and found[0].name not in seen:
                seen.add(found[0].name)
                yield from self._originals(found[0])

    def _methods(self, view: ModuleView, cls: str) -> Iterable[Original]:
        every = self._located(view)
        return [Original(view.name, f) for n, f in every.items() if owner_of(n) == cls]

    def _originals(self, view: ModuleView, names: set[str] | None = None) -> Sequence[Original]:
        every = self._located(view)
        return [Original(view.name, f) for n, f in every.items() if names is None or n in names]

    def _located(self, view: ModuleView) -> dict[str, Located]:
        if view.name not in self._functions:
            self._functions[view.name] = {f.qualname: f for f in _functions(view.text)}
        return self._functions[view.name]


@dataclass(slots=True)
class _File:
    """A local file under way; *done* are its functions whose origin is settled."""

    path: str
    view: ModuleView
    functions: Sequence[Located]
    notes: Sequence[SourceNote] = ()
    done: set[str] = field(default_factory=set)

    def function(self, qualname: str) -> Located | None:
        return next((f for f in self.functions if f.qualname == qualname), None)

    def methods(self, cls: str) -> Iterator[Located]:
        for one in self.functions:
            if owner_of(one.qualname) == cls and one.qualname not in self.done:
                yield one

    def note(self, qualname: str, *, own: bool = False) -> SourceNote | None:
        """The function's own note, else the module's unless it must be its *own*."""
        mine = [note for note in self.notes if note.scope == qualname]
        shared = [] if own else [note for note in self.notes if not note.scope]
        return next(iter([*mine, *shared]), None)


def _names(note: SourceNote, tree: Tree) -> bool:
    """Whether a note is about the upstream of *tree*, by its path or by what it calls it."""
    if note.path:
        return note.path.partition("/")[0] in tree.packages
    names = {tree.upstream.name, *tree.packages}
    return _plain(note.project) in {"", *map(_plain, names)}


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _lost(note: SourceNote | None) -> str:
    if note is None:
        return "is fenced, and has the code of no upstream function at hand"
    source = note.symbol or note.path or note.project
    return f"is noted to be from {source}, and has little of its code"


def _is_fenced(where: Located) -> bool:
    return may_hold_fences(where.text)
