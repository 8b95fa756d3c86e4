"""The GPU runner that an NPU runner mirrors, translated, and its method found in it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, TranslateResult
from omni_codemods.functions.indentation import with_unit
from omni_codemods.functions.variants import (
    Variant,
    find_partner,
    find_variants,
    match_variants,
)
from omni_codemods.rebuild.splice import parse
from omni_codemods.replay.printing.lines import Labels
from omni_codemods.sources.classes import own_methods
from omni_codemods.sync.downstream import Upstreams
from omni_codemods.sync.taken import NOTHING_TAKEN, Taken
from omni_codemods.table.table import Table
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.outline import Located, locate
from omni_codemods.translate import translate

_PLAIN = Labels("NPU copy", "sibling before", "sibling after")


@dataclass(frozen=True, slots=True)
class Sibling:
    """The GPU runner that an NPU runner mirrors, before and after, as the texts of whole files.

    *cls* is the sibling's class, *target_cls* that of the newer file where it differs. *package*
    is the downstream's top-level package (``vllm_omni``), by which its own code is told, *module*
    the dotted name of the newer file. With *upstream_base* and *upstream_target*, the sibling's
    upstream files at both ends, that is exact; *upstream_class* is the class in them,
    *upstream_target_class* that of the newer one where it differs. The *method* may have a name of
    its own in the sibling, in the newer one (*target_method*), and in its upstream at both ends.
    *inherited* are methods that the NPU class has from bases in other files.
    *table* is the translation table, by default the packaged one at its newest. *labels* stand
    behind the markers of conflict hunks. *taken* are proposals that a person took.
    """

    base: str
    target: str
    cls: str | None = None
    target_cls: str | None = None
    package: str | None = None
    module: str | None = None
    upstream_base: str | None = None
    upstream_target: str | None = None
    upstream_class: str | None = None
    upstream_target_class: str | None = None
    method: str | None = None
    target_method: str | None = None
    upstream_method: str | None = None
    upstream_target_method: str | None = None
    inherited: frozenset[str] = frozenset()
    table: Table | None = None
    labels: Labels = field(default=_PLAIN)
    taken: Taken = NOTHING_TAKEN


@dataclass(frozen=True, slots=True)
class Ends:
    """Both versions of the sibling's file, translated, and the method in them.

    *findings* are what could not be translated in the newer one, at lines of it as it was.
    """

    before: str
    after: str
    old: Located
    new: Located
    findings: tuple[Finding, ...] = ()


def locate_ends(sibling: Sibling, method: str) -> Ends:
    """Translate both versions of the sibling, and find *method* in each, or what it says that the
    method is called there.

    Raises SourceError and MethodNotFound, *side* ``gpu-base`` or ``gpu-target``.
    """
    before = _translated(sibling.base, sibling, "gpu-base").text
    after = _translated(sibling.target, sibling, "gpu-target")
    old = sibling.method or method
    new = sibling.target_method or old
    return Ends(
        before,
        after.text,
        locate(before, old, sibling.cls, side="gpu-base"),
        locate(after.text, new, sibling.target_cls or sibling.cls, side="gpu-target"),
        after.findings,
    )


def pair_ends(mine: Sequence[Variant], ends: Ends) -> list[tuple[Located, Ends]]:
    """Return each local definition with the sibling's that it belongs to; else the last ones."""
    old, new = (
        find_variants(text, last_part(found.qualname), _owner(found), side=side)
        for text, found, side in (
            (ends.before, ends.old, "gpu-base"),
            (ends.after, ends.new, "gpu-target"),
        )
    )
    from_old, to_new = match_variants(mine, old), match_variants(old, new)
    found = [
        (one.where, replace(ends, old=from_old[one].where, new=to_new[from_old[one]].where))
        for one in mine
        if one in from_old and from_old[one] in to_new
    ]
    return found or [(mine[-1].where, ends)]


def _owner(found: Located) -> str | None:
    return owner_of(found.qualname) or None


def _translated(text: str, sibling: Sibling, side: str) -> TranslateResult:
    try:
        return _translate(text, sibling.table)
    except SourceError as error:
        error.side = side
        raise


@functools.lru_cache(maxsize=8)
def _translate(text: str, table: Table | None) -> TranslateResult:
    """Each method of a class asks for the same files."""
    return translate(text, table=table)


def parse_upstreams(sibling: Sibling, ends: Ends, name: str, unit: str) -> Upstreams | None:
    """Return the sibling's upstream function at both ends, translated, where they are given.

    *name* and *unit* are the function's name and the indentation in the copy.
    """
    method = last_part(ends.old.qualname)
    if sibling.upstream_base is None or sibling.upstream_target is None:
        return None
    trees = []
    cls, old = sibling.upstream_class, sibling.upstream_method or sibling.method or method
    aim_cls, new = sibling.upstream_target_class or cls, sibling.upstream_target_method or old
    for text, owner, called, side, (theirs, at) in (
        (sibling.upstream_base, cls, old, "gpu-upstream-base", (ends.before, ends.old)),
        (sibling.upstream_target, aim_cls, new, "gpu-upstream-target", (ends.after, ends.new)),
    ):
        there = _locate_upstream(_translated(text, sibling, side).text, called, owner, side)
        found = find_partner(at, theirs, there)
        trees.append(with_unit(parse(found, side, name), unit))
    return Upstreams(trees[0], trees[1])


def _locate_upstream(text: str, method: str, cls: str | None, side: str) -> tuple[Variant, ...]:
    if cls is not None and (known := own_methods(text, cls)) and method not in known:
        # The sibling did not copy the method: all that it says is its own.
        return (Variant(whole(f"def {method}():\n    pass\n")),)
    return find_variants(text, method, cls, side=side)


def whole(text: str) -> Located:
    """*text* as a function that is a file of its own."""
    return Located("", 1, text.count("\n") + 1, text)
