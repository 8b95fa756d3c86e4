"""Which lines of the versions a printed line stands for: what a reader compares it with.

What no edit is about is printed in one version's text and stands for the other's as well::

    skeleton                    printed                 edited
    12  call(x,                 call(x,                 8  call(x)
    13       y)                      y)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.tree import Node
from omni_codemods.replay.printing.lines import Line


def trace_lines(
    lines: Sequence[Line], *, edited: Node | None = None, skeleton: Node | None = None
) -> None:
    """Let the *lines* of a statement know those of its versions."""
    texts = [line.text for line in lines]
    for here, there in _beside(texts, edited):
        lines[here].edited = there
    for here, there in _beside(texts, skeleton):
        lines[here].skeleton = there


def _beside(texts: Sequence[str], node: Node | None) -> Iterator[tuple[int, int]]:
    if node is not None:
        yield from ((here, node.line + there) for here, there in _pair_up(texts, node.lines))


def lines_beside(alignment: Alignment) -> dict[int, int]:
    """The lines of the ancestor by those of a version of it, statement by statement."""
    return {
        node.line + here: ancestor.line + there
        for node, ancestor in alignment.left.items()
        for here, there in _pair_up(node.lines, ancestor.lines)
    }


def _pair_up(some: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield which of the lines *some* stands beside which of *others*, counted from 0.

    The two are versions of one statement: as many lines go one by one, else by what they say.
    """
    if len(some) == len(others):
        yield from ((n, n) for n in range(len(some)))
        return
    left, right = ([line.strip() for line in side] for side in (some, others))
    for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        yield from ((block.a + n, block.b + n) for n in range(block.size))
