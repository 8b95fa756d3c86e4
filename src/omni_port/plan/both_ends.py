"""The texts that an upgrade compares: local files, and the trees of the upstreams at both ends."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from omni_codemods.impact.end import End
from omni_codemods.impact.local import PortText
from omni_codemods.sources.modules import Read, Sources
from omni_codemods.text.dotted import first_part, module_of, package_path
from omni_port.base.address import Address
from omni_port.base.errors import InputError
from omni_port.identity import Identity
from omni_port.methods.find_port_base import PortBase, find_port_base
from omni_port.plan.followed import Followed, iter_followed
from omni_port.project.project import CURRENT, TARGET, Port, Project
from omni_port.sources.file_at import find_module, read_address
from omni_port.sources.packages import iter_modules
from omni_port.sources.upstream import Tree, Upstream, open_upstream, packages_of


@dataclass(frozen=True, slots=True)
class Ends:
    """The *ports* as text, and the sources at both ends, by port for the current one.

    *upstreams_by_package* says which upstream holds a root package. *found* are the bases of
    ports that nobody named, *followed* the ports whose upstream comes from elsewhere in the
    target. All can be read as long as :func:`open_ends` is open.
    """

    ports: tuple[PortText, ...]
    current: dict[str, Sources]
    target: Sources
    upstreams_by_package: dict[str, str]
    where: Callable[[str], Sequence[str]]
    found: tuple[PortBase, ...] = ()
    followed: tuple[Followed, ...] = ()


@contextlib.contextmanager
def open_ends(
    project: Project,
    ports: Sequence[Port],
    identity: Identity,
    texts: Mapping[str, str] | None = None,
) -> Iterator[Ends]:
    """Open both ends of every upstream of *project*, as *identity* found them.

    *texts* are texts by the path in the project, to be read instead of the files.

    Raises ConfigurationError where it is not known what a port was made from, InputError for a
    local file that cannot be read.
    """
    with contextlib.ExitStack() as stack:
        opened = _Opened(project, identity, stack)
        known = texts or {}
        local = packages_of(project.root)
        own = {name: _reader(project.root, start, known) for name, start in local.items()}
        target = opened.trees(TARGET, ports)
        held = {package: name for name, tree in target.items() for package in tree.packages}
        mine = {name: read for name, read in own.items() if name not in held}
        default = _sources(opened.trees(CURRENT, ports), mine)
        found = {port: base for port in ports if (base := opened.find_base(port)) is not None}
        told = tuple(
            _text(project, port, n, target[port.source], held, known)
            for n, port in enumerate(ports)
        )
        current = {
            text.key: opened.based(port, revision, ports, mine) if revision else default
            for text, port in zip(told, ports, strict=True)
            for revision in [port.base or (found[port].revision if port in found else None)]
        }
        aimed = _sources(target, mine)
        yield Ends(
            told,
            current,
            aimed,
            held,
            _Where(project, target),
            tuple(found.values()),
            tuple(iter_followed(list(zip(ports, told, strict=True)), End(aimed), target)),
        )


@dataclass(slots=True)
class _Opened:
    project: Project
    identity: Identity
    stack: contextlib.ExitStack
    known: dict[tuple[str, str], Tree] = field(default_factory=dict)
    _based: dict[tuple[str, str], Sources] = field(default_factory=dict)

    def trees(
        self, end: str, ports: Sequence[Port], own: tuple[str, str] = ("", "")
    ) -> dict[str, Tree]:
        """The upstreams at *end*, by name; that called as the first of *own* at the second."""
        found = {}
        for name in self.project.settings.upstream:
            revision = own[1] if own[0] == name else self._revision(name, end)
            if revision is None:
                continue  # each port has its own base, or no port follows it
            tree = self._open(name, revision)
            roots = {port.upstream.path for port in ports if port.source == name}
            found[name] = replace(tree, packages={**_lone(roots, tree), **tree.packages})
        return found

    def find_base(self, port: Port) -> PortBase | None:
        """The base of a port of which nobody says what it was made from, else ``None``."""
        if port.base is not None or self._revision(port.source, CURRENT) is not None:
            return None
        return find_port_base(self.project, port)

    def based(
        self, port: Port, base: str, ports: Sequence[Port], local: dict[str, Read]
    ) -> Sources:
        """The sources at *base* of *port*; the same for all that have this base."""
        key = port.source, base
        if key not in self._based:
            self._based[key] = _sources(self.trees(CURRENT, ports, key), local)
        return self._based[key]

    def _open(self, name: str, revision: str) -> Tree:
        if (name, revision) not in self.known:
            settings = self.project.settings.upstream[name]
            upstream = Upstream(name, settings.target, settings.current, settings.repository)
            opened = open_upstream(upstream, self.project.root, revision)
            self.known[name, revision] = self.stack.enter_context(opened)
        return self.known[name, revision]

    def _revision(self, name: str, end: str) -> str | None:
        one = self.identity.end(name, end)
        return None if one is None else one.revision or one.spelling or None


def _lone(paths: set[str], tree: Tree) -> dict[str, str]:
    """The roots of *paths* that are no packages: a module at the top, or a folder without init."""
    roots = {path.partition("/")[0] for path in paths}
    plain = {root: "" for root in roots if root not in ("src",) and root not in tree.packages}
    return {**plain, **{root.removesuffix(".py"): "" for root in plain}}


def _sources(trees: dict[str, Tree], local: dict[str, Read]) -> Sources:
    readers: dict[str, Read] = dict(local)
    for tree in trees.values():
        readers.update(dict.fromkeys(tree.packages, tree.read))
    return Sources(readers)


def _reader(root: Path, start: str, known: Mapping[str, str]) -> Read:
    def read(path: str) -> str | None:
        if (inside := (Path(start) / path).as_posix()) in known:
            return known[inside]
        try:
            return (root / start / path).read_text("utf-8", errors="replace")
        except OSError:
            return None

    return read


def _text(
    project: Project,
    port: Port,
    number: int,
    tree: Tree,
    held: dict[str, str],
    known: Mapping[str, str],
) -> PortText:
    try:
        located = read_address(project.local(port.local))
    except InputError as error:
        if error.line is not None:  # it is there, and what is in it is at fault
            raise
        hint = f"{project.path} names it as the place of a port"
        raise InputError(error.message, hint=hint, path=error.path) from error
    path = port.local.path
    inside = find_module(path, lambda p: (project.root / p).is_file())
    module = inside if inside and first_part(inside) not in held else f"__local{number}__"
    return PortText(
        port.name,
        path,
        known.get(path, located.source.text),
        module,
        port.local.qualname,
        f"{_module(port.upstream.path, tree)}.{port.upstream.qualname}",
        port.methods,
        path.endswith("__init__.py") and module == inside,
        f"{_module(port.aim.path, tree)}.{port.aim.qualname}" if port.upstream_target else "",
    )


def _module(path: str, tree: Tree) -> str:
    return module_of(package_path(path, tree.packages))


@dataclass(slots=True)
class _Where:
    """Which modules of the target trees define a name; they are read when first asked."""

    project: Project
    trees: dict[str, Tree]
    _modules: list[tuple[str, bytes]] | None = None

    def __call__(self, name: str) -> Sequence[str]:
        if self._modules is None:
            self._modules = list(self._read())
        word = re.escape(name.encode())
        wanted = re.compile(
            rb"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+%s\b|^%s[ \t]*[:=]" % (word, word),
            re.MULTILINE,
        )
        plain = name.encode()
        return [module for module, data in self._modules if plain in data and wanted.search(data)]

    def _read(self) -> Iterator[tuple[str, bytes]]:
        for name, tree in self.trees.items():
            whole = self.project.tree(name, TARGET)
            for package, start in tree.packages.items():
                if not package.endswith(".py"):
                    yield from iter_modules(_below(whole, start.rstrip("/")), package)


def _below(tree: Address, folder: str) -> Address:
    if not folder:
        return tree
    inside = folder if tree.path == "." and tree.revision else f"{tree.path}/{folder}"
    return Address(inside, tree.repository, tree.revision)
