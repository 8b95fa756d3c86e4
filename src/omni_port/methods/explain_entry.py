"""Why a name is translated, or is not."""

from __future__ import annotations

from omni_codemods.findings.suggest import find_close
from omni_codemods.table.entries import (
    DroppedKeyword,
    Entry,
    Keyword,
    Namespace,
    NeededKeyword,
    Report,
)
from omni_codemods.table.table import Table, TableFile
from omni_codemods.text.dotted import first_part, last_part


def find_entries(file: TableFile, name: str) -> list[Entry]:
    """Return the entries of all releases that *name* is about.

    *name* is an entry's id, a GPU or NPU name, its last part, or a member of a namespace or of
    what the table reports; what says most about it comes first.
    """
    found = [entry for entry in file.entries if _concerns(entry, name)]
    above = [e for e in file.entries if isinstance(e, Report) and name.startswith(f"{e.gpu}.")]
    return [*found, *sorted(above, key=lambda entry: -len(entry.gpu))]


def _concerns(entry: Entry, name: str) -> bool:
    names = {entry.id, entry.gpu, entry.npu.replace(":", "."), entry.accelerator, entry.platform}
    if name in names:
        return True
    if isinstance(entry, Namespace) and _member_of(entry, name):
        return True
    return bool(name) and any(
        other.endswith(f".{name}") for other in (entry.gpu, entry.npu.replace(":", "."))
    )


def close_names(file: TableFile, name: str) -> list[str]:
    """Return GPU names of the table that resemble *name*."""
    last = last_part(name)
    by_last = {last_part(entry.gpu): entry.gpu for entry in file.entries if entry.gpu}
    return [by_last[close] for close in find_close(last, by_last)]


def render_entry(entry: Entry, table: Table, name: str) -> str:
    """Return what *entry* says, whether it holds for the target of *table*, and its source."""
    holds = any(entry.id == other.id for other in table.entries)
    lines = [f"{entry.id} ({entry.kind}, {entry.status})", f"  {_rule(entry, name)}"]
    lines += [
        f"  {dialect}: {answer}"
        for dialect, answer in (("accelerator", entry.accelerator), ("platform", entry.platform))
        if answer
    ]
    target = table.target or "every release"
    lines.append(f"  releases: {render_range(entry)}; {'holds' if holds else 'not'} for {target}")
    if entry.gpu_since or entry.gpu_until:
        gpu = _render_bounds(entry.gpu_since, entry.gpu_until)
        lines.append(f"  releases that have the GPU name: {gpu}")
    if entry.note:
        lines.append(f"  note: {entry.note}")
    if entry.source:
        lines.append(f"  source: {entry.source}")
    return "\n".join(lines)


def render_range(entry: Entry) -> str:
    """Return the releases in which *entry* holds, in words."""
    return _render_bounds(entry.since, entry.until)


def _render_bounds(since: str, until: str) -> str:
    if since and until:
        return f"{since} to {until}"
    if since:
        return f"from {since}"
    return f"up to {until}" if until else "all"


def _rule(entry: Entry, name: str) -> str:
    if isinstance(entry, Namespace) and (member := _member_of(entry, name)):
        return _say_member(entry, member)
    gpu, npu = entry.gpu, entry.npu
    if isinstance(entry, Keyword):
        return f"{entry.callee}({gpu}=) becomes {npu}="
    if isinstance(entry, DroppedKeyword):
        return f"{entry.callee}({gpu}=) is dropped and reported: the NPU callee does not take it"
    if isinstance(entry, NeededKeyword):
        return f"{entry.callee}: the NPU callee has {npu}="
    if entry.kind == "leave":
        return f"{gpu} stays"
    if entry.kind == "report" or not npu:
        return f"{gpu} is left and reported: a person must look at it"
    return f"{gpu} becomes {npu}"


def _member_of(entry: Namespace, name: str) -> str:
    """The member of the namespace that *name* is, by its GPU name, NPU name, or id."""
    heads = (f"{head}." for head in (entry.gpu, entry.npu, entry.id))
    return next((name[len(head) :] for head in heads if name.startswith(head)), "")


def _say_member(entry: Namespace, member: str) -> str:
    if first_part(member) in entry.same:
        return f"{entry.gpu}.{member} becomes {entry.npu}.{member}"
    return (
        f"{entry.gpu}.{member} is not among the members of {entry.gpu} that keep their names: "
        "unless another entry has it, it is left and reported"
    )
