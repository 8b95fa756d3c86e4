"""Whether anybody notices that a local function takes other arguments than the upstream's."""

from __future__ import annotations

from collections.abc import Sequence

from omni_codemods.sources.callers import Caller, enclosing, find_callers, fits, names_in
from omni_codemods.sources.parameters import Parameters
from omni_codemods.sources.subject import Subject
from omni_codemods.text.dotted import last_part, owner_of


def is_noticed(
    name: str, mine: Parameters, theirs: Parameters, subject: Subject, *, of_self: bool
) -> bool | None:
    """Return whether a call in the upstreams that fits *theirs* does not fit *mine*.

    What local code replaces calls nobody. Without *of_self* neither does ``self.name(...)``: the
    classes whose ``self`` it may be are asked elsewhere. ``None`` where nobody knows: no call fits
    *theirs*, or the upstreams cannot be searched.
    """
    fitting = [one for one in _upstream_callers(name, subject) if fits(one.call, theirs)]
    if not fitting:
        return None
    broken = [one for one in fitting if not fits(one.call, mine)]
    told = (one for one in broken if of_self or one.owner not in ("self", "cls"))
    return any(not _is_replaced(one, subject) for one in told)


def _is_replaced(caller: Caller, subject: Subject) -> bool:
    """Whether local code puts something else in the place of the function with the call."""
    module = subject.sources.text(caller.module)
    inside = enclosing(module, caller.line) if module else ""
    if not inside:
        return False
    dotted = f"{caller.module}.{inside}"
    if dotted in subject.values.patches:
        return True
    owner, name = owner_of(dotted), last_part(dotted)
    below = subject.kin.below(owner, subject.hierarchy)
    return any(subject.hierarchy.defines(one, name) for one in below)


def is_called_so(name: str, mine: Parameters, theirs: Parameters, subject: Subject) -> bool:
    """Return whether local code calls *name* in a way that only *mine* takes."""
    calls = (one.call for one in find_callers(name, _local_texts(name, subject)))
    return any(fits(call, mine) and not fits(call, theirs) for call in calls)


def passes(name: str, keywords: Sequence[str], subject: Subject) -> bool:
    """Return whether a call of *name* in the upstreams passes one of *keywords* by name."""
    return names_in(_upstream_callers(name, subject), keywords)


def local_callers(name: str, subject: Subject) -> list[Caller]:
    """Return the calls of *name* in local code."""
    return list(find_callers(name, _local_texts(name, subject)))


def is_asked_of_class(name: str, classes: Sequence[str], subject: Subject) -> bool | None:
    """Return whether a call asks one of *classes*, or ``cls``, for the method *name*; ``None``
    where the upstreams cannot be searched."""
    if subject.sources.search is None:
        return None
    owners = {last_part(one) for one in classes} | {"cls"}
    every = [*_upstream_callers(name, subject), *local_callers(name, subject)]
    return any(last_part(one.owner) in owners for one in every)


def _local_texts(name: str, subject: Subject) -> list[tuple[str, str]]:
    return [(one.module, one.text) for one in subject.kin.files if name in one.text]


def _upstream_callers(name: str, subject: Subject) -> list[Caller]:
    search = subject.sources.search
    if search is None:
        return []
    found = search(f"{name}(")
    return list(find_callers(name, ((m, text) for m, text in found if subject.holds(m))))
