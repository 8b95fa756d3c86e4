"""Which GPU class of the same project an NPU class mirrors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from omni_codemods.sources.kinship import ModuleView
from omni_codemods.text.dotted import first_part, last_part, owner_of
from omni_codemods.text.outline import definitions
from omni_port.survey.copies import Copies
from omni_port.survey.search import Index


@dataclass(frozen=True, slots=True)
class Sibling:
    """The GPU class *qualname* of the file *path*; *common* are the methods that both define.

    *view* and *cls* are the class that it inherits those from, in an upstream; if it does.
    """

    path: str
    qualname: str
    how: str
    common: tuple[str, ...]
    view: ModuleView | None = None
    cls: str = ""


def find_sibling(index: Index, copies: Copies, path: str, cls: str) -> Sibling | None:
    """Return the GPU class that the NPU class *cls* of *path* mirrors, ``None`` without one.

    It is a base class from this project, or stands in the file with ``gpu`` for ``npu`` in its
    name; it does not descend from the same upstream class, and has a method in common.
    """
    module = index.module(path)
    mine = methods_of(index.text(path), cls)
    own = copies.family.view(module)
    lineage = _lineage(index, copies, f"{module}.{cls}")
    first = next(iter(lineage), None)
    if own is None or first is None:
        return None
    best: Sibling | None = None
    for file, name, how in _candidates(index, copies, own, cls):
        theirs = _lineage(index, copies, f"{index.module(file)}.{name}")
        common = tuple(m for m in mine if m in methods_of(index.text(file), name))
        if first in theirs or not common or (file == path and name == cls):
            continue
        if best is None or len(common) > len(best.common):
            view, owner = _owner(copies, theirs, common)
            best = Sibling(file, name, how, common, view, owner)
    return best


def methods_of(text: str, cls: str) -> list[str]:
    """Return the names of the functions that the class *cls* defines, in order."""
    names = [d.qualname for d in definitions(text) if not d.is_class]
    return list(dict.fromkeys(last_part(n) for n in names if owner_of(n) == cls))


def _lineage(index: Index, copies: Copies, dotted: str) -> list[tuple[str, str]]:
    """The upstream classes that a class descends from, as module and name."""
    every = copies.family.ancestors(dotted)
    return [(v.name, c) for v, c in every if not index.owns(first_part(v.name))]


def _owner(
    copies: Copies, lineage: Iterable[tuple[str, str]], common: Iterable[str]
) -> tuple[ModuleView | None, str]:
    for module, cls in lineage:
        view = copies.family.view(module)
        if view is not None and set(common) & set(methods_of(view.text, cls)):
            return view, cls
    return None, ""


def _candidates(
    index: Index, copies: Copies, own: ModuleView, cls: str
) -> Iterator[tuple[str, str, str]]:
    """Yield file, class and how it was found."""
    for view, name in copies.family.ancestors(f"{own.name}.{cls}"):
        package = first_part(view.name)
        if index.owns(package) and "gpu" in f"{view.path}.{name}".lower():
            yield index.packages[package] + view.path, name, "a base class"
    file = next((p for p in index.data if index.module(p) == own.name), own.path)
    for other in _mirrors(index, file):
        for definition in definitions(index.text(other)):
            if definition.is_class:
                yield other, definition.qualname, f"{PurePosixPath(other).name} has its methods"


def _mirrors(index: Index, path: str) -> Iterator[str]:
    """Yield the files that are called as *path*, with ``gpu`` for ``npu`` or without ``npu``."""
    here = PurePosixPath(path)
    names = {here.name.replace("npu", "gpu")} - {here.name} if "npu" in here.name else set()
    beside = {here.name.replace("npu_", "")} | {here.name}
    outside = PurePosixPath(*(p for p in here.parent.parts if p not in ("npu", "_npu")))
    for other in index.data:
        there = PurePosixPath(other)
        moved = there.parent == outside and outside != here.parent and there.name in beside
        if other != path and (there.name in names or moved):
            yield other
