"""Code that has left the branch, loop or guard that it was put under (OP318)."""

from __future__ import annotations

from collections.abc import Iterator

from omni_codemods.audit.counting import covering
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, Side
from omni_codemods.findings.audit_codes import LEFT_ITS_BRANCH
from omni_codemods.findings.model import Evidence, Finding


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each row that stands outside of a header it stood under.

    Only what is beyond doubt counts: the row and the header stand once in every version that has
    them, the header is in the result, and no other version took the one out of the other. Where an
    edit that covers the row is not placed exactly, the report says so already.
    """
    told: set[str] = set()
    for side, name in ((audited.frame, audited.job.frame), (audited.edited, audited.job.edited)):
        other = audited.edited if side is audited.frame else audited.frame
        for rows in side.by_key.values():
            row = rows[0]
            now = _only(audited.result, row.key)
            if len(rows) > 1 or not row.path or now is None or row.path == now.path:
                continue
            if audited.result.hunks.intersection(range(now.line, now.end + 1)):
                continue
            if len(other.by_key.get(row.key, ())) > 1 or _is_guessed(audited, row, side):
                continue
            if row.key not in told and (left := _left(audited, row, now, other)):
                told.add(row.key)
                yield found(
                    LEFT_ITS_BRANCH,
                    audited.result.place(now),
                    f"in {name} this stands under {left} (line {side.place(row)}), and here not: "
                    f"{now.source.strip().splitlines()[0]}",
                )


def _left(audited: Audited, row: Row, now: Row, other: Side) -> str:
    """The first header of *row* that it is not under any more, though it is there."""
    before = _only(audited.base, row.key)
    there = _only(other, row.key)
    if (before is None) != (row.key not in audited.base.by_key):
        return ""
    if before is None and there is not None:  # both brought it, each to its place
        return ""
    # What base had there too may have been taken out of it by the other version.
    old = () if before is None else set(before.path) - set(() if there is None else there.path)
    for header in row.path:
        key, arm = header
        if header in now.path or header in old or key == "try:":
            continue
        if all(len(side.by_key.get(key, ())) <= 1 for side in (*audited.inputs, audited.result)):
            head = _only(audited.result, key)
            if head is not None:
                shown = " ".join(head.source.partition("#")[0].split()).rstrip(":")[:60]
                return f"the else of {shown}" if arm == "orelse" else shown
    return ""


def _only(side: Side, key: str) -> Row | None:
    rows = side.by_key.get(key, ())
    return rows[0] if len(rows) == 1 else None


def _is_guessed(audited: Audited, row: Row, side: Side) -> bool:
    if side is audited.frame:
        return False
    return any(one.evidence is not Evidence.EXACT for one in covering(audited, row))


_BASE = "def f(self, n):\n    if self.a:\n        self.b(n)\n    return n\n"

RULE = Rule(
    LEFT_ITS_BRANCH,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("    return", "    self.mine(n)\n    return"),
        target=_BASE.replace("    return", "        self.theirs(n)\n    return"),
        wrong=_BASE.replace("    return", "    self.theirs(n)\n    self.mine(n)\n    return"),
        right=_BASE.replace("    return", "        self.theirs(n)\n    self.mine(n)\n    return"),
    ),
)
