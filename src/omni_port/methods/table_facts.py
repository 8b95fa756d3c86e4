"""Trees of many packages and releases: what the names of a table are in each of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from omni_port.base.address import Address, parse_address
from omni_port.base.errors import InputError
from omni_port.sources.packages import open_package

if TYPE_CHECKING:
    from omni_codemods.sources.modules import Sources
    from omni_codemods.table.entries import Entry
    from omni_codemods.table.facts import Facts, View


@dataclass(frozen=True, slots=True)
class Tree:
    """Where one release of a package stands; *release* may be empty where there is but one."""

    package: str
    release: str
    address: Address

    @property
    def name(self) -> str:
        """Package and release, for people."""
        return f"{self.package} {self.release}".strip()


def parse_tree(text: str) -> Tree:
    """Read ``PACKAGE=ADDRESS`` or ``PACKAGE@RELEASE=ADDRESS``; raises InputError for any other."""
    head, equals, address = text.partition("=")
    package, at, release = head.strip().partition("@")
    package = package.replace("-", "_")
    if not equals or not package.isidentifier() or not address or (at and not _is_version(release)):
        raise InputError(
            f"{text!r} is no tree",
            hint="Write PACKAGE=ADDRESS or PACKAGE@RELEASE=ADDRESS, such as "
            "torch_npu@2.9.0=unpacked/.",
        )
    return Tree(package, release, parse_address(address))


def find_trees(folder: Path) -> list[Tree]:
    """Return the trees in *folder*, which holds ``NAME-RELEASE/PACKAGE``, oldest release first."""
    found = [
        Tree(package.name, release, Address(path=str(home)))
        for home in folder.iterdir()
        if _is_version(release := home.name.partition("-")[2])
        for package in home.iterdir()
        if (package / "__init__.py").is_file()
    ]
    if not found:
        raise InputError(
            f"{folder} holds no trees", hint="It must hold NAME-RELEASE/PACKAGE/__init__.py."
        )
    return sorted(found, key=lambda tree: (tree.package, Version(tree.release)))


@contextlib.contextmanager
def open_sources(trees: Iterable[Tree]) -> Iterator[Sources]:
    """Yield the sources of *trees*, one for each package."""
    from omni_codemods.sources.modules import Sources

    with contextlib.ExitStack() as stack:
        yield Sources(
            {
                tree.package: stack.enter_context(open_package(tree.address, tree.package))
                for tree in trees
            }
        )


def gather_facts(entries: tuple[Entry, ...], trees: Iterable[Tree]) -> Facts:
    """Return what the names of *entries* are in each of *trees*, which all have a release.

    What a tree takes from other packages is looked for in that release of them which is nearest.
    """
    from omni_codemods.table.gather import gather, join

    found: dict[str, dict[str, Tree]] = {}
    for tree in sorted(trees, key=lambda one: Version(one.release)):
        found.setdefault(tree.package, {})[tree.release] = tree
    views: dict[str, dict[str, View]] = {}
    for package, releases in found.items():
        for release, tree in releases.items():
            with open_sources([tree, *_others(tree, found)]) as sources:
                views.setdefault(package, {})[release] = gather(entries, sources)
    return join(entries, views)


def _others(tree: Tree, found: Mapping[str, Mapping[str, Tree]]) -> Iterator[Tree]:
    from omni_codemods.table.facts import nearest

    for package, releases in found.items():
        if package != tree.package:
            yield releases[nearest(tuple(releases), tree.release)]


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True
