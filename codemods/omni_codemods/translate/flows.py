"""Which variables reach a position where a device, or a backend, is meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from omni_codemods.names.scopes import ScopeKind, Variable
from omni_codemods.table.entries import Literals
from omni_codemods.translate.facts import Facts, Place
from omni_codemods.translate.widen import Key, variable_key

_COMPARED = ("compared", "contained")


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """For one entry: the *reaching* variables, and the last names of those that are *compared*
    with what the entry replaces, so that they cannot change.
    """

    reaching: frozenset[Key]
    compared: frozenset[str]

    def follows(self, entry: Literals, place: Place) -> bool:
        """Whether what is assigned at *place* goes where *entry* says that it is meant."""
        if place.name in self.compared:
            return False
        return place.name in entry.assigned or any(
            not _is_constant(variable) and variable.key in self.reaching
            for variable in place.variables
        )


def find_flow(
    facts: Facts,
    entry: Literals,
    is_meant: Callable[[Place], bool],
    spells: Callable[[str], bool],
) -> Flow:
    """Follow the variables of *facts* to the places that *is_meant* knows.

    *spells* says whether a text is one that *entry* replaces.
    """
    compared = frozenset(
        fact.place.name
        for fact in facts.strings
        if fact.place.kind in _COMPARED and fact.place.name and spells(fact.value)
    )
    sources: dict[Key, list[Key]] = {}
    pending: list[Key] = []
    for reference in facts.references:
        place = reference.place
        if place.kind == "other" or reference.stored:
            continue
        key = variable_key(reference)
        if key is None:
            continue
        if place.kind == "assigned":
            named = place.name in entry.assigned and place.name not in compared
            pending += [key] if named else []
            for variable in place.variables:
                sources.setdefault(variable.key, []).append(key)
        elif is_meant(place):
            pending.append(key)
    reaching: set[Key] = set()
    while pending:
        key = pending.pop()
        if key not in reaching and key[1].removeprefix(".") not in compared:
            reaching.add(key)
            pending += sources.get(key, ())
    return Flow(frozenset(reaching), compared)


def _is_constant(variable: Variable) -> bool:
    """Whether *variable* is written as a constant of the module, for others to import."""
    outside = variable.scope.kind is ScopeKind.MODULE
    return outside and variable.name.isupper()
