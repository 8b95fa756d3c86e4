"""What is to be done with the skeleton: the value that a replay makes and the printer reads."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Role
from omni_codemods.functions.tree import Node


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

    What is put in: *gaps*. What goes: *gone* nodes are not printed, of *dissolved* compounds only
    the bodies are. What changes: *merged* are the statements that both changed, *edited_wins*
    those that a block overrules. What is asked: *heads* are conflicts about the own lines of a
    node, *regions* about whole nodes. *absorbed* are the nodes that say what an edit says.

    *matched* are the skeleton's nodes that the ancestor has too. *taken* are new ones that are
    spoken for: an edit says the same, or is asked about beside them. Both are no news any more.
    *followed* are those in blocks of the skeleton that went where the edited side goes.
    """

    matched: Container[Node] = frozenset()
    gaps: dict[tuple[Node, int], list[Piece]] = field(default_factory=dict)
    gone: set[Node] = field(default_factory=set)
    dissolved: set[Node] = field(default_factory=set)
    merged: dict[Node, Merged] = field(default_factory=dict)
    edited_wins: dict[Node, Node] = field(default_factory=dict)
    absorbed: dict[Node, Item] = field(default_factory=dict)
    heads: dict[Node, HeadConflict] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    taken: set[Node] = field(default_factory=set)
    followed: set[Node] = field(default_factory=set)

    def is_new(self, skeleton: Node) -> bool:
        """Whether the node is the skeleton's own news, and not spoken for."""
        return skeleton not in self.matched and skeleton not in self.taken
