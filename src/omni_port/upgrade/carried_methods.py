"""What became of the methods of a file: what the state keeps and the reports read."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from omni_codemods.findings.model import Outcome, Trace
from omni_port.base.words import count
from omni_port.documents.common import ErrorValue, Value, make_error
from omni_port.documents.rebase import EditValue, RebaseDocument, make_rebase_document
from omni_port.upgrade.port_files import Carried, CarriedFile


class MethodValue(Value, frozen=True):
    """A method: *account* of what became of it, or the *error* why it could not be carried."""

    name: Annotated[str, Meta(description="the local qualified name")]
    port: str
    upstream: str
    method: str
    is_copy: Annotated[bool, Meta(description="rebased and synced; else only synced")]
    account: Annotated[
        RebaseDocument | None,
        Meta(description="its lines are those of the old and of the new file"),
    ]
    error: ErrorValue | None

    @property
    def edits(self) -> tuple[EditValue, ...]:
        """The edits of its account, none where it has none."""
        return () if self.account is None else self.account.edits


def make_methods(file: CarriedFile) -> tuple[MethodValue, ...]:
    """Return one entry a method, in the order of the file."""
    return tuple(map(_method, file.methods))


def make_traces(file: CarriedFile) -> dict[str, tuple[Trace, ...]]:
    """Return where the lines of the rebased methods came from, by qualified name."""
    return {
        one.job.name: one.account.result.traces
        for one in file.methods
        if one.account is not None and one.account.result.traces
    }


def _method(one: Carried) -> MethodValue:
    job = one.job
    return MethodValue(
        job.name,
        job.port.name,
        str(job.port.upstream),
        job.method,
        job.is_copy,
        None if one.account is None else make_rebase_document(one.account),
        None if one.error is None else make_error(one.error),
    )


def summarise_method(method: MethodValue) -> str:
    """Return in a few words what became of a method."""
    if method.error is not None:
        return f"not carried: {method.error.message}"
    outcomes = [f"{number} {name}" for name, number in _counts(method).items() if number]
    if method.account is not None and method.account.conflicts:
        outcomes.append(count(len(method.account.conflicts), "conflict hunk"))
    what = "rebased" if method.is_copy else "synced"
    return f"{what}; {', '.join(outcomes) or 'no local edits'}"


def _counts(method: MethodValue) -> dict[str, int]:
    if method.account is None:
        return {}
    return {one.value: getattr(method.account.summary, one.value) for one in Outcome}
