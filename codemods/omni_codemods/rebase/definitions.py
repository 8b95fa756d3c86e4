"""Which definitions of a name are rebuilt on which, and what is said of those that are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.codes import DEFINITIONS_DIFFER
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.variants import Variant, match_variants, repeated
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located


@dataclass(frozen=True, slots=True)
class Trio:
    """A local definition, and those of base and target that it belongs to."""

    local: Located
    base: Located
    target: Located


@dataclass(frozen=True, slots=True)
class Pairing:
    """The definitions to rebuild, in the order of the local file; *findings* has lines of it."""

    chosen: tuple[Trio, ...]
    findings: tuple[Finding, ...] = ()


def pair_definitions(
    local: Sequence[Variant], base: Sequence[Variant], target: Sequence[Variant]
) -> Pairing:
    """Pair each definition of *local* with its partners; where none has one, the last ones."""
    from_base, to_target = match_variants(local, base), match_variants(base, target)
    trios = [
        Trio(one.where, from_base[one].where, to_target[from_base[one]].where)
        for one in local
        if one in from_base and from_base[one] in to_target
    ]
    if not trios:
        trios = [Trio(local[-1].where, base[-1].where, target[-1].where)]
        return Pairing(tuple(trios))
    kept = {trio.target for trio in trios}
    new = [v for v in target if v not in to_target.values() and v.where not in kept]
    own = [v for v in local if v not in from_base]
    findings = [
        *_check_repeated(local, own),
        *_check_gone(local, from_base, to_target),
        *_check_branches(local, from_base, to_target),
        *_check_new(local, own, new),
    ]
    return Pairing(tuple(trios), tuple(findings))


def _check_repeated(local: Sequence[Variant], own: Sequence[Variant]) -> Iterator[Finding]:
    for one in repeated(local):
        if one in own:
            said = "is defined again below, in the same place: this definition never counts, and"
            yield _finding(one, f"{said} has no partner in the base; it stays as it is")


def _check_gone(
    local: Sequence[Variant],
    from_base: dict[Variant, Variant],
    to_target: dict[Variant, Variant],
) -> Iterator[Finding]:
    for one in local:
        if one in from_base and from_base[one] not in to_target:
            said = f"this {one.describe()} is a copy of one that the target has no longer"
            yield _finding(one, f"{said}; it stays as it is", Severity.ERROR)


def _check_branches(
    local: Sequence[Variant],
    from_base: dict[Variant, Variant],
    to_target: dict[Variant, Variant],
) -> Iterator[Finding]:
    for one in local:
        base = from_base.get(one)
        target = None if base is None else to_target.get(base)
        if base is not None and target is not None and base.path != target.path:
            said = f"the target's is a {target.describe()}, and base's was a {base.describe()}"
            yield _finding(one, f"{said}; what stands around it here is as it was")


def _check_new(
    local: Sequence[Variant], own: Sequence[Variant], new: Sequence[Variant]
) -> Iterator[Finding]:
    matched = match_variants(new, own) if own else {}
    for one in new:
        line = one.where.start
        if one in matched:
            said = f"the target now has this {one.describe()} too, at its line {line}: compare them"
            yield _finding(matched[one], said)
        else:
            severity = Severity.WARNING if one.role == "overload" else Severity.ERROR
            said = f"the target has one more {one.describe()}, at its line {line}; it is not here"
            yield _finding(local[-1], said, severity)


def _finding(variant: Variant, said: str, severity: Severity = Severity.WARNING) -> Finding:
    where = variant.where
    name = last_part(where.qualname)
    column = len(where.text) - len(where.text.lstrip(" \t"))
    hint = "bring over or take out by hand what the class needs"
    return Finding(DEFINITIONS_DIFFER.code, where.start, column, f"{name}: {said}", hint, severity)
