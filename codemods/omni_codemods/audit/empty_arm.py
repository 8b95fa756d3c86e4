"""An arm with nothing but ``pass``, which no version that went in had (OP314)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Side
from omni_codemods.findings.audit_codes import EMPTY_ARM
from omni_codemods.findings.model import Finding


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each suite of ``pass`` alone where the inputs have code in that arm."""
    result = audited.result
    empty = list(_empty(result))
    if not empty:
        return
    left = _known(audited)
    for arm, node in empty:
        left[arm] -= 1
        if left[arm] < 0 and not result.is_in_hunk(node):
            yield found(
                EMPTY_ARM,
                result.place_of(node),
                "nothing but pass is left here, and in no version that went in",
                node.col_offset,
            )


def _known(audited: Audited) -> Counter[tuple[str, str]]:
    out: Counter[tuple[str, str]] = Counter()
    for side in audited.inputs:
        out |= Counter(arm for arm, _ in _empty(side))
    return out


def _empty(side: Side) -> Iterator[tuple[tuple[str, str], ast.Pass]]:
    """Each suite that is ``pass`` alone, with the header and the arm that it is of."""
    if "pass" not in side.text:
        return
    for key, name, suite in side.arms():
        only = suite[0]
        if len(suite) == 1 and isinstance(only, ast.Pass):
            yield (key, name), only


_BASE = "def f(self, n):\n    a = self.a(n)\n    return a\n"
_ARMS = "    if self.fast:\n        a = self.a2(n)\n    else:\n        {}\n"

RULE = Rule(
    EMPTY_ARM,
    check,
    Example(
        base=_BASE,
        local=_BASE,
        target=_BASE.replace("    a = self.a(n)\n", _ARMS.format("a = self.a(n)")),
        wrong=_BASE.replace("    a = self.a(n)\n", _ARMS.format("pass")),
        right=_BASE.replace("    a = self.a(n)\n", _ARMS.format("a = self.a(n)")),
    ),
)
