"""What an upgrade leaves for a person, in the order in which to look at it."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.check_codes import BLOCK_GONE, NOTHING_BINDS
from omni_codemods.findings.codes import UNBOUND_NAME
from omni_codemods.findings.model import Evidence, Outcome, Severity
from omni_codemods.functions.conflict_markers import HUNK
from omni_codemods.rebuild.line_map import line_map
from omni_codemods.sync.gained_methods import NEW_METHOD
from omni_codemods.text.dotted import owner_of
from omni_port.decisions.question import key_of
from omni_port.documents.rebase import EditValue, RebaseDocument
from omni_port.methods.translate_files import Translation
from omni_port.upgrade.carried_methods import MethodValue
from omni_port.upgrade.proposals import GUESSED, PROPOSAL, keys_of

_STALE = "the note names another revision than the one that the copy is made from now"
_STALE_HINT = "write the target's revision, or what the copy is really of"
_WORD = re.compile(r"\w+")


class Kind(enum.Enum):
    """What kind of thing is left; those of MUST have to be done before the upgrade is."""

    FAILED = "not carried"
    CONFLICT = "conflict"
    ORPHAN = "orphan"
    ERROR = "error"
    TASK = "task"
    GUESSED = "guessed place"
    DOUBLED = "code that may run twice"
    OVERRULED = "overruled upstream change"
    FOLLOWED = "block that went with the GPU sibling"
    PROPOSED = "proposed GPU change"
    WARNING = "warning"


MUST = (Kind.FAILED, Kind.CONFLICT, Kind.ORPHAN, Kind.ERROR)
# What came out as Python that runs and may be wrong all the same; under the strict policy a MUST.
ASKED = (Kind.DOUBLED, Kind.OVERRULED, Kind.FOLLOWED)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is left, at a line (1-based) of the file as it is now; 0 where it has none.

    *detail* are lines to show below it, *strict* says that the policy makes it something to decide.
    *key* is what it is known by where it can be decided, *number* its number then, else 0.
    """

    kind: Kind
    path: str
    line: int
    method: str
    message: str
    hint: str = ""
    detail: str = ""
    strict: bool = False
    key: str = ""
    number: int = 0

    @property
    def must(self) -> bool:
        """Whether it has to be done before the upgrade is."""
        return self.strict or self.kind in MUST


@dataclass(frozen=True, slots=True)
class Written:
    """A file with its methods' accounts: its text as the upgrade left it, and as it is *now*.

    *committed* says that it is in its repository as it is now.
    """

    path: str
    methods: Sequence[MethodValue]
    after: str
    now: str
    committed: bool = False

    @property
    def is_edited(self) -> bool:
        """Whether a person has worked on it since."""
        return self.after != self.now

    @property
    def is_settled(self) -> bool:
        """Whether a person has worked on it, or taken it as it is."""
        return self.is_edited or self.committed


def find_left(
    written: Sequence[Written],
    checked: Sequence[Translation],
    stale: Sequence[Sequence[int]] = (),
    asked: Collection[str] | None = None,
) -> tuple[Item, ...]:
    """Return what is left in the files, the most urgent first, then by place.

    *stale* are for each file the lines of notes that name another revision than the target.
    *asked* are the keys of what may be taken or left and is not yet; all, if it is not given.

    In a file that was edited or committed since, orphans and what could not be carried are taken
    as looked at; conflicts are those that the file still has.
    """
    items = [
        item
        for one in written
        for item in _items(one)
        if asked is None or not item.key or item.kind is Kind.CONFLICT or item.key in asked
    ]
    for one, check in zip(written, checked, strict=True):
        items += _checked(one, check, items)
    for one, lines in zip(written, stale, strict=False):
        items += [Item(Kind.WARNING, one.path, line, "", _STALE, _STALE_HINT) for line in lines]
    return in_order(items, written)


def in_order(items: Sequence[Item], written: Sequence[Written]) -> tuple[Item, ...]:
    """Return *items* in the order in which to look at them, each once."""
    kinds = list(Kind)
    files = [one.path for one in written]
    order = sorted(items, key=lambda i: (kinds.index(i.kind), files.index(i.path), i.line))
    return tuple(dict.fromkeys(order))


def _items(one: Written) -> Iterator[Item]:
    moved = line_map(one.after, one.now) if one.is_edited else (lambda line: line)
    reasons: dict[tuple[str, ...], tuple[str, str]] = {}
    for entry in one.methods:
        if entry.error is not None:
            kind = Kind.WARNING if one.is_settled else Kind.FAILED
            message = entry.error.message
            said = f"not carried: {message}" if one.is_settled else message
            yield Item(kind, one.path, 0, entry.name, said, entry.error.hint)
            continue
        account = entry.account
        if account is None:
            continue
        for conflict in account.conflicts:
            sides = (conflict.local, conflict.base, conflict.target)
            reasons[_key(sides)] = (account.method, conflict.reason)
        yield from _of_method(one, account, moved)
    for hunk in HUNK.finditer(one.now):
        line = one.now.count("\n", 0, hunk.start()) + 1
        sides = (hunk["local"], hunk["base"] or "", hunk["target"])
        method, reason = reasons.get(_key(sides), ("", "a conflict is left here"))
        hint = "decide between the sides"
        key = key_of(hunk)
        yield Item(Kind.CONFLICT, one.path, line, method, reason, hint, key=key)


def _key(sides: Sequence[str]) -> tuple[str, ...]:
    return tuple("".join(side.split()) for side in sides)


def _of_method(
    one: Written, account: RebaseDocument, moved: Callable[[int], int]
) -> Iterator[Item]:
    method = account.method
    strict = account.policy == "strict" and not one.is_settled
    for edit in account.edits:
        kind = _kind(edit, settled=one.is_settled)
        if kind is None and not (edit.overruled or edit.doubled or edit.followed):
            continue
        line = moved(edit.result.start) if edit.result else 0
        said = f"{edit.summary} ({edit.reason})"
        # What the sibling's class gained is said by whichever method came first.
        of = owner_of(method) if edit.change == NEW_METHOD else method
        keys = dict(keys_of(edit, of))
        if kind is not None:
            key = keys.get(PROPOSAL if kind is Kind.PROPOSED else GUESSED, "")
            yield Item(kind, one.path, line, of, said, key=key)
        asked = (
            (Kind.OVERRULED, edit.overruled),
            (Kind.DOUBLED, edit.doubled),
            (Kind.FOLLOWED, edit.followed),
        )
        for kind, detail in asked:
            if detail:
                said, key = edit.summary, keys[kind.value]
                yield Item(kind, one.path, line, method, said, "", detail, strict, key)
    for finding in account.findings:
        if finding.severity is not Severity.NOTE:
            line = moved(finding.line)
            said = f"{finding.code} {finding.message}"
            kind = Kind.ERROR if finding.severity is Severity.ERROR else Kind.WARNING
            if kind is Kind.WARNING or not one.is_edited:
                yield Item(kind, one.path, line, method, said, finding.hint)


def _kind(edit: EditValue, *, settled: bool) -> Kind | None:
    match edit.outcome:
        case Outcome.ORPHAN:
            return Kind.GUESSED if settled else Kind.ORPHAN
        case Outcome.PROPOSED:
            return Kind.PROPOSED
        case Outcome.CARRIED if edit.evidence is Evidence.GUESSED:
            return Kind.GUESSED
    return None


def _checked(one: Written, check: Translation, known: Sequence[Item]) -> Iterator[Item]:
    if check.error is not None:
        line = check.error.line or 0
        yield Item(Kind.ERROR, one.path, line, "", check.error.message, check.error.hint)
    mine = [i for i in known if i.path == one.path and i.kind in (Kind.CONFLICT, Kind.ERROR)]
    lines = {item.line for item in mine}
    # The rebase said of these names already that nothing binds them.
    unbound = {i.message.split()[1] for i in mine if i.message.startswith(UNBOUND_NAME.code)}
    for finding in check.result.findings if check.result else ():
        if finding.severity is Severity.NOTE or finding.line in lines:
            continue
        if finding.code == NOTHING_BINDS.code and unbound & set(_WORD.findall(finding.message)):
            continue
        # The upgrade loses no block: in a file that was edited since, a person took it out.
        taken_out = finding.code == BLOCK_GONE.code and one.is_settled
        error = finding.severity is Severity.ERROR and not taken_out
        said = f"{finding.code} {finding.message}"
        kind = Kind.ERROR if error else Kind.WARNING
        yield Item(kind, one.path, finding.line, "", said, finding.hint)
