"""What the names of a table are, read from trees of sources: the maker of its facts."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from packaging.version import Version

from omni_codemods.sources.constructors import find_constructor, is_data
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources, find_origin, resolve
from omni_codemods.sources.parameters import (
    Function,
    Parameters,
    is_plain,
    read_parameters,
    render_parameters,
)
from omni_codemods.sources.shapes import Shape, Sort, find_shape
from omni_codemods.sources.top_level import definitions_in
from omni_codemods.table.entries import (
    BaseClass,
    DottedPath,
    Entry,
    Leave,
    Namespace,
    ReExport,
    Report,
    Symbol,
    expand,
)
from omni_codemods.table.facts import Facts, NameFact, View, source_name
from omni_codemods.text.dotted import first_part

UNKNOWN = "unknown"
_NAMED = (Symbol, BaseClass, ReExport, Leave, Report, DottedPath, Namespace)


def modules_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Return in which module of the sources each NPU namespace of *entries* stands."""
    return {e.npu: e.module for e in entries if isinstance(e, Namespace) and e.module}


def iter_names(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the dotted names that *entries* speak of, as far as sources can have them."""
    every = list(entries)
    every += [member for one in every if isinstance(one, Namespace) for member in expand(one)]
    npu = {entry.gpu: entry.npu for entry in every if isinstance(entry, (Symbol, BaseClass))}
    for entry in every:
        names: list[str] = []
        if isinstance(entry, _NAMED):
            names += [entry.gpu, entry.npu, entry.accelerator]
            owner, _, member = entry.gpu.rpartition(".")
            if isinstance(entry, Report) and entry.why == "member" and owner in npu:
                names.append(f"{npu[owner]}.{member}")
        callee = getattr(entry, "callee", "")
        names += [callee, npu.get(callee, "")]
        for name in names:
            if "." in name and not name.startswith(("*.", "self.")) and ":" not in name:
                yield name


def gather(entries: Iterable[Entry], sources: Sources) -> View:
    """Return what the names of *entries* are in *sources*, those of packages that they hold."""
    every = list(entries)
    modules = modules_of(every)
    reader = Reader(sources, modules)
    found = {name: reader.read(name) for name in iter_names(every) if reader.holds(name)}
    for entry in every:
        fact = found.get(entry.npu)
        if fact is not None and isinstance(entry, (Symbol, Namespace)):
            whole = isinstance(entry, Namespace)
            found[entry.npu] = reader.compare(entry.gpu, entry.npu, fact, shared=whole)
    return View(found, modules, frozenset(sources.readers))


class Reader:
    """Reads names in one set of sources; *modules* as :func:`modules_of` gives it."""

    def __init__(self, sources: Sources, modules: Mapping[str, str]) -> None:
        self.sources = sources
        self.modules = modules
        self.hierarchy = Hierarchy(sources)

    def holds(self, name: str) -> bool:
        """Whether the package that has *name* is among the sources."""
        return self.sources.holds(source_name(name, self.modules))

    def read(self, name: str) -> NameFact | None:
        """Return what *name* is, None where it is not there; its release is left empty."""
        path = source_name(name, self.modules)
        answer = resolve(path, self.sources)
        if answer is Answer.MISSING:
            return None
        shape = find_shape(path, self.sources)
        if answer is Answer.UNKNOWN or shape is None:
            return NameFact("", "", UNKNOWN)
        origin = "" if shape.origin == path else shape.origin
        parameters = self._parameters(shape)
        takes = None if parameters is None else render_parameters(parameters)
        return NameFact("", "", shape.sort.name.lower(), origin, takes)

    def compare(self, gpu: str, npu: str, fact: NameFact, *, shared: bool) -> NameFact:
        """Return *fact*, about *npu*, with what it lacks, or *shared* with what both have."""
        theirs, mine = self._members(gpu), self._members(npu)
        if theirs is None or mine is None:
            return fact
        if shared:
            return msgspec.structs.replace(fact, shares=" ".join(sorted(theirs & mine)))
        return msgspec.structs.replace(fact, lacks=" ".join(sorted(theirs - mine)))

    def _parameters(self, shape: Shape) -> Parameters | None:
        if shape.sort is Sort.CLASS:
            made = find_constructor(shape.origin, self.hierarchy, self.sources)
            return self._of_init(shape.origin) if made is None else made.parameters
        node = shape.node
        if not isinstance(node, Function) or not is_plain(node) or shape.arms:
            return None
        return read_parameters(node, bound=shape.sort in (Sort.METHOD, Sort.CLASS_METHOD))

    def _of_init(self, cls: str) -> Parameters | None:
        """What the first ``__init__``, or else ``__new__``, takes of the classes in their order.

        Attributes that are made on demand (``torch.nn.Module``) hide neither of them.
        """
        unseen = self.hierarchy.unseen(cls)
        for dotted in self.hierarchy.order(cls):
            node = self.hierarchy.find_class(dotted)
            data = is_data(dotted, self.hierarchy, self.sources)
            if dotted in unseen or data or (node is not None and node.keywords):
                return None
            own = {} if node is None else definitions_in(node.body)
            made = own.get("__init__") or own.get("__new__")
            if made is not None:
                if not isinstance(made, Function) or not is_plain(made):
                    return None
                return read_parameters(made, bound=True)
        return None

    def _members(self, name: str) -> set[str] | None:
        """What is read from a class or module by its name, None where that is not all seen."""
        path = source_name(name, self.modules)
        shape = find_shape(path, self.sources)
        if shape is None:
            return None
        if shape.sort is Sort.MODULE:
            return {one for one in self._of_module(shape.origin, set()) if self._is_own(path, one)}
        if shape.sort is not Sort.CLASS or self.hierarchy.unseen(shape.origin):
            return None
        nodes = map(self.hierarchy.find_class, self.hierarchy.order(shape.origin))
        every = [one for node in nodes if node is not None for one in definitions_in(node.body)]
        return {one for one in every if not _is_special(one)}

    def _of_module(self, module: str, above: set[str]) -> Iterator[str]:
        found = self.sources.module(module)
        if found is None or module in above:
            return
        yield from (*found.definitions, *found.imports)
        for star in found.stars:
            yield from (n for n in self._of_module(star, {*above, module}) if n[0] != "_")

    def _is_own(self, module: str, name: str) -> bool:
        """Whether a public name in a module is its own, and not what it imports for itself."""
        if name.startswith("_"):
            return False
        origin = find_origin(f"{module}.{name}", self.sources)
        inside = first_part(origin) == first_part(module)
        return inside and (self.sources.module(origin) is None or origin.startswith(f"{module}."))


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def join(entries: Iterable[Entry], views: Mapping[str, Mapping[str, View]]) -> Facts:
    """Return the facts about the names of *entries*; *views* are by package, then by release.

    Releases come in the order of their versions. A name that no view has is there, in no release.
    """
    every = list(entries)
    modules = modules_of(every)
    releases = {name: tuple(sorted(found, key=Version)) for name, found in sorted(views.items())}
    names: dict[str, tuple[NameFact, ...]] = {}
    for name in sorted(dict.fromkeys(iter_names(every))):
        package = first_part(source_name(name, modules))
        if package in releases:
            found = [(one, views[package][one].names.get(name)) for one in releases[package]]
            names[name] = tuple(_ranges(found))
    return Facts(releases, names, modules)


def _ranges(found: Iterable[tuple[str, NameFact | None]]) -> Iterator[NameFact]:
    """One fact for each run of releases in which a name is the same."""
    for fact, run in itertools.groupby(found, key=lambda pair: pair[1]):
        releases = [release for release, _ in run]
        if fact is not None:
            yield msgspec.structs.replace(fact, since=releases[0], until=releases[-1])
