"""Code of the frame that the result lacks, and nothing accounts for (OP310)."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from omni_codemods.audit.counting import lost_rows, other_rows, was_dropped
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, squeezed
from omni_codemods.findings.audit_codes import FRAME_LINE_LOST
from omni_codemods.findings.model import Finding, Outcome


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each row of the frame that is neither there nor accounted for.

    It is accounted for where the edited version took the same code out of base and the account has
    an edit that takes code out; where an edit's overruled change shows it; and where it was merged
    with an edit of the same statement.
    """
    lost = lost_rows(audited.frame, audited)
    if not lost:
        return
    others = functools.cache(lambda: other_rows(audited, audited.frame))
    overruled = _overruled(audited)
    known = frozenset(squeezed(line) for line in audited.base.text.splitlines())
    takes_out = any(
        one.edit.change != "insertion" and one.outcome is not Outcome.PROPOSED
        for one in audited.edits
    )
    for one in lost:
        row = one.row
        if takes_out and was_dropped(one, audited.base, audited.edited):
            continue
        if _is_shown(row, overruled, known) or others().hold(row):
            continue
        head = row.source.strip().split("\n")[0]
        yield found(
            FRAME_LINE_LOST,
            _near(audited, row),
            f"{audited.job.frame} has this at line {audited.frame.place(row)}, and it is neither "
            f"in the result nor in the account: {head}",
        )


def _overruled(audited: Audited) -> frozenset[str]:
    """The lines of all upstream changes that edits overruled, without layout."""
    return frozenset(
        squeezed(line[1:]) for one in audited.edits for line in one.overruled.splitlines()
    )


def _is_shown(row: Row, overruled: frozenset[str], known: frozenset[str]) -> bool:
    """Whether the report shows what is new of *row* against the lines of base, *known*."""
    lines = {squeezed(line) for line in row.source.splitlines()} - {""}
    fresh = lines - known
    return bool(lines & overruled) and fresh <= overruled


def _near(audited: Audited, row: Row) -> int:
    """The line of the result that the row would stand below."""
    result = audited.result
    above = [r for r in audited.frame.rows if r.line < row.line and r.key in result.by_key]
    if not above:
        return result.start
    return result.place(result.by_key[above[-1].key][0])


_BASE = "def f(self, n):\n    a = self.a(n)\n    b = self.b(a)\n    return b\n"

RULE = Rule(
    FRAME_LINE_LOST,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("    b = ", "    self.mine(a)\n    b = "),
        target=_BASE.replace("    b = ", "    a = self.scale(a)\n    b = "),
        wrong=_BASE.replace("    b = ", "    self.mine(a)\n    b = "),
        right=_BASE.replace("    b = ", "    a = self.scale(a)\n    self.mine(a)\n    b = "),
    ),
)
