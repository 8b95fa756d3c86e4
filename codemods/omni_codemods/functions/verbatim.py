"""What stands word for word wins over what is alike.

Likeness is matched in order, a block at a time: a statement is then paired with a changed version
of it in the first arm of a new ``if`` while the statement itself stands in the ``else``. Here such
pairs are mended: within one gap, that is between the nearest statements which both sides have
unchanged, at whatever depth, the same code is the same statement.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

from omni_codemods.functions.alignment import (
    Alignment,
    longest_increasing,
    next_code,
    same_code,
)
from omni_codemods.functions.tree import Kind, Node

_JUMPS = frozenset({"return", "raise", "break", "continue", "pass"})


def prefer_verbatim(
    left: Node, right: Node, alignment: Alignment, pair: Callable[[Node, Node], None]
) -> bool:
    """Pair anew what is paired with a look-alike while the same code stands in the same gap.

    *left* and *right* are the functions, *pair* pairs two nodes with all that is in them. Says
    whether anything changed.
    """
    there = _Verbatim(left, right, alignment, pair).mend()
    back = alignment.flipped()
    here = _Verbatim(right, left, back, lambda b, a: pair(a, b)).mend()
    return there or here


class _Verbatim:
    """The same code of one side, looked for on the other."""

    def __init__(
        self,
        left: Node,
        right: Node,
        alignment: Alignment,
        pair: Callable[[Node, Node], None],
    ) -> None:
        self._alignment = alignment
        self._pair = pair
        self._left = {node: at for at, node in enumerate(left.walk())}
        self._right = {node: at for at, node in enumerate(right.walk())}
        self._said: dict[str, list[Node]] = {}
        for node in self._right:
            if node.kind in (Kind.STATEMENT, Kind.COMPOUND):
                self._said.setdefault(node.code, []).append(node)
        self._anchors = self._find_anchors()
        self._starts = [at for at, _ in self._anchors]

    def mend(self) -> bool:
        """Pair anew where the same code is found; the outer of two nodes comes first."""
        changed = False
        for node in self._left:
            partner = self._alignment.right.get(node)
            if partner is None or same_code(node, partner) or node.code not in self._said:
                continue
            found = self._find(node, partner)
            if found is not None:
                self._free(node, self._alignment)
                self._free(found, self._alignment.flipped())
                self._pair(node, found)
                changed = True
        return changed

    def _find_anchors(self) -> list[tuple[int, int]]:
        """The statements that both sides have unchanged and in order, by where they stand."""
        pairs = (
            (at, self._right[partner])
            for node, at in self._left.items()
            if node.kind is Kind.STATEMENT
            and (partner := self._alignment.right.get(node)) is not None
            and same_code(node, partner)
        )
        return longest_increasing(list(pairs))

    def _find(self, node: Node, partner: Node) -> Node | None:
        """The same code as *node* in its gap, unless that is paired with the same already."""
        home = self._alignment.right.get(node.parent) if node.parent is not None else None
        if partner.parent is home and _is_bare_jump(node):
            return None  # `return x` says nothing: the last one of two functions is the last
        low, high = self._gap(node)
        found = [
            n for n in self._said[node.code] if low < self._right[n] < high and self._is_loose(n)
        ]
        return max(found, default=None, key=lambda n: (n.parent is home, self._neighbours(node, n)))

    def _gap(self, node: Node) -> tuple[int, int]:
        """The positions on the right between which the gap of *node* lies."""
        at = self._left[node]
        end = at + sum(1 for _ in node.walk())
        before = bisect_left(self._starts, at) - 1
        after = bisect_left(self._starts, end)
        low = self._anchors[before][1] if before >= 0 else -1
        return low, self._anchors[after][1] if after < len(self._anchors) else len(self._right)

    def _is_loose(self, node: Node) -> bool:
        partner = self._alignment.left.get(node)
        return partner is None or not same_code(partner, node)

    def _neighbours(self, left: Node, right: Node) -> int:
        """How many of the statements next to *left* say the same as the one next to *right*."""
        pairs = ((next_code(left, step), next_code(right, step)) for step in (-1, 1))
        return sum(a is not None and b is not None and same_code(a, b) for a, b in pairs)

    @staticmethod
    def _free(node: Node, alignment: Alignment) -> None:
        for inner in node.walk():
            if inner in alignment.right:
                alignment.unpair(alignment.right[inner])


def _is_bare_jump(node: Node) -> bool:
    return node.kind is Kind.STATEMENT and node.word in _JUMPS and "(" not in node.key


def iter_gaps(
    left: Node, right: Node, alignment: Alignment
) -> Iterator[tuple[list[Node], list[Node]]]:
    """The unpaired children of two paired nodes, gap by gap between those that are paired."""
    some: list[Node] = []
    at = 0
    for child in [*left.children, None]:
        partner = alignment.right.get(child) if child is not None else None
        if child is not None and partner is None:
            some.append(child)
        elif child is None or (partner is not None and partner.parent is right):
            end = partner.index if partner is not None else len(right.children)
            others = [n for n in right.children[at:end] if n not in alignment.left]
            if some and others:
                yield some, others
            some, at = [], max(at, end)
