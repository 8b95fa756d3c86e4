"""Which variables a module's facts lead to, so that a second walk follows them.

A name that nothing imports is of no interest, until a device's name is assigned to it, or the
answer to the question whether this is CUDA.
"""

from __future__ import annotations

from omni_codemods.names.scopes import Variable
from omni_codemods.table.entries import Namespace
from omni_codemods.text.offsets import Source
from omni_codemods.translate.facts import Facts, Reference
from omni_codemods.translate.guards import UNCLEAR
from omni_codemods.translate.index import TableIndex
from omni_codemods.translate.interest import Interest
from omni_codemods.translate.transformers.pairs import are_pairs, second_halves

Key = tuple[int, str]


def widen(source: Source, facts: Facts, interest: Interest) -> Interest | None:
    """*interest* with the variables that *facts* show to matter; None if it has them all."""
    flags: dict[Key, int] = {}
    wanted: set[str] = set()
    known = followed(facts)
    for given in facts.given:
        if given.answer is not None:
            for variable in given.variables:
                answer = flags.setdefault(variable.key, given.answer)
                flags[variable.key] = answer if answer == given.answer else UNCLEAR
        elif not any(_leads(one, interest.index, known) for one in given.references):
            continue
        wanted.update(*map(_names, given.variables))
    for fact in facts.strings:
        if fact.place.variables and _is_literal(interest.index, fact.value):
            wanted.update(*map(_names, fact.place.variables))
    if flags == interest.flags and wanted <= interest.names | interest.attributes:
        return None
    return interest.extended(source, flags, wanted - interest.names - interest.attributes)


def followed(facts: Facts) -> frozenset[Key]:
    """The keys of all variables that something is given to."""
    keys = {variable.key for given in facts.given for variable in given.variables}
    return frozenset(keys.union(v.key for f in facts.strings for v in f.place.variables))


def variable_key(reference: Reference) -> Key | None:
    """The key of the variable that *reference* is, None for a name that leads on."""
    if reference.chain:
        return None
    return Variable(reference.name, reference.scope).key


def is_question(reference: Reference, index: TableIndex) -> bool:
    """Whether *reference* asks whether this is CUDA, as ``torch.cuda.is_available`` does."""
    path = reference.path
    space = index.namespace_of(path) if path else None
    return isinstance(space, Namespace) and index.is_question(path or "", space)


def _leads(reference: Reference, index: TableIndex, known: frozenset[Key]) -> bool:
    return is_question(reference, index) or variable_key(reference) in known


def _names(variable: Variable) -> set[str]:
    last = variable.key[1]
    return {variable.name, last}


def _is_literal(index: TableIndex, value: str) -> bool:
    words = {entry.gpu for entry in index.literals}
    head = value.partition(":")[0].lower()
    return head in words or (are_pairs(value) and not words.isdisjoint(second_halves(value)))
