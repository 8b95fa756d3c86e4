"""Does a table still hold? Its names and keywords against what they are in a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.modules import Answer, Sources
from omni_codemods.sources.parameters import Parameters
from omni_codemods.table.entries import (
    BaseClass,
    DroppedKeyword,
    Entry,
    Keyword,
    Leave,
    Namespace,
    NeededKeyword,
    Positional,
    Report,
    Symbol,
    expand,
)
from omni_codemods.table.facts import Facts, View, nearest, parameters_of
from omni_codemods.table.gather import UNKNOWN, gather
from omni_codemods.table.table import Table, TableFile


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
    """Return which entries of *table* do not hold in *sources*: :func:`verify_view` of them."""
    return verify_view(table, gather(table.entries, sources))


def verify_view(table: Table, view: View) -> Verification:
    """Return which entries of *table* do not hold in *view*, in the order of the table.

    Checked is what is known: names below the packages that were looked at. A name must
    be there (defined, or imported from elsewhere, but not from the GPU name itself), and so must
    the members of a namespace that keep their names; a renamed or
    needed keyword must stand in the signature of the NPU callee, a dropped one must not; a member
    that the NPU class is said to lack must be missing.
    """
    npu = {entry.gpu: entry.npu for entry in table.entries if isinstance(entry, Symbol)}
    for namespace in table.entries:
        if isinstance(namespace, Namespace):
            npu = {**{one.gpu: one.npu for one in expand(namespace)}, **npu}
    fallen: list[Fallen] = []
    unknown: list[str] = []
    for entry in table.entries:
        checks = list(_iter_checks(entry, npu, view))
        fallen += [Fallen(entry.id, c.name, c.reason) for c in checks if c.answer is _MISSING]
        if all(check.answer is Answer.UNKNOWN for check in checks):
            unknown.append(entry.id)
    return Verification(tuple(fallen), tuple(unknown))


_MISSING = Answer.MISSING
_GONE = "the module or the name is gone"


def iter_releases(
    file: TableFile, facts: Facts, target: str | None = None
) -> Iterator[tuple[Table, Verification]]:
    """Yield each release that *file* lists, or *target* alone, and what of it *facts* bear out.

    The GPU names are those of the release that goes with it, unless *target* says which.
    """
    package, gpu = (name.replace("-", "_") for name in (file.distribution, file.gpu_distribution))
    for release in [target] if target else file.releases:
        table = file.select(release)
        npu, _, theirs = table.target.partition(",")
        beside = facts.beside(package, file.known_release(npu.rpartition("==")[2]))
        if gpu in beside and not theirs:
            beside[gpu] = beside[gpu][:1]
            table = file.select(f"{npu},{file.gpu_distribution}=={beside[gpu][0]}")
        elif theirs:
            beside[gpu] = (nearest(facts.releases[gpu], theirs.rpartition("==")[2]),)
        yield table, verify_view(table, facts.view(beside))


def _find(name: str, view: View) -> Answer:
    if not view.holds(name):
        return Answer.UNKNOWN
    fact = view.names.get(name)
    if fact is None:
        return Answer.MISSING
    return Answer.UNKNOWN if fact.sort == UNKNOWN else Answer.FOUND


def _find_signature(name: str, view: View) -> Parameters | None:
    fact = view.names.get(name)
    return None if fact is None or fact.takes is None else parameters_of(fact.takes)


def _iter_checks(entry: Entry, npu: dict[str, str], view: View) -> Iterator[_Check]:
    if isinstance(entry, (Keyword, DroppedKeyword, NeededKeyword, Positional)):
        yield from _iter_call_checks(entry, npu.get(entry.callee, entry.callee), view)
    elif isinstance(entry, Report):
        if entry.why == "member":
            yield from _iter_member_checks(entry, npu, view)
        elif entry.why in ("absent", "differs"):
            names = {entry.gpu, entry.npu}
            yield from (_Check(name, _find(name, view), _GONE) for name in sorted(names - {""}))
    else:
        names = {entry.gpu} if isinstance(entry, Leave) else {entry.gpu, entry.npu}
        for name in sorted(filter(None, names)):
            yield _Check(name, _find(name, view), _GONE)
    if isinstance(entry, Namespace):
        for member in expand(entry):
            for name in (member.gpu, member.npu, member.accelerator):
                yield _Check(name, _find(name, view), _GONE)
    fact = view.names.get(entry.npu)
    if isinstance(entry, (Symbol, BaseClass)) and fact is not None and fact.origin == entry.gpu:
        yield _Check(entry.npu, Answer.MISSING, "it is the GPU name, imported there")


def _iter_member_checks(entry: Entry, npu: dict[str, str], view: View) -> Iterator[_Check]:
    owner, _, member = entry.gpu.rpartition(".")
    yield _Check(entry.gpu, _find(entry.gpu, view), _GONE)
    if owner in npu:
        name = f"{npu[owner]}.{member}"
        yield _Check(name, _negated(_find(name, view)), "the NPU class has this member now")


def _iter_call_checks(
    entry: Keyword | DroppedKeyword | NeededKeyword | Positional, callee: str, view: View
) -> Iterator[_Check]:
    signature = _find_signature(callee, view)
    if signature is None:
        found = _find(callee, view)
        unsure = Answer.UNKNOWN if found is Answer.FOUND else found
        yield _Check(callee, unsure, "the callee is gone")
    elif isinstance(entry, DroppedKeyword):
        taken = _negated(_answer(entry.gpu in signature.names))
        yield _Check(f"{callee}({entry.gpu}=)", taken, "the signature takes this keyword now")
    else:
        keywords = entry.names[entry.limit :] if isinstance(entry, Positional) else (entry.npu,)
        for keyword in keywords:
            held = _answer(signature.open or keyword in signature.names)
            yield _Check(f"{callee}({keyword}=)", held, "the keyword is not in the signature")


def _answer(held: bool) -> Answer:
    return Answer.FOUND if held else Answer.MISSING


def _negated(answer: Answer) -> Answer:
    opposite = {Answer.FOUND: Answer.MISSING, Answer.MISSING: Answer.FOUND}
    return opposite.get(answer, answer)
