"""Accounts whose text has moved on: their lines are those of the text as it is then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from omni_port.documents.common import Lines
from omni_port.documents.rebase import EditValue, RebaseDocument
from omni_port.upgrade.carried_methods import MethodValue

ToLine = Callable[[int], int]


def move_methods(methods: Sequence[MethodValue], lines: ToLine) -> tuple[MethodValue, ...]:
    """Return *methods* with every line of the result moved by *lines*."""
    return tuple(
        one
        if one.account is None
        else msgspec.structs.replace(one, account=move_account(one.account, lines))
        for one in methods
    )


def move_account(account: RebaseDocument, lines: ToLine) -> RebaseDocument:
    """Return *account* with every line of the result moved by *lines*."""
    conflicts = (msgspec.structs.replace(c, line=lines(c.line)) for c in account.conflicts)
    findings = (msgspec.structs.replace(f, line=lines(f.line)) for f in account.findings)
    return msgspec.structs.replace(
        account,
        edits=tuple(move_edit(edit, lines) for edit in account.edits),
        conflicts=tuple(conflicts),
        findings=tuple(findings),
    )


def move_edit(edit: EditValue, lines: ToLine) -> EditValue:
    """Return *edit* with its place in the result moved by *lines*."""
    if edit.result is None:
        return edit
    moved = Lines(lines(edit.result.start), lines(edit.result.end))
    return msgspec.structs.replace(edit, result=moved)
