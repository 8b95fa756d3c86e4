"""Blocks that begin or end with the upstream's own statements: what a forgotten fence leaves."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from omni_codemods.findings.codes import UPSTREAM_IN_BLOCK
from omni_codemods.findings.model import Block, Finding, Severity, Span
from omni_codemods.functions.alignment import Alignment, next_code
from omni_codemods.functions.fences import Fences
from omni_codemods.functions.tree import Node, Tree


def check_block_ends(
    local: Tree,
    fences: Fences,
    by_local: Alignment,
    first: int = 1,
    by_target: Alignment | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each block of *local* that begins or ends with code of its base.

    *by_local* aligns base with *local*, which starts at line *first* of its file, *by_target* with
    the target, where there is one: a block whose upstream code the target took elsewhere is an
    error, for the block cannot both follow it and stay. Positions are lines of the function.
    """
    for block in fences.blocks:
        if block.closing is not None:
            held = _held(local.root, block.span)
            finding = _judge(block, held, (by_local, by_target), first - 1)
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


def _judge(
    block: Block,
    held: Sequence[Node],
    alignments: tuple[Alignment, Alignment | None],
    above: int,
) -> Finding | None:
    by_local, by_target = alignments

    def is_upstream(node: Node) -> bool:
        base = by_local.left.get(node)
        return base is not None and base.code == node.code

    first = list(itertools.takewhile(is_upstream, held))
    last = list(itertools.takewhile(is_upstream, reversed(held[len(first) :])))[::-1]
    whole = len(first) == len(held)
    moved = [] if by_target is None or whole else _moved(held, by_local, by_target)
    if not first and not last and not moved:
        return None
    ends = " and ".join(word for word, run in (("begins", first), ("ends", last)) if run)
    said = "holds nothing but" if whole else f"{ends} with" if ends else "holds"
    places = ", ".join(_lines(run, above) for run in (first, last, moved) if run)
    if moved and ends:
        places = ", ".join(_lines(run, above) for run in (first, last) if run)
    there = f"; the upstream has {_lines(moved[:1], above)} in another place now" if moved else ""
    return Finding(
        UPSTREAM_IN_BLOCK.code,
        (last or first or moved)[0].line,
        block.opening.column,
        f"the block at lines {block.span.start + above}-{block.span.end + above} of the copy "
        f"{said} statements that its base has word for word: {places}{there}",
        "draw its fences around what is local; if a fence is missing, add it",
        Severity.ERROR if moved else Severity.WARNING,
    )


def _moved(held: Sequence[Node], by_local: Alignment, by_target: Alignment) -> list[Node]:
    """The upstream's statements of a block that the target has apart from what is around it.

    The block's own code goes with them, and runs where they run: in a new branch, or no more.
    """
    outside = [next_code(held[0], -1), next_code(held[-1], 1)] if held else []
    homes = {
        target.parent
        for node in outside
        if node is not None and (target := _in_target(node, by_local, by_target)) is not None
    }
    out: list[Node] = []
    for node in held:
        base = by_local.left.get(node)
        if base is None or base.code != node.code or base.parent is None:
            continue
        target = by_target.right.get(base)
        home = homes or {by_target.right.get(base.parent)}
        if target is None or {target.parent} != home:
            out.append(node)
    return out


def _in_target(node: Node, by_local: Alignment, by_target: Alignment) -> Node | None:
    base = by_local.left.get(node)
    return None if base is None else by_target.right.get(base)


def _lines(run: Sequence[Node], above: int) -> str:
    first, last = run[0].line + above, run[-1].end_line + above
    return f"line {first}" if first == last else f"lines {first}-{last}"
