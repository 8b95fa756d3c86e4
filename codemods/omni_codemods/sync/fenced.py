"""What the NPU copy's blocks hold: what of it follows the sibling, and what a person decides.

A block says that its code is meant. Where that code is the sibling's old text, word for word, what
was meant is what the sibling does: a change that the sibling made itself is made there too, and
shown with both texts. Any other code in a block stays until a person decides.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.findings.model import Block
from omni_codemods.functions.account import Account
from omni_codemods.functions.alignment import Alignment, same_head
from omni_codemods.functions.tree import Kind, Node, Tree
from omni_codemods.replay.held import Held
from omni_codemods.replay.plan import Plan


def fenced_lines(blocks: Sequence[Block]) -> frozenset[int]:
    """The lines of the *blocks*, their fences included."""
    return frozenset(n for b in blocks for n in range(b.span.start, b.span.end + 1))


@dataclass(frozen=True, slots=True)
class Around:
    """What the sibling's file says outside of the method, *before* and *after*."""

    before: str = ""
    after: str = ""

    def took(self, node: Node) -> bool:
        """Whether the code of *node* stands there more often than it did: it was moved there."""
        if len(node.key) < _TELLING:
            return False
        said = _squeezed(node.text())
        return _squeezed(self.after).count(said) > _squeezed(self.before).count(said)


NOTHING_AROUND = Around()


# Tokens of a statement that is not the same as another by chance.
_TELLING = 8


@functools.lru_cache(maxsize=8)
def _squeezed(text: str) -> str:
    return "".join("".join(line.partition("#")[0].split()) for line in text.split("\n"))


def find_held(
    copy: Tree,
    blocks: Sequence[Block],
    to_copy: Alignment,
    around: Around,
    *,
    strict: bool = False,
) -> Held:
    """Read the *blocks* of *copy*, to which the older sibling is aligned by *to_copy*.

    What the sibling moved to another of its functions it did not drop: the copy would lose it.
    Nothing follows where the policy is *strict*.
    """
    lines = fenced_lines(blocks)
    nodes = [n for n in copy.root.walk() if not lines.isdisjoint(range(n.line, n.end_line + 1))]
    if strict:
        return Held(lines, frozenset(nodes))
    account = Account(blocks, copy)
    elements: set[Node] = set()
    marks: dict[Node, str] = {}
    for node in nodes:
        item = account.owner(node) if node.lines and node.is_code else None
        if item is not None and account.owns(node, item):
            if item.markers is not None and item.start == item.end:
                marks[node] = item.markers[0]
        elif account.inside(node):
            elements.add(node)
    followers = [n for n in nodes if n not in elements and _says_the_same(n, to_copy)]
    stay = frozenset(n for n in followers if n.kind is Kind.STATEMENT and around.took(n))
    return Held(lines, frozenset(nodes), frozenset(followers), stay, frozenset(elements), marks)


def _says_the_same(node: Node, to_copy: Alignment) -> bool:
    old = to_copy.left.get(node)
    return node.is_code and old is not None and same_head(old, node)


def drop_empty_blocks(plan: Plan, blocks: Sequence[Block], copy: Tree) -> None:
    """Take out the fences of *blocks* that followed the sibling into nothing.

    A block that held nothing before stays.
    """
    fences = {n.line: n for n in copy.root.walk() if n.fence}
    for block in blocks:
        opening, closing = fences.get(block.span.start), fences.get(block.span.end)
        if opening is None or closing is None or opening.parent is not closing.parent:
            continue
        if opening is not closing and _is_emptied(plan, opening, closing):
            plan.gone |= {opening, closing}


def _is_emptied(plan: Plan, opening: Node, closing: Node) -> bool:
    parent = opening.parent
    assert parent is not None
    low, high = opening.index, closing.index
    code = [n for n in parent.children[low + 1 : high] if n.is_code]
    filled = any(plan.gaps.get((parent, at)) for at in range(low + 1, high + 1))
    contested = any(r.parent is parent and r.start <= high and low < r.end for r in plan.regions)
    gone = all(n in plan.gone and n in plan.followed for n in code)
    return bool(code) and gone and not filled and not contested


def keeps_blocks(copy: Tree, lines: frozenset[int], plan: Plan, text: str) -> bool:
    """Whether the fenced *lines* of *copy* stand in *text*, each as often as before.

    Those that followed the sibling need not, nor the fences of a block that did so as a whole.
    """
    moved = [n for n in copy.root.walk() if n in plan.followed or (n.fence and n in plan.gone)]
    excused = {n for node in moved for n in _own_lines(node, plan)}
    mine = Counter(copy.lines[n - 1].strip() for n in lines - excused)
    return not mine - Counter(line.strip() for line in text.splitlines())


def _own_lines(node: Node, plan: Plan) -> Iterator[int]:
    end = node.end_line if node in plan.gone else node.line + len(node.lines) - 1
    return iter(range(node.line, end + 1))
