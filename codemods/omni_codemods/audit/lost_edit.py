"""Code of an edit that the result lacks, and nothing accounts for (OP311)."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from omni_codemods.audit.counting import covering, is_told, lost_rows, other_rows, was_dropped
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, canonical
from omni_codemods.findings.audit_codes import EDITED_LINE_LOST
from omni_codemods.findings.model import Finding


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each row of the edited version that is neither there nor accounted for.

    It is accounted for where it is base's, and the frame took the same code out; where an edit that
    covers it says that it is not in the text (absorbed, proposed, a conflict, an orphan); and where
    it was merged with a change of the same statement.
    """
    lost = lost_rows(audited.edited, audited)
    if not lost:
        return
    others = functools.cache(lambda: other_rows(audited, audited.edited))
    for one in lost:
        row = one.row
        if was_dropped(one, audited.base, audited.frame):
            continue
        # Which of several rows with one code is gone is not known.
        alike = [
            r
            for r in audited.edited.by_flat[row.flat]
            if canonical(r.source) == canonical(row.source)
        ]
        if sum(_is_told(audited, r) for r in alike) >= one.lacks or others().hold(row):
            continue
        head = row.source.strip().split("\n")[0]
        yield found(
            EDITED_LINE_LOST,
            _near(audited, row),
            f"{audited.job.edited} has this at line {audited.edited.place(row)}, and it is "
            f"neither in the result nor in the account: {head}",
        )


def _is_told(audited: Audited, row: Row) -> bool:
    uncarried = audited.job.partial and not any(covering(audited, row))
    return uncarried or is_told(audited, row)


def _near(audited: Audited, row: Row) -> int:
    places = [one.result.start for one in covering(audited, row) if one.result is not None]
    return places[0] if places else audited.result.start


_BASE = "def f(self, n):\n    a = self.a(n)\n    b = self.b(a)\n    return b\n"

RULE = Rule(
    EDITED_LINE_LOST,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("    b = ", "    self.mine(a)\n    b = "),
        target=_BASE.replace("    b = ", "    a = self.scale(a)\n    b = "),
        wrong=_BASE.replace("    b = ", "    a = self.scale(a)\n    b = "),
        right=_BASE.replace("    b = ", "    a = self.scale(a)\n    self.mine(a)\n    b = "),
    ),
)
