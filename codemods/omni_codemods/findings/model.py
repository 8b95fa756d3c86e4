"""The values that the library takes and returns, frozen, and without behaviour.

Positions are 1-based lines and 0-based columns (in characters), as in :mod:`ast`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Severity(enum.Enum):
    """How much a :class:`Finding` weighs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One reported fact: a stable code, where it stands, what it means, what to do."""

    code: str
    line: int
    column: int
    message: str
    hint: str = ""
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class Change:
    """One piece of text that a translation replaced.

    *entry* is the identifier of the table entry that asked for it; *line* and *column* are
    positions in the text as it was. *status* is ``conditional`` where the entry holds under a
    condition that nothing here can see, else ``safe``.
    """

    entry: str
    line: int
    column: int
    before: str
    after: str
    status: str = "safe"


@dataclass(frozen=True, slots=True)
class TranslateResult:
    """What :func:`omni_codemods.translate` returns.

    *kept* are names that look translatable and were left on purpose, one finding each
    (severity ``note``); *findings* are what a person must look at.
    """

    text: str
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()
    kept: tuple[Finding, ...] = ()


class Outcome(enum.Enum):
    """What became of one edit."""

    CARRIED = "carried"
    MOVED = "moved"
    ABSORBED = "absorbed"
    CONFLICT = "conflict"
    ORPHAN = "orphan"
    PROPOSED = "proposed"
    FOLLOWED = "followed"


class Evidence(enum.Enum):
    """How sure a placement is."""

    EXACT = "exact"
    MOVED = "moved"
    GUESSED = "guessed"


class EditKind(enum.Enum):
    """Whether an edit is fenced (ours on purpose), is not, or is a change of the GPU sibling."""

    BLOCK = "block"
    DRIFT = "drift"
    SIBLING = "sibling"


@dataclass(frozen=True, slots=True)
class Span:
    """Lines *start* to *end*, both 1-based and inclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One block or one piece of drift of the local function.

    *span* is in the local file; for code that local deleted it is the line before the gap.
    *change* is ``insertion``, ``replacement``, ``deletion``, ``modification`` or ``wrap``.
    *summary* is the first line of code (or of the deleted code), stripped.

    A change of the GPU sibling (:attr:`EditKind.SIBLING`) has its *span* in the sibling's newer
    file; its *change* may also be ``new method``.
    """

    kind: EditKind
    change: str
    span: Span
    summary: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """An edit with its outcome.

    *reason* says in words what the placement rests on. *result* is where the edit stands in
    the result (for an absorbed edit: what says the same there), ``None`` for a deletion.
    *overruled* is the unified diff, base to target, of an upstream change that the edit
    overrides; empty where there is none. *proposed* is code that is not in the text, translated
    and without its margin: what the edit would put there (outcome ``proposed`` alone). *doubled*
    is code of the target that the edit has too and that now runs beside it; empty where none does.
    *followed* is the unified diff of what stood in a block of the NPU copy, word for word as in
    the older sibling, and changed with the sibling; empty where nothing did.
    *key* names a proposal by its code, *cause* what it hangs together with: proposals of one cause
    are taken or left together.
    """

    edit: Edit
    outcome: Outcome
    evidence: Evidence
    reason: str
    result: Span | None = None
    overruled: str = ""
    proposed: str = ""
    doubled: str = ""
    followed: str = ""
    key: str = ""
    cause: str = ""

    @property
    def asks(self) -> bool:
        """Whether it overrules an upstream change, upstream code runs a second time beside it, or
        it changed what a block holds.

        All come out as Python that runs, and each may be wrong: a person has to look.
        """
        return bool(self.overruled or self.doubled or self.followed)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something a person must decide; in the text it is a diff3 hunk starting at *line*."""

    line: int
    local: str
    base: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class TracedLine:
    """A line of a rebuilt function, and the lines of its file that it stands for: 0 for none.

    *local* is a line of the local file, *target* one of the target's. A line of both is one that
    the two have, or a line of the one that took the place of the other's.
    """

    text: str
    local: int = 0
    target: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """A function as it was rebuilt, line by line, before imports and a sync: where all came from.

    *base* and *target* are the texts of the upstream's two versions, each with the line of its
    file that it starts on; *local* are the function's lines in the local file.
    """

    local: Span
    base: str
    base_start: int
    target: str
    target_start: int
    lines: tuple[TracedLine, ...]


@dataclass(frozen=True, slots=True)
class RebaseResult:
    """What :func:`omni_codemods.rebase_method` returns.

    *text* is the whole local file with the one function and the imports that it needs rebuilt.
    *imports_added* and *imports_removed* are import statements as text. *strict* is the policy.
    *traces* say of each definition that was rebuilt where its lines came from.
    """

    text: str
    method: str
    edits: tuple[EditOutcome, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    findings: tuple[Finding, ...] = ()
    imports_added: tuple[str, ...] = ()
    imports_removed: tuple[str, ...] = ()
    strict: bool = False
    traces: tuple[Trace, ...] = ()

    @property
    def needs_person(self) -> bool:
        """Whether a conflict, an orphan, or a finding that is an error is left for a person.

        Where the policy is *strict*, also whatever :attr:`EditOutcome.asks`.
        """
        undecided = (Outcome.CONFLICT, Outcome.ORPHAN)
        return (
            bool(self.conflicts)
            or (self.strict and any(e.asks for e in self.edits))
            or any(e.outcome in undecided for e in self.edits)
            or any(f.severity is Severity.ERROR for f in self.findings)
        )


class FenceKind(enum.Enum):
    """What a fence does: open, close, or mark the one line (or element) that it trails."""

    OPENING = "opening"
    CLOSING = "closing"
    TRAILING = "trailing"


@dataclass(frozen=True, slots=True)
class Fence:
    """One marker comment: where it stands, and what it was read as."""

    kind: FenceKind
    dialect: str
    line: int
    column: int
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences (both included in *span*), or on a line with a trailing one.

    *scope* is the dotted name of the innermost function or class, empty at module level.
    """

    opening: Fence
    closing: Fence | None
    span: Span
    scope: str
