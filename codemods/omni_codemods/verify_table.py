"""Does a table still hold? Its names and keywords against the sources of a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.entries import (
    DroppedKeyword,
    Entry,
    Keyword,
    Leave,
    NeededKeyword,
    Positional,
    Report,
    Symbol,
)
from omni_codemods.resolve import Answer, Sources, find_signature, resolve
from omni_codemods.table import Table


@dataclass(frozen=True, slots=True)
class Fallen:
    """An entry that does not hold in the sources: *name* is what was looked for, and why not."""

    entry: str
    name: str
    reason: str


def verify_table(table: Table, sources: Sources) -> tuple[Fallen, ...]:
    """Return the entries of *table* that do not hold in *sources*, in the order of the table.

    Checked is what the sources can answer: names below the packages that they hold. A name must
    be there (defined, or imported from elsewhere); a renamed or needed keyword must stand in the
    signature of the NPU callee, a dropped one must not; a member that the NPU class is said to
    lack must be missing.
    """
    npu = {entry.gpu: entry.npu for entry in table.entries if isinstance(entry, Symbol)}
    return tuple(
        Fallen(entry.id, name, reason)
        for entry in table.entries
        for name, reason in _check(entry, npu, sources)
    )


def _check(entry: Entry, npu: dict[str, str], sources: Sources) -> Iterator[tuple[str, str]]:
    if isinstance(entry, (Keyword, DroppedKeyword, NeededKeyword, Positional)):
        yield from _check_call(entry, npu.get(entry.callee, entry.callee), sources)
    elif isinstance(entry, Report):
        if entry.why == "member":
            yield from _check_member(entry, npu, sources)
    else:
        names = {entry.npu} if not isinstance(entry, Leave) else set()
        for name in sorted(filter(None, names | {entry.gpu})):
            yield from _check_name(name, sources)


def _check_name(name: str, sources: Sources) -> Iterator[tuple[str, str]]:
    answer = resolve(name, sources)
    if answer is Answer.MISSING:
        yield name, "the module or the name is gone"


def _check_member(entry: Entry, npu: dict[str, str], sources: Sources) -> Iterator[tuple[str, str]]:
    owner, _, member = entry.gpu.rpartition(".")
    if owner in npu and resolve(f"{npu[owner]}.{member}", sources) is Answer.FOUND:
        yield f"{npu[owner]}.{member}", "the NPU class has this member now"


def _check_call(
    entry: Keyword | DroppedKeyword | NeededKeyword | Positional, callee: str, sources: Sources
) -> Iterator[tuple[str, str]]:
    signature = find_signature(callee, sources)
    if signature is None:
        if resolve(callee, sources) is Answer.MISSING:
            yield callee, "the callee is gone"
        return
    if isinstance(entry, Positional):
        missing = [name for name in entry.names[entry.limit :] if not signature.accepts(name)]
        for name in missing:
            yield f"{callee}({name}=)", "the keyword is not in the signature"
    elif isinstance(entry, DroppedKeyword):
        if signature.names(entry.gpu):
            yield f"{callee}({entry.gpu}=)", "the signature takes this keyword now"
    elif not signature.accepts(entry.npu):
        yield f"{callee}({entry.npu}=)", "the keyword is not in the signature"
