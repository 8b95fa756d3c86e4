"""Statements that are all that stands between the same neighbours, and do the same thing.

A function of one line, or a stub, has nothing else to be known by: ``compile()`` is what became
``compile(debug=True)``, however little the two texts share.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.text.lexer import OPENERS

# Above this many statements a function is known by more than its name.
FEW_STATEMENTS = 2
_SAY_LITTLE = frozenset({"return", "raise", "assert", "yield", "await", "del", "="})


def is_small(tree: Tree) -> bool:
    """Whether a function has so few statements that its name says more than its text does."""
    said = (n for n in tree.root.walk() if n.kind is Kind.STATEMENT and n.word != "@")
    return sum(not _is_filler(n) for n in said) <= FEW_STATEMENTS


def _is_filler(node: Node) -> bool:
    """Whether a statement does nothing: ``pass``, ``...``, a string."""
    return len(node.key) == 1 and (node.head in ("pass", "...") or node.head[-1] in "\"'")


def pair_alone(base: Tree, alignment: Alignment) -> None:
    """Pair unmatched statements that stand alone between matched ones and do the same.

    That is, they call the same; where *base*, the left side, is small, it is enough that both
    return, or raise.
    """
    small = is_small(base)
    for one, other in list(alignment.right.items()):
        if one.kind is Kind.CLAUSE and other.kind is Kind.CLAUSE:
            for a, b in _gaps(one, other, alignment):
                if _does_the_same(a, b, small=small):
                    alignment.pair(a, b)


def _gaps(left: Node, right: Node, alignment: Alignment) -> Iterator[tuple[Node, Node]]:
    """The statements that are alone, on both sides, between matched children of two clauses."""
    ones, others = ([n for n in side.children if n.is_code] for side in (left, right))
    where = {n: j for j, n in enumerate(others)}
    shared = [
        (i, where[alignment.right[n]])
        for i, n in enumerate(ones)
        if alignment.right.get(n) in where
    ]
    ends = [(-1, -1), *shared, (len(ones), len(others))]
    for (i, j), (next_i, next_j) in itertools.pairwise(ends):
        if next_i - i == 2 and next_j - j == 2:
            a, b = ones[i + 1], others[j + 1]
            if a not in alignment.right and b not in alignment.left:
                yield a, b


def _does_the_same(a: Node, b: Node, *, small: bool) -> bool:
    if a.kind is not Kind.STATEMENT or b.kind is not Kind.STATEMENT:
        return False
    first, second = _called(a), _called(b)
    if first and first == second:
        return True
    return small and a.word == b.word and a.word in _SAY_LITTLE


def _called(node: Node) -> tuple[str, ...]:
    """The tokens before the first bracket, if they name anything."""
    end = next((i for i, text in enumerate(node.key) if text in OPENERS), 0)
    before = node.key[:end]
    return before if before and before[-1] not in _SAY_LITTLE else ()
