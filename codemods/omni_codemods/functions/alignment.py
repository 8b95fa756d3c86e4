"""A matching of the nodes of two functions, and what its makers share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from omni_codemods.functions.tree import Kind, Node, Tree


class Alignment:
    """A one-to-one matching of nodes of a *left* tree with nodes of a *right* tree."""

    __slots__ = ("left", "right")

    def __init__(self) -> None:
        self.right: dict[Node, Node] = {}
        self.left: dict[Node, Node] = {}

    def pair(self, left: Node, right: Node) -> None:
        """Record that *left* and *right* are the same statement."""
        self.right[left] = right
        self.left[right] = left

    def unpair(self, right: Node) -> None:
        """Forget what *right* was paired with."""
        del self.right[self.left.pop(right)]

    def flipped(self) -> Alignment:
        """The same matching, seen from the other side."""
        view = Alignment()
        view.left, view.right = self.right, self.left
        return view


def shared(base: Tree, alignment: Alignment) -> float:
    """The share of base's code, by size, that the other side has too."""
    nodes = [n for n in base.root.walk() if n.kind is Kind.STATEMENT]
    total = sum(n.size for n in nodes)
    return sum(n.size for n in nodes if n in alignment.right) / total if total else 1.0


def same_code(a: Node, b: Node) -> bool:
    """Whether two nodes say the same, word for word."""
    return a.kind is b.kind and a.code == b.code


def same_head(a: Node, b: Node) -> bool:
    """Whether two nodes' own text says the same; an arm says it as the first one or as another."""
    arms = {a.word, b.word} <= {"if", "elif"} and a.kind is b.kind
    return a.head == b.head or (arms and a.key[1:] == b.key[1:])


def next_code(node: Node, step: int) -> Node | None:
    """The code right before *node* in its suite (*step* -1), or right after it (1)."""
    siblings = node.parent.children if node.parent is not None else []
    at = node.index + step
    while 0 <= at < len(siblings) and not siblings[at].is_code:
        at += step
    return siblings[at] if 0 <= at < len(siblings) else None


def longest_increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of *pairs*, sorted by their first, that keeps the order of their second."""
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for k, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        back.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(j)
            ends.append(k)
        else:
            tails[at], ends[at] = j, k
    out: list[tuple[int, int]] = []
    k = ends[-1] if ends else -1
    while k >= 0:
        out.append(pairs[k])
        k = back[k]
    return out[::-1]


def once(nodes: Sequence[Node]) -> Iterator[tuple[int, Node]]:
    """The code that stands once among *nodes*, and where."""
    count: dict[str, int] = {}
    for n in nodes:
        count[n.code] = count.get(n.code, 0) + 1
    return ((i, n) for i, n in enumerate(nodes) if n.is_code and count[n.code] == 1)
