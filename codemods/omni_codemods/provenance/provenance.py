"""From which version of the upstream was a local method copied?

The base is the version that leaves the least difference outside of blocks. Differences are
counted in tokens, on the ledger that a rebase would work with; comments and layout count nothing.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.functions.account import Account
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import shared
from omni_codemods.functions.diff import Entry, Ledger, Role, make_ledger
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.rebuild.splice import parse
from omni_codemods.sources.classes import own_methods
from omni_codemods.text.canonical import normal_tokens
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located, definitions, locate

# Below this share of the upstream's code, a local method is its own and no copy.
COPY = 0.35


@dataclass(frozen=True, slots=True)
class Candidate:
    """One version of the upstream file: its *name* in the answer, its text, and the class.

    Without a class, it is the one called as the local class or a base of it, or else the only
    one that has the method. With a *method*, each local one is compared with that.
    """

    name: str
    text: str
    cls: str | None = None
    method: str | None = None


@dataclass(frozen=True, slots=True)
class Rank:
    """Candidates that fit equally well.

    *drift* is what differs outside of blocks, *beside* what local lacks where a block stands
    (which may have replaced it): both in tokens. *copied* is the share of the upstream's code
    that local has. *same_code* says that the method is the same in all of *names*.
    """

    names: tuple[str, ...]
    drift: int
    beside: int
    copied: float
    same_code: bool


@dataclass(frozen=True, slots=True)
class MethodProvenance:
    """A local method (*qualname*, first line *line*, 1-based), with its candidates, best first.

    *lacking* are the candidates without such a method.
    """

    qualname: str
    line: int
    ranks: tuple[Rank, ...]
    lacking: tuple[str, ...] = ()

    @property
    def best(self) -> Rank:
        """The candidates with the least difference."""
        return self.ranks[0]

    @property
    def is_copy(self) -> bool:
        """Whether local has enough of the best candidate's code to be called a copy of it."""
        return self.best.copied >= COPY

    @property
    def margin(self) -> int | None:
        """How many tokens more the next best differs, ``None`` where there is no other."""
        if len(self.ranks) < 2:
            return None
        one, other = self.ranks[:2]
        return other.drift + other.beside - one.drift - one.beside


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one local function fits one of upstream; see :class:`Rank` for the numbers."""

    drift: int
    beside: int
    copied: float

    @property
    def left(self) -> int:
        """How many tokens differ, drift and what is missing beside blocks together."""
        return self.drift + self.beside

    @property
    def is_copy(self) -> bool:
        """Whether local has enough of the upstream's code to be called a copy of it."""
        return self.copied >= COPY


def find_fit(local: Located, upstream: Located) -> Fit:
    """Compare two functions, whatever their names; raises SourceError for either."""
    return Fit(*_score(local, upstream))


@functools.lru_cache(maxsize=512)
def _score(local: Located, upstream: Located) -> _Score:
    # A survey asks for the same pair as copy, as version and once more at the right revision.
    return _local(local).score(upstream)


@functools.lru_cache(maxsize=8)
def _local(where: Located) -> _Local:
    return _Local(where)


def rank_versions(local: Located, versions: Sequence[tuple[str, Located]]) -> tuple[Rank, ...]:
    """Rank *versions* of an upstream function, by name, for the one local function; best first.

    Their own names do not matter. Raises SourceError.
    """
    names: dict[str, list[str]] = {}
    located = {}
    for name, upstream in versions:
        names.setdefault(upstream.text, []).append(name)
        located[upstream.text] = upstream
    scores = [(_score(local, located[text]), told) for text, told in names.items()]
    return tuple(_ranks(scores))


def find_provenance(
    local: str,
    candidates: Iterable[Candidate],
    *,
    local_class: str | None = None,
    methods: Sequence[str] = (),
) -> tuple[MethodProvenance, ...]:
    """Rank *candidates* for each method of *local_class* (default: of every class of *local*).

    With *methods*, only for those, and raises MethodNotFound for one that local or every
    candidate lacks. Raises SourceError for text that is not Python; its *side* names the input.
    """
    gathered = [
        _Versions(locate(local, name, owner, side="local"), (last_part(owner), *bases))
        for owner, bases in _classes(local, local_class)
        for name in own_methods(local, owner)
        if not methods or name in methods
    ]
    # A candidate at a time: each is parsed once.
    for candidate in candidates:
        for one in gathered:
            one.add(candidate)
    found = [one.ranked() for one in gathered if one.located]
    known = {last_part(one.qualname) for one in found}
    for name in methods:
        if name not in known:
            locate(local, name, local_class, side="local")
            message = f"no candidate has a method {name}"
            raise MethodNotFound(message, hint="name the class: PATH::CLASS", side="upstream")
    return tuple(sorted(found, key=lambda one: one.line))


def _classes(local: str, wanted: str | None) -> list[tuple[str, list[str]]]:
    """The local classes to look at, each with the last parts of the names of its bases."""
    every = [d for d in definitions(local, "local") if d.is_class]
    chosen = [d for d in every if wanted in (None, d.qualname, last_part(d.qualname))]
    if not chosen:
        names = ", ".join(d.qualname for d in every)
        hint = f"it has {names}" if names else "provenance compares the methods of a class"
        raise MethodNotFound(f"no class {wanted or ''}".rstrip(), hint=hint, side="local")
    return [(d.qualname, [last_part(b) for b in d.bases]) for d in chosen]


class _Versions:
    """The versions of one method among the candidates, equal ones together."""

    def __init__(self, where: Located, owners: Sequence[str]) -> None:
        self._where = where
        self._owners = owners
        self._names: dict[str, list[str]] = {}
        self._lacking: list[str] = []
        self.located: dict[str, Located] = {}

    def add(self, candidate: Candidate) -> None:
        """Look the method up in *candidate*."""
        found = _find(candidate, last_part(self._where.qualname), self._owners)
        if found is None:
            self._lacking.append(candidate.name)
            return
        self._names.setdefault(found.text, []).append(candidate.name)
        self.located[found.text] = found

    def ranked(self) -> MethodProvenance:
        """Compare local with each version."""
        mine = _Local(self._where)
        scores = [(mine.score(self.located[text]), names) for text, names in self._names.items()]
        where = self._where
        ranks = tuple(_ranks(scores))
        return MethodProvenance(where.qualname, where.start, ranks, tuple(self._lacking))


def _find(candidate: Candidate, name: str, owners: Sequence[str]) -> Located | None:
    cls = candidate.cls
    try:
        if cls is None and candidate.method is None:
            known = {d.qualname for d in definitions(candidate.text, candidate.name) if d.is_class}
            cls = next((owner for owner in owners if owner in known), None)
        return locate(candidate.text, candidate.method or name, cls, side=candidate.name)
    except MethodNotFound:
        return None


_Score = tuple[int, int, float]


def _ranks(scores: list[tuple[_Score, list[str]]]) -> Iterator[Rank]:
    grouped: dict[tuple[int, int], list[tuple[float, list[str]]]] = {}
    for (drift, beside, copied), names in scores:
        grouped.setdefault((drift, beside), []).append((copied, names))
    # What a block may have replaced counts, and less surely than drift does.
    for drift, beside in sorted(grouped, key=lambda key: (sum(key), key)):
        members = grouped[drift, beside]
        every = tuple(name for _, names in members for name in names)
        yield Rank(every, drift, beside, max(c for c, _ in members), len(members) == 1)


class _Local:
    """The local method, parsed once for all candidates."""

    def __init__(self, where: Located) -> None:
        self._tree = parse(where, "local")
        self._name = last_part(where.qualname)
        self._fences = function_fences(self._tree)

    def score(self, upstream: Located) -> _Score:
        """Return drift, what is missing beside blocks, and the share of copied code."""
        try:
            base = parse(upstream, "upstream", self._name)
        except SourceError as error:
            raise SourceError(error.message, line=error.line, side=upstream.qualname) from error
        alignment = align(base, self._tree)
        account = Account(self._fences.blocks, self._tree)
        ledger = make_ledger(base.root, self._tree.root, alignment)
        drift, beside = _count_runs(ledger, account, set(alignment.right) | set(alignment.left))
        drift += sum(
            _changed_tokens(pair.ancestor, pair.edited, account)
            for pair in ledger.pairs
            if pair.ancestor.key != pair.edited.key
        )
        return drift, beside, shared(base, alignment)


def _count_runs(ledger: Ledger, account: Account, paired: set[Node]) -> tuple[int, int]:
    drift = beside = 0
    for run in ledger.runs:
        owned = [account.owner(e.node) is not None for e in run.inserted]
        own = zip(run.inserted, owned, strict=True)
        drift += sum(_size(e, paired) for e, fenced in own if not fenced)
        lost = sum(_size(e, paired) for e in run.deleted)
        if any(owned):
            beside += lost
        else:
            drift += lost
    return drift, beside


def _size(entry: Entry, paired: set[Node]) -> int:
    node = entry.node
    if not node.is_code or entry.role is Role.CLOSE:
        return 0
    if entry.role is not Role.NODE:
        return len(node.key)
    # Code that only stands elsewhere is compared as a pair; the move itself is one difference.
    return 1 if node in paired else node.size


def _changed_tokens(base: Node, local: Node, account: Account) -> int:
    if base.kind not in (Kind.STATEMENT, Kind.CLAUSE) or account.owner(local) is not None:
        return 0
    key = _outside_blocks(local, account) if account.inside(local) else local.key
    matcher = difflib.SequenceMatcher(None, base.key, key, autojunk=False)
    return sum(
        max(high - low, right - left)
        for tag, low, high, left, right in matcher.get_opcodes()
        if tag != "equal"
    )


def _outside_blocks(node: Node, account: Account) -> tuple[str, ...]:
    fenced = {
        line for block, _ in account.blocks for line in range(block.span.start, block.span.end + 1)
    }
    return normal_tokens([t for t in node.tokens if t.line not in fenced])
