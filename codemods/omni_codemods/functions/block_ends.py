"""Blocks that begin or end with the upstream's own statements: what a forgotten fence leaves."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from omni_codemods.findings.codes import UPSTREAM_IN_BLOCK
from omni_codemods.findings.model import Block, Finding, Span
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.fences import Fences
from omni_codemods.functions.tree import Node, Tree


def check_block_ends(
    local: Tree, fences: Fences, by_local: Alignment, first: int = 1
) -> Iterator[Finding]:
    """Yield a finding for each block of *local* that begins or ends with code of its base.

    *by_local* aligns base with *local*, which starts at line *first* of its file. Positions are
    lines of the function.
    """
    for block in fences.blocks:
        if block.closing is not None:
            held = _held(local.root, block.span)
            finding = _judge(block, held, by_local, first - 1)
            if finding is not None:
                yield finding


def _held(root: Node, span: Span) -> list[Node]:
    """The outermost code that stands whole between the fences."""
    if span.start <= root.line and root.end_line <= span.end:
        return []
    out: list[Node] = []
    # The children stand in the order of their lines, and a function may have thousands.
    first = bisect_left(root.children, span.start, key=lambda child: child.end_line)
    for child in root.children[first:]:
        if child.line > span.end:
            break
        inside = span.start <= child.line and child.end_line <= span.end
        if inside and child.is_code and child.line != root.line:
            out.append(child)
        elif not inside and child.line <= span.end and span.start <= child.end_line:
            out += _held(child, span)
    return out


def _judge(block: Block, held: Sequence[Node], by_local: Alignment, above: int) -> Finding | None:
    def is_upstream(node: Node) -> bool:
        base = by_local.left.get(node)
        return base is not None and base.code == node.code

    first = list(itertools.takewhile(is_upstream, held))
    last = list(itertools.takewhile(is_upstream, reversed(held[len(first) :])))[::-1]
    if not first and not last:
        return None
    whole = len(first) == len(held)
    ends = " and ".join(word for word, run in (("begins", first), ("ends", last)) if run)
    said = "holds nothing but" if whole else f"{ends} with"
    places = ", ".join(_lines(run, above) for run in (first, last) if run)
    return Finding(
        UPSTREAM_IN_BLOCK.code,
        (last or first)[0].line,
        block.opening.column,
        f"the block at lines {block.span.start + above}-{block.span.end + above} of the copy "
        f"{said} statements that its base has word for word: {places}",
        "draw its fences around what is local; if a fence is missing, add it",
    )


def _lines(run: Sequence[Node], above: int) -> str:
    first, last = run[0].line + above, run[-1].end_line + above
    return f"line {first}" if first == last else f"lines {first}-{last}"
