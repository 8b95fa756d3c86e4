"""What a replay is given and what follows from it: every stage asks, none changes an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import Names, names_of
from omni_codemods.replay.held import NOTHING_HELD, Held
from omni_codemods.replay.plan import Piece
from omni_codemods.replay.versions import Versions
from omni_codemods.replay.words import NEUTRAL, Words


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


class Facts:
    """The three versions, the options, and the account, in which outcomes are written down."""

    def __init__(self, versions: Versions, account: Account, options: Options) -> None:
        self.versions = versions
        self.to_edited, self.to_skeleton = versions.to_edited, versions.to_skeleton
        self.account = account
        self.options = options
        self.words = options.words
        self._names: dict[Node, Names] = {}

    def names(self, node: Node) -> Names:
        """The names of a node: asked only where code competes for a place, and remembered."""
        if node not in self._names:
            self._names[node] = names_of(node.text()) if node.kind is not Kind.COMMENT else Names()
        return self._names[node]

    def names_of_all(self, pieces: Iterable[Piece]) -> Names:
        """What the whole nodes among *pieces* read and bind together."""
        known = [self.names(p.node) for p in pieces if p.is_whole]
        return Names(
            frozenset(x for n in known for x in n.reads),
            frozenset(x for n in known for x in n.binds),
        )

    @cached_property
    def lost_names(self) -> frozenset[str]:
        """The variables that the ancestor bound, and that nothing binds in the skeleton."""
        ancestor, skeleton = self.versions.ancestor.root, self.versions.skeleton.root
        return self.names(ancestor).binds - self.names(skeleton).binds

    @cached_property
    def foreign(self) -> Sequence[Node]:
        """The skeleton's statements that the edited side lacks."""
        known, mine = self.to_skeleton.left, self.to_edited.right
        statements = (n for n in self.versions.skeleton.root.walk() if n.kind is Kind.STATEMENT)
        return [n for n in statements if (b := known.get(n)) is None or b not in mine]

    @cached_property
    def _kept_loose(self) -> frozenset[str]:
        """Code that the edited side kept and the alignment does not find in the skeleton."""
        ours, theirs = self.to_edited.right, self.to_skeleton.right
        return frozenset(n.code for n in ours if n not in theirs and n.kind is Kind.STATEMENT)

    def may_hold_kept(self, skeleton: Node) -> bool:
        """Whether new code of the skeleton holds code that the edited side kept, or may do so.

        It may where what seems gone from the skeleton is only too short to be followed.
        """
        partners = (self.to_skeleton.left.get(n) for n in skeleton.walk())
        if any(ancestor in self.to_edited.right for ancestor in partners if ancestor is not None):
            return True
        return any(n.code in self._kept_loose for n in skeleton.walk())

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

    def double(self, item: Item, skeleton: Node) -> None:
        """Record that *skeleton* is code which now runs beside *item*, which has the same."""
        why = f"{self.words.skeleton} has much the same beside it: look for code that runs twice"
        item.double(skeleton.text(), why)
