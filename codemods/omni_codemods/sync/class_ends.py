"""The sibling's class at both ends, beside the NPU class: what one has from the other."""

from __future__ import annotations

from omni_codemods.functions.conflict_markers import blank_hunks
from omni_codemods.sources.classes import inherits, shown_methods
from omni_codemods.sync.gained_methods import Classes, Versions
from omni_codemods.sync.sibling import Ends, Sibling
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.outline import Located, definitions


def gained_bases(ends: Ends, plain: str, where: Located) -> tuple[str, ...]:
    """The bases that the sibling's class has now, and neither it had before nor the NPU class."""
    named = [
        _bases(text, owner_of(found.qualname))
        for text, found in ((ends.before, ends.old), (ends.after, ends.new), (plain, where))
    ]
    before, after, mine = named
    return tuple(base for base in after if base not in before and base not in mine)


def _bases(text: str, cls: str) -> list[str]:
    found = (d for d in definitions(text) if d.is_class and d.qualname == cls)
    return [last_part(base) for one in found for base in one.bases]


def methods_from_sibling(plain: str, where: Located, ends: Ends) -> frozenset[str]:
    """The sibling's methods, where the NPU class has the sibling's class among its bases."""
    cls, new = (owner_of(x.qualname) for x in (where, ends.new))
    if cls and new and inherits(plain, cls, new):
        return frozenset(shown_methods(ends.after, new))
    return frozenset()


def classes_at_ends(
    sibling: Sibling, ends: Ends, text: str, where: Located, inherited: frozenset[str]
) -> Classes | None:
    """Return what a comparison of the classes needs, ``None`` where a side is no method."""
    cls, old, new = (owner_of(x.qualname) for x in (where, ends.old, ends.new))
    if not (cls and old and new):
        return None
    return Classes(
        Versions(ends.before, old),
        Versions(ends.after, new),
        sibling.target,
        Versions(blank_hunks(text), cls),
        sibling.module,
        inherited,
    )
