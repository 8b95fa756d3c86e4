"""Fences that are not the local ones any more (OP316)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Side
from omni_codemods.findings.audit_codes import FENCES_DIFFER
from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import EditKind, Finding, Outcome
from omni_codemods.functions.fences import NEEDLE, Fences, parse_fences
from omni_codemods.names.reads import as_module

_DASHES = re.compile(r"#\s*-{10,}\s*$")


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding where the result, resolved to local, has other blocks than local.

    Those that the account calls absorbed may be gone, whole, and those whose code followed the
    sibling into nothing.
    """
    local, result = audited.copy, audited.result
    before = _comments(local)
    if before == _comments(result) and not result.hunks:
        return
    result = audited.either()[-1]
    if before == _comments(result):
        return
    old, new = _parse(local), _parse(result)
    if old is None or new is None:
        return
    gone = sum(
        one.edit.kind is EditKind.BLOCK and one.outcome is Outcome.ABSORBED for one in audited.edits
    ) + _followed(audited, old)
    orphans = [f for f in new.findings if f.code == "OP201"]
    if len(orphans) > sum(f.code == "OP201" for f in old.findings):
        line = orphans[0].line - _above(result) + result.start - 1
        yield found(FENCES_DIFFER, line, f"this fence has lost its partner: {orphans[0].message}")
    elif not len(old.blocks) - gone <= len(new.blocks) <= len(old.blocks):
        yield found(
            FENCES_DIFFER,
            result.start,
            f"local has {len(old.blocks)} blocks here, of which {gone} are absorbed; the result "
            f"has {len(new.blocks)}",
        )


def _followed(audited: Audited, old: Fences) -> int:
    """How many blocks of *old* hold nothing but what the account says that the sibling took out."""
    said = {
        line[1:].strip()
        for one in audited.edits
        for line in one.followed.splitlines()
        if line.startswith("-")
    }
    if not said:
        return 0
    lines = [line.strip() for line in as_module(audited.copy.text).split("\n")]
    held = [
        [
            x
            for x in lines[
                b.span.start - (b.closing is None) : b.span.end - (b.closing is not None)
            ]
            if x
        ]
        for b in old.blocks
    ]
    return sum(bool(each) and said.issuperset(each) for each in held)


def _comments(side: Side) -> list[str]:
    """The lines that may be fences, in order, without their indentation."""
    text = side.text
    if "#" not in text or not NEEDLE.search(text):
        return []
    return [
        line.strip()
        for line in text.split("\n")
        if "#" in line and (NEEDLE.search(line) or _DASHES.search(line))
    ]


def _parse(side: Side) -> Fences | None:
    try:
        return parse_fences(as_module(side.text))
    except SourceError:
        return None


def _above(side: Side) -> int:
    return as_module(side.text).count("\n") - side.text.count("\n")


_BASE = "def f(self, n):\n    a = self.a(\n        n,\n        seq=1,\n    )\n    return a\n"
_FENCE = "        # ---- Omni-new ----\n"

RULE = Rule(
    FENCES_DIFFER,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace(
            "        seq=1,\n", f"{_FENCE}        mine=n,\n{_FENCE}        seq=1,\n"
        ),
        target=_BASE.replace("        seq=1,\n", ""),
        wrong=_BASE.replace("        seq=1,\n", f"{_FENCE}        mine=n,\n"),
        right=_BASE.replace("        seq=1,\n", f"{_FENCE}        mine=n,\n{_FENCE}"),
    ),
)
