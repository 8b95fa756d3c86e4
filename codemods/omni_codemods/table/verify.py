"""Does a table still hold? Its names and keywords against the sources of a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.modules import Answer, Sources, find_origin, find_signature, resolve
from omni_codemods.table.entries import (
    BaseClass,
    DroppedKeyword,
    Entry,
    Keyword,
    Leave,
    NeededKeyword,
    Positional,
    Report,
    Symbol,
)
from omni_codemods.table.table import Table


@dataclass(frozen=True, slots=True)
class Fallen:
    """An entry that does not hold in the sources: *name* is what was looked for, and why not."""

    entry: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The entries that do not hold, and the ids of those about which the sources say nothing."""

    fallen: tuple[Fallen, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Check:
    """One question to the sources; *reason* says what a MISSING answer means."""

    name: str
    answer: Answer
    reason: str


def verify_table(table: Table, sources: Sources) -> Verification:
    """Return which entries of *table* do not hold in *sources*, in the order of the table.

    Checked is what the sources can answer: names below the packages that they hold. A name must
    be there (defined, or imported from elsewhere, but not from the GPU name itself); a renamed or
    needed keyword must stand in the signature of the NPU callee, a dropped one must not; a member
    that the NPU class is said to lack must be missing.
    """
    npu = {entry.gpu: entry.npu for entry in table.entries if isinstance(entry, Symbol)}
    fallen: list[Fallen] = []
    unknown: list[str] = []
    for entry in table.entries:
        checks = list(_iter_checks(entry, npu, sources))
        fallen += [Fallen(entry.id, c.name, c.reason) for c in checks if c.answer is _MISSING]
        if all(check.answer is Answer.UNKNOWN for check in checks):
            unknown.append(entry.id)
    return Verification(tuple(fallen), tuple(unknown))


_MISSING = Answer.MISSING


def _iter_checks(entry: Entry, npu: dict[str, str], sources: Sources) -> Iterator[_Check]:
    if isinstance(entry, (Keyword, DroppedKeyword, NeededKeyword, Positional)):
        yield from _iter_call_checks(entry, npu.get(entry.callee, entry.callee), sources)
    elif isinstance(entry, Report):
        if entry.why == "member":
            yield from _iter_member_checks(entry, npu, sources)
    else:
        names = {entry.gpu} if isinstance(entry, Leave) else {entry.gpu, entry.npu}
        for name in sorted(filter(None, names)):
            yield _Check(name, resolve(name, sources), "the module or the name is gone")
    if isinstance(entry, (Symbol, BaseClass)) and find_origin(entry.npu, sources) == entry.gpu:
        yield _Check(entry.npu, Answer.MISSING, "it is the GPU name, imported there")


def _iter_member_checks(entry: Entry, npu: dict[str, str], sources: Sources) -> Iterator[_Check]:
    owner, _, member = entry.gpu.rpartition(".")
    if owner in npu:
        name = f"{npu[owner]}.{member}"
        yield _Check(name, _negated(resolve(name, sources)), "the NPU class has this member now")


def _iter_call_checks(
    entry: Keyword | DroppedKeyword | NeededKeyword | Positional, callee: str, sources: Sources
) -> Iterator[_Check]:
    signature = find_signature(callee, sources)
    if signature is None:
        yield _Check(callee, resolve(callee, sources), "the callee is gone")
    elif isinstance(entry, DroppedKeyword):
        taken = _negated(_answer(signature.names(entry.gpu)))
        yield _Check(f"{callee}({entry.gpu}=)", taken, "the signature takes this keyword now")
    else:
        keywords = entry.names[entry.limit :] if isinstance(entry, Positional) else (entry.npu,)
        for keyword in keywords:
            held = _answer(signature.accepts(keyword))
            yield _Check(f"{callee}({keyword}=)", held, "the keyword is not in the signature")


def _answer(held: bool) -> Answer:
    return Answer.FOUND if held else Answer.MISSING


def _negated(answer: Answer) -> Answer:
    opposite = {Answer.FOUND: Answer.MISSING, Answer.MISSING: Answer.FOUND}
    return opposite.get(answer, answer)
