"""What a check looks at: one file, parsed, among the sources that it imports from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from omni_codemods.names.scopes import import_bindings
from omni_codemods.sources.guards import Versions
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.kin import Kin, KinFile
from omni_codemods.sources.modules import Sources, find_origin
from omni_codemods.sources.sites import Site, Walk
from omni_codemods.sources.values import Values
from omni_codemods.text.dotted import absolute, first_part, owner_of
from omni_codemods.text.parsing import parse_module, require_python

Function = ast.FunctionDef | ast.AsyncFunctionDef
# A file outside of every package is a module of this name.
ALONE = "__checked_file__"


@dataclass(frozen=True, slots=True)
class Subject:
    """A file under check.

    *text* has no conflict hunks any more, *tree* is it parsed. *module* is its dotted name, by
    which *sources* know it as it is here, *parent* what its relative imports start from.
    *imports* maps each name that an import at the top of the file binds to the dotted path it
    stands for. *kin* are the local files together, *values* reads expressions.
    """

    text: str
    tree: ast.Module
    module: str
    parent: str
    sources: Sources
    hierarchy: Hierarchy
    imports: Mapping[str, str]
    kin: Kin
    values: Values
    versions: Versions = field(default_factory=Versions)
    _walked: list[tuple[tuple[Site, ...], frozenset[str]]] = field(default_factory=list)

    @property
    def sites(self) -> tuple[Site, ...]:
        """The places to look at, walked once; what is for another version is not among them."""
        return self._walk()[0]

    @property
    def tested(self) -> frozenset[str]:
        """The names that the file asks for before it uses them: ``hasattr(x, "name")``."""
        return self._walk()[1]

    def owners(self) -> dict[str, str]:
        """The upstream classes that functions of the file are assigned to, by name."""
        found = {}
        for one in self.kin.assigned:
            module, _, name = one.local.rpartition(".")
            owner = find_origin(owner_of(one.target), self.sources)
            if module == self.module and self.hierarchy.find_class(owner) is not None:
                found[name] = owner
        return found

    def is_lent(self, cls: str) -> bool:
        """Whether local code assigns methods of *cls*, or of a class below it, to another."""
        lent = {find_origin(one, self.sources) for one in self.kin.lent if one}
        return cls in lent or any(one in lent for one in self.kin.below(cls, self.hierarchy))

    def _walk(self) -> tuple[tuple[Site, ...], frozenset[str]]:
        if not self._walked:
            walk = Walk(self.tree, self.module, self.parent, self.versions, self.owners())
            self._walked.append((walk.sites(), frozenset(walk.tested)))
        return self._walked[0]

    def holds(self, path: str) -> bool:
        """Whether *path* is of a package that was given, and not the file's own."""
        root = first_part(path)
        return self.sources.holds(path) and root != first_part(self.module)

    def classes(self) -> Iterator[tuple[str, ast.ClassDef]]:
        """Yield dotted name and node of the classes at the top of the file."""
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                yield f"{self.module}.{node.name}", node


@dataclass(frozen=True, slots=True)
class World:
    """The sources with what was read of them: all local files share it."""

    sources: Sources
    hierarchy: Hierarchy
    kin: Kin
    values: Values
    versions: Versions


def make_world(sources: Sources, kin: Kin, versions: Versions | None = None) -> World:
    """Return the world of *sources*, which hold the local files of *kin*, too."""
    hierarchy = Hierarchy(sources)
    values = Values(sources, hierarchy, kin.patches(sources))
    return World(sources, hierarchy, kin, values, versions or Versions())


def open_subject(text: str, tree: ast.Module, module: str, package: bool, world: World) -> Subject:
    """Return the subject of a local file that the sources of *world* know as it is."""
    parent = module if package else owner_of(module)
    return Subject(
        text,
        tree,
        module,
        parent,
        world.sources,
        world.hierarchy,
        _imports(tree, parent),
        world.kin,
        world.values,
        world.versions,
    )


def make_subject(
    text: str,
    given: Sources,
    *,
    module: str | None = None,
    package: bool = False,
    kin: Kin | None = None,
    versions: Versions | None = None,
) -> Subject:
    """Return the subject for *text*, whose dotted name is *module*, where it has one.

    *given* are the sources of the packages; *package* says that the file is an ``__init__.py``.
    *kin* are the local files together, by default this one alone; *versions* those of the
    packages. Raises SourceError.
    """
    tree = parse_module(text)
    require_python(text)
    name = module or ALONE
    own = name.replace(".", "/") + ("/__init__.py" if package else ".py")
    sources = given.overlaid(name, own, text)
    parent = name if package else owner_of(name)
    imports = _imports(tree, parent)
    kin = kin or Kin((KinFile(name, text, package),))
    hierarchy = Hierarchy(sources)
    values = Values(sources, hierarchy, kin.patches(sources))
    versions = versions or Versions()
    return Subject(text, tree, name, parent, sources, hierarchy, imports, kin, values, versions)


def _imports(tree: ast.Module, parent: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, path, _ in import_bindings(node):
                found[name] = absolute(path, parent)
    return found
