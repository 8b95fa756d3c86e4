"""Where in a gap an edit goes: before or after what is new there in the skeleton.

See *Inside the gap* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import Names
from omni_codemods.replay.placement import Gap
from omni_codemods.replay.words import Words

_TERMINATORS = frozenset({"return", "raise", "break", "continue"})


def choose_place(
    gap: Gap, inserted: Names, names: Callable[[Node], Names], words: Words
) -> tuple[int, str]:
    """Choose among the places of *gap* for code with the names *inserted*.

    Code goes after what binds a name that it reads, and before what reads a name that it
    binds; else after the skeleton's own new statements, but never behind a ``return``. The
    second value says which of these decided, empty where there was no choice.
    """
    newcomers = [n for n in gap.newcomers if n.is_code]
    if not newcomers:
        return gap.high, ""
    if gap.early:
        return _earliest(gap, newcomers, inserted, names, words)
    theirs_new = f"{words.skeleton}'s new"
    place, reason = gap.high, f"after {theirs_new} statements there; the order is a guess"
    for node in newcomers:
        theirs = names(node)
        if inserted.binds & theirs.reads and not inserted.reads & theirs.binds:
            place = node.index
            reason = f"before {theirs_new} statement that reads its names"
            break
    for node in reversed(newcomers):
        theirs = names(node)
        if node.index < place and inserted.reads & theirs.binds:
            if place == gap.high:
                reason = f"after {theirs_new} statement that binds its names"
            break
    return _before_jumps(gap, place, reason, words)


def _before_jumps(gap: Gap, place: int, reason: str, words: Words) -> tuple[int, str]:
    """Never behind a ``return``, which comes before all else that speaks for a place."""
    children = gap.parent.children
    while place > gap.low and _ends_block(children[place - 1]):
        place -= 1
        jump = children[place].text().strip().partition("\n")[0]
        reason = f"before {words.skeleton}'s new `{jump}`; the order is a guess"
    return place, reason


def find_exit(nodes: Sequence[Node]) -> Node | None:
    """The first early exit among *nodes* and in them: what stands behind it runs less often."""
    return next((found for node in nodes for found in _exits(node)), None)


def _exits(node: Node, *, loop: bool = False) -> Iterator[Node]:
    """The jumps in *node* that leave what stands around it; *loop* says that a loop holds them."""
    ends_loop = loop and node.word in ("break", "continue")
    if _ends_block(node) and not ends_loop:
        yield node
    if node.kind is Kind.CLAUSE and node.word in ("def", "class"):
        return
    loop = loop or (node.kind is Kind.CLAUSE and node.word in ("for", "while"))
    for child in node.children:
        yield from _exits(child, loop=loop)


def _earliest(
    gap: Gap,
    newcomers: list[Node],
    inserted: Names,
    names: Callable[[Node], Names],
    words: Words,
) -> tuple[int, str]:
    place = gap.low
    for node in newcomers:
        if inserted.reads & names(node).binds:
            place = node.index + 1
    reason = f"after {words.skeleton}'s own version of what stands before it"
    return _before_jumps(gap, place, reason, words)


def _ends_block(node: Node) -> bool:
    return node.kind is Kind.STATEMENT and node.word in _TERMINATORS
