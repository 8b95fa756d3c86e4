"""What is to be done with the skeleton, and what the stages of a replay share while they decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.diff import Entry, Role
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import Names, names_of
from omni_codemods.replay.held import NOTHING_HELD, Held
from omni_codemods.replay.placement import Gap, Place, Placer, choose_place, find_exit
from omni_codemods.replay.versions import Versions
from omni_codemods.replay.words import NEUTRAL, Words


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """An edited entry to be put into the skeleton, and the edit that it belongs to."""

    entry: Entry
    item: Item

    @property
    def node(self) -> Node:
        """The edited node."""
        return self.entry.node

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole node, not a part of a compound taken apart."""
        return self.entry.role is Role.NODE

    @property
    def is_code(self) -> bool:
        """Whether it is a whole node of code."""
        return self.is_whole and self.node.is_code


@dataclass(slots=True, eq=False)
class Region:
    """Children *start* to *end* (exclusive) of a skeleton node that conflict with edited code."""

    parent: Node
    start: int
    end: int
    pieces: list[Piece]
    ancestor: list[Node]
    reason: str
    item: Item


@dataclass(frozen=True, slots=True, eq=False)
class HeadConflict:
    """The own lines of a skeleton node conflict with those of *edited*."""

    edited: Node
    ancestor: Node
    reason: str
    item: Item


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged statement or header, the edit that changed it, and the blocks inside of it."""

    text: str
    item: Item
    blocks: tuple[Item, ...]


@dataclass(slots=True)
class Plan:
    """What to do with the skeleton; places are skeleton nodes and gaps before their children.

    *gone* nodes are not printed, of *dissolved* compounds only the bodies are, *merged* are the
    statements that both changed, *edited_wins* those that a block overrules, *absorbed* those
    that say what an edit says, and *followed* those in blocks that went with the edited side.
    """

    gaps: dict[tuple[Node, int], list[Piece]] = field(default_factory=dict)
    gone: set[Node] = field(default_factory=set)
    dissolved: set[Node] = field(default_factory=set)
    merged: dict[Node, Merged] = field(default_factory=dict)
    edited_wins: dict[Node, Node] = field(default_factory=dict)
    absorbed: dict[Node, Item] = field(default_factory=dict)
    heads: dict[Node, HeadConflict] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    followed: set[Node] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Options:
    """How to replay.

    *unit* is the edited side's indentation, *words* are what the caller calls the sides. *strict*
    makes drift that meets a change of the skeleton a conflict, *widen* makes conflicts about
    clauses ones about whole statements. *unmerged* are the skeleton statements that must not be
    merged, *held* what stands in blocks of the skeleton.
    """

    unit: str = "    "
    words: Words = NEUTRAL
    strict: bool = False
    widen: bool = False
    unmerged: frozenset[Node] = frozenset()
    held: Held = NOTHING_HELD


class Scene:
    """The three trees' alignments, the account and the plan, with the moves all stages make."""

    def __init__(self, versions: Versions, account: Account, options: Options) -> None:
        self.versions = versions
        self.to_edited = versions.to_edited
        self.to_skeleton = versions.to_skeleton
        self.account = account
        self.options = options
        self.plan = Plan()
        self.placer = Placer(versions.to_skeleton)
        self.taken: set[Node] = set()
        self._names: dict[Node, Names] = {}
        self._kept: frozenset[str] | None = None
        # What the skeleton has and the edited side has not; see the module doubled.
        self.foreign: Sequence[Node] | None = None

    def names(self, node: Node) -> Names:
        """The names of a node, remembered."""
        if node not in self._names:
            self._names[node] = names_of(node.text()) if node.kind is not Kind.COMMENT else Names()
        return self._names[node]

    def is_new(self, skeleton: Node) -> bool:
        """Whether the skeleton's node has no counterpart in the ancestor and is not spoken for."""
        return skeleton not in self.to_skeleton.left and skeleton not in self.taken

    def may_hold_kept(self, skeleton: Node) -> bool:
        """Whether new code of the skeleton holds code that the edited side kept, or may do so.

        It may where what seems gone from the skeleton is only too short to be followed.
        """
        if self._kept is None:
            ours, theirs = self.to_edited.right, self.to_skeleton.right
            lost = (n for n in ours if n not in theirs and n.kind is Kind.STATEMENT)
            self._kept = frozenset(n.code for n in lost)
        partners = (self.to_skeleton.left.get(n) for n in skeleton.walk())
        if any(ancestor in self.to_edited.right for ancestor in partners if ancestor is not None):
            return True
        return any(n.code in self._kept for n in skeleton.walk())

    def rescue(self) -> None:
        """Put what was to stand in code of the skeleton that goes before that code.

        A block may overrule skeleton code around a place after something was put there. What
        stands in edited code that is put somewhere as a whole comes with that.
        """
        placed = {p.node for pieces in self.plan.gaps.values() for p in pieces if p.is_whole}
        for (parent, index), pieces in list(self.plan.gaps.items()):
            gone = [n for n in parent.upwards() if n in self.plan.gone]
            loose = [p for p in pieces if not placed & {*p.node.upwards()} - {p.node}]
            if gone and loose:
                self.plan.gaps[parent, index] = [p for p in pieces if p not in loose]
                place = next(n for n in gone[-1].upwards() if n.kind is not Kind.CLAUSE)
                assert place.parent is not None
                reason = f"before {self.options.words.code} that a block overrules"
                gap = Gap(place.parent, place.index, place.index, Evidence.GUESSED, reason)
                self._put(loose, gap, place.index, reason)

    def double(self, item: Item, skeleton: Node) -> None:
        """Say that *skeleton* is code that now runs beside *item*, which has the same."""
        them = self.options.words.skeleton
        why = f"{them} has much the same beside it: look for code that runs twice"
        item.double(skeleton.text(), why)

    def follow(self, item: Item, nodes: Iterable[Node], *new: Node) -> None:
        """Record that the followers among *nodes* of the skeleton become *new*.

        Of a clause that is its header.
        """
        held = [n for n in nodes if n in self.options.held.followers]
        self.plan.followed.update(held)
        if held:
            why = f"a block holds {self.options.words.edited}'s older code, word for word"
            before, after = ("".join(map(_told, nodes)) for nodes in (held, new))
            item.follow(before, after, why)

    def inner_items(self, node: Node) -> list[Item]:
        """The blocks that stand in *node* or around parts of it."""
        account = self.account
        found = (item for n in node.walk() for item in (account.owner(n), *account.inside(n)))
        return list(dict.fromkeys(i for i in found if i is not None))

    def say(self, pieces: Iterable[Piece], outcome: Outcome, why: tuple[Evidence, str]) -> None:
        """Record an outcome once for each edit in *pieces*, blocks inside them included."""
        items: dict[Item, None] = {}
        for piece in pieces:
            items[piece.item] = None
            if piece.is_whole:
                items.update(dict.fromkeys(self.inner_items(piece.node)))
        for item in items:
            item.say(outcome, *why)

    def contest(self, gap: Gap, pieces: list[Piece], ancestor: list[Node], why: str) -> None:
        """Make *pieces* conflict with what is new in the gap."""
        newcomers = [n for n in gap.newcomers if n.is_code and n not in self.taken]
        start = newcomers[0].index if newcomers else gap.low
        end = newcomers[-1].index + 1 if newcomers else gap.low
        self.add_region(Region(gap.parent, start, end, pieces, ancestor, why, pieces[0].item))

    def add_region(self, region: Region) -> None:
        """Plan a conflict; what stands beside its code of the ancestor goes beside the hunk."""
        self.plan.regions.append(region)
        before, after = Place(region.parent, region.start), Place(region.parent, region.end)
        for node in region.ancestor:
            if node not in self.to_skeleton.right:
                self.placer.settle(node, before, after)

    def insert(self, gap: Gap, pieces: list[Piece], borders: tuple[Gap, Gap] | None = None) -> None:
        """Put *pieces* into the gap; where the code around them is gone, as a conflict.

        *borders* are the gaps for what closes there and for what opens there, by default *gap*.
        """
        names = _union(self.names(p.node) for p in pieces if p.is_whole)
        if gap.orphaned or (gap.lost and self._reads_lost(names)):
            reason = gap.reason if gap.orphaned else "its neighbours and what it reads are gone"
            self.say(pieces, Outcome.ORPHAN, (gap.evidence, reason))
            self.contest(gap, pieces, [], reason)
            return
        tail, middle, head = split_at_borders(pieces)
        names = _union(self.names(p.node) for p in middle if p.is_whole)
        index, why = (
            choose_place(gap, names, self.names, self.options.words) if middle else (gap.high, "")
        )
        before, after = borders or (gap, gap)
        self._put(tail, before, before.low, "")
        self._put(middle, gap, index, why)
        self._put(head, after, after.high, "")
        for piece in pieces:
            skeleton = self.versions.skeleton_of(piece.node)
            if skeleton is not None and piece.is_whole:
                self.plan.gone.add(skeleton)  # code that the edited side moved leaves its old place

    def _put(self, pieces: list[Piece], gap: Gap, index: int, why: str) -> None:
        outcome = Outcome.MOVED if gap.evidence is Evidence.MOVED else Outcome.CARRIED
        evidence = Evidence.GUESSED if why else gap.evidence
        reason = why or gap.reason
        new = [n for n in gap.parent.children[gap.low : index] if self.is_new(n)]
        if pieces and (found := find_exit(new)) is not None:
            text = found.text().strip().partition("\n")[0]
            reason += f"; {self.options.words.skeleton}'s new early exit `{text}` stands before it"
        self.say(pieces, outcome, (evidence, reason))
        self.plan.gaps.setdefault((gap.parent, index), []).extend(pieces)

    def _reads_lost(self, names: Names) -> bool:
        """Whether a variable is read that the ancestor bound, and that nothing binds any longer."""
        lost = self._bound(self.to_skeleton.right) - self._bound(self.to_skeleton.left)
        return bool((names.reads - names.binds) & lost)

    def _bound(self, nodes: dict[Node, Node]) -> frozenset[str]:
        root = next(n for n in nodes if n.parent is None)
        return self.names(root).binds


def _told(node: Node) -> str:
    return "".join(node.lines) if node.kind is Kind.CLAUSE else node.text()


def split_at_borders(pieces: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Cut a run where a block or wrap that holds shared code closes, and where one opens.

    What closes stays with the code before it, what opens with the code after it, so that the
    skeleton's new code at the border stays outside.
    """
    if not pieces:
        return [], [], []
    first, last = pieces[0].node.line, pieces[-1].node.end_line
    opened: list[int] = []
    low, high = 0, len(pieces)
    for k, piece in enumerate(pieces):
        item = piece.item
        if piece.entry.role is Role.OPEN:
            opened.append(k)
        elif piece.entry.role is Role.CLOSE:
            if opened:
                opened.pop()
            else:
                low = k + 1
        if item.fenced and item.start < first:
            low = max(low, k + 1)
        if item.fenced and item.end > last:
            high = min(high, k)
    high = max(low, min([high, *opened]))
    return pieces[:low], pieces[low:high], pieces[high:]


def _union(names: Iterable[Names]) -> Names:
    known = list(names)
    return Names(
        frozenset(x for n in known for x in n.reads), frozenset(x for n in known for x in n.binds)
    )
