"""One method that was rebased or synced, as the review shows it."""

from __future__ import annotations

from omni_port.documents.common import this_tool
from omni_port.documents.rebase import make_rebase_document
from omni_port.methods.account import Account
from omni_port.report.rebase_text import render_closing
from omni_port.review.given import Given, ReviewedFile, ReviewedMethod


def make_single(account: Account) -> Given:
    """Return what the review of one method shows."""
    result, local = account.result, account.local
    target = account.sides.get("target")
    method = ReviewedMethod(
        result.method,
        "" if target is None else str(target.address),
        render_closing(account),
        make_rebase_document(account),
        result.traces,
    )
    before, after = local.source.text, result.text
    file = ReviewedFile(local.address.path, before, after, after, (method,))
    return Given(f"{account.command} {result.method}", this_tool().version, "", (file,))
