"""What an upgrade proposes, and what it leaves to be looked at: as things to take or to leave."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.sync.gained_methods import NEW_METHOD
from omni_codemods.text.code_lines import code_of
from omni_codemods.text.dotted import owner_of
from omni_port.decisions.proposal import Part, Proposal, group
from omni_port.documents.plan import PlanDocument
from omni_port.documents.rebase import EditValue, FoundSide, RebaseDocument
from omni_port.upgrade.carried_methods import MethodValue

PROPOSAL = "proposal"
OVERRULED = "overruled upstream change"
DOUBLED = "code that may run twice"
FOLLOWED = "block that went with the GPU sibling"
GUESSED = "guessed place"
BACKLOG = "backlog"
_CARRIED = (Outcome.CARRIED, Outcome.MOVED)


@dataclass(frozen=True, slots=True)
class Told:
    """A file's methods, and where lines of their accounts are in its *text* as it is now."""

    path: str
    text: str
    methods: Sequence[MethodValue]
    moved: Callable[[int], int]


def find_proposals(told: Sequence[Told]) -> list[Proposal]:
    """Return what may be taken or left, unnumbered: proposals by their cause, then the rest."""
    found = [(kind, part) for one in told for kind, part in _parts(one)]
    return [
        one
        for kind in (PROPOSAL, OVERRULED, DOUBLED, FOLLOWED, GUESSED)
        for one in group((part for k, part in found if k == kind), kind)
    ]


def find_backlog_items(plan: PlanDocument | None) -> list[Proposal]:
    """Return what the siblings had before the upgrade and the ports lack, unnumbered."""
    parts = (
        Part(
            one.key,
            one.path,
            one.method,
            0,
            f"{one.source}:{one.start}-{one.end}",
            (one.start, one.end),
            textwrap.dedent(one.code),
            next((x.strip() for x in one.code.splitlines() if x.strip()), ""),
            "the sibling has had it since before the upgrade",
        )
        for one in (plan.backlog if plan is not None else ())
    )
    return group(parts, BACKLOG)


def keys_of(edit: EditValue, method: str) -> Iterator[tuple[str, str]]:
    """Yield what *edit* of *method* has to be decided, as its kind and the key of that."""
    if edit.outcome is Outcome.PROPOSED:
        yield PROPOSAL, edit.key or _digest(PROPOSAL, method, edit.summary)
    if edit.overruled:
        yield OVERRULED, _digest(OVERRULED, method, edit.summary, edit.overruled)
    if edit.doubled:
        yield DOUBLED, _digest(DOUBLED, method, edit.summary, edit.doubled)
    if edit.followed:
        yield FOLLOWED, _digest(FOLLOWED, method, edit.summary, edit.followed)
    if edit.outcome in _CARRIED and edit.evidence is Evidence.GUESSED:
        yield GUESSED, _digest(GUESSED, method, edit.summary, edit.reason)


def _digest(*parts: str) -> str:
    known = "\0".join(code_of(part) for part in parts)
    return hashlib.sha256(known.encode()).hexdigest()[:12]


def _parts(told: Told) -> Iterator[tuple[str, Part]]:
    for method in told.methods:
        account = method.account
        for edit in method.edits if account is not None else ():
            assert account is not None
            # What the sibling's class gained is said by whichever method came first.
            name = account.method
            name = owner_of(name) if edit.change == NEW_METHOD else name
            for kind, key in keys_of(edit, name):
                yield kind, _part(told, account, name, edit, kind, key)


def _part(
    told: Told, account: RebaseDocument, name: str, edit: EditValue, kind: str, key: str
) -> Part:
    code = {
        PROPOSAL: edit.proposed,
        OVERRULED: edit.overruled,
        DOUBLED: edit.doubled,
        FOLLOWED: edit.followed,
    }
    side, lines = account.sides.gpu_target, edit.sibling
    source = ""
    if lines is not None and isinstance(side, FoundSide):
        source = f"{side.path}:{lines.start}-{lines.end}"
    return Part(
        key,
        told.path,
        name,
        told.moved(edit.result.start) if edit.result else 0,
        source,
        (lines.start, lines.end) if lines is not None else (0, 0),
        code.get(kind, ""),
        edit.summary,
        edit.reason,
        edit.cause if kind == PROPOSAL else "",
        "" if kind == PROPOSAL else _ours(told, edit),
    )


def _ours(told: Told, edit: EditValue) -> str:
    """The local lines that the edit is about, without their margin."""
    if edit.result is None:
        return ""
    first, last = told.moved(edit.result.start), told.moved(edit.result.end)
    lines = told.text.splitlines(keepends=True)[max(0, first - 1) : last]
    return textwrap.dedent("".join(lines))
