"""An imported name that both ends have: is it the same kind of thing, and from the same place?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.impact.local import LocalFile
from omni_codemods.impact.model import Impact, UpstreamChange
from omni_codemods.impact.sorts import say_arms, say_origin, say_sort
from omni_codemods.sources.shapes import Shape, Sort, find_shape

# Changes after which nothing is to be said of what is in the thing.
CHANGED = frozenset({"import-kind", "class-kind", "seam-kind"})


@dataclass(slots=True)
class ImportedName:
    """A dotted name that the file uses: lines that a rebase keeps, and those that it does not.

    *run* are those of the first where what is in it matters, *made*
    those that make one, *placed* says that one of these goes by position. *inherited* are lines of
    classes of ours that inherit from it, *patched* those of ours that assign to it.
    """

    ours: list[int] = field(default_factory=list)
    copied: list[int] = field(default_factory=list)
    run: list[int] = field(default_factory=list)
    made: list[int] = field(default_factory=list)
    inherited: list[int] = field(default_factory=list)
    patched: list[int] = field(default_factory=list)
    placed: bool = False
    sure: bool = True

    @property
    def lines(self) -> list[int]:
        """What counts: our lines, or else the copied ones."""
        return self.ours or self.copied


def compare_sorts(file: LocalFile, path: str, name: ImportedName) -> Iterator[UpstreamChange]:
    """Yield what the first part of *path* is now that is another kind of thing, or elsewhere."""
    parts = path.split(".")
    for cut in range(2, len(parts) + 1):
        prefix = ".".join(parts[:cut])
        old = find_shape(prefix, file.current.sources)
        new = find_shape(prefix, file.target.sources)
        if old is None or new is None:
            return
        if (found := _changed(file, prefix, name, old, new)) is not None:
            yield found
            return


def _changed(
    file: LocalFile, path: str, name: ImportedName, old: Shape, new: Shape
) -> UpstreamChange | None:
    sort, arms = say_sort(old, new), say_arms(old, new)
    where = say_origin(path, old, new)
    ours = [line for line in name.ours if not file.is_base(line)]
    if name.ours and not ours:
        return None

    def change(kind: str, impact: Impact, message: str, lines: list[int]) -> UpstreamChange:
        spots = file.current.spot_of(path), file.target.spot_of(path)
        return UpstreamChange(kind, impact, path, message, *spots, file.consumers(lines))

    if not name.ours:
        said = sort or arms or where
        tail = "; only copied code uses it, and the rebase takes the target's code"
        if not said:
            return None
        return change("import-copied", Impact.MECHANICAL, said + tail, name.copied)
    if sort and name.inherited and new.sort is not Sort.CLASS:
        return change("class-kind", Impact.ARCHITECTURAL, sort, name.inherited)
    if sort and name.patched:
        return change("seam-kind", Impact.ARCHITECTURAL, sort, name.patched)
    if sort:
        uncallable = name.made and new.sort.is_callable is False
        impact = Impact.ARCHITECTURAL if uncallable else Impact.BEHAVIORAL
        return change("import-kind", impact, sort, ours)
    if arms:
        return change("import-kind", Impact.BEHAVIORAL, arms, ours)
    if where and name.patched:
        said = f"{where}: who has it from there does not see what is assigned here"
        return change("seam-kind", Impact.BEHAVIORAL, said, name.patched)
    if where:
        return change("import-alias", Impact.MECHANICAL, where, ours)
    return None
