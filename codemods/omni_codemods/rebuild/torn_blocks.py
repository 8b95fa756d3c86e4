"""Blocks whose fences no longer stand around their code, and what can be put right about them.

A block is whole in the result if its two fences stand there once, in order and at one depth, with
all of its lines between them and no others of local::

    # PATCH START            # PATCH START
    mine(a)                  mine(a)
    mine(b)                  # PATCH END        <- torn: mine(b) stands outside
    # PATCH END              mine(b)
"""

from __future__ import annotations

from omni_codemods.findings.model import Block, Outcome
from omni_codemods.functions.account import Account, Item
from omni_codemods.functions.tree import Kind, Tree
from omni_codemods.replay.printing.lines import Line, Rendered
from omni_codemods.replay.printing.refence import reads_as_fence, refence, without_fences


def find_torn(rendered: Rendered, account: Account, local: Tree) -> list[Item]:
    """The blocks that came apart in *rendered* for good, after those that can be were mended.

    The innermost come first: mending one may mend the block around it.
    """
    torn = _torn_blocks(rendered, account, local)
    return [item for block, item in torn if not _mend(rendered, block, item, local)]


def _torn_blocks(rendered: Rendered, account: Account, local: Tree) -> list[tuple[Block, Item]]:
    """Blocks that no longer stand in one place, whole and with nothing else of local in it.

    The innermost come first.
    """
    lines = _local_lines(rendered)
    places = _places(lines)
    comments = {n.line for n in local.root.walk() if n.kind is Kind.COMMENT}
    torn = [
        (block, item)
        for block, item in account.blocks
        if block.closing and block.span.start in comments and _is_torn(block, item, lines, places)
    ]
    return sorted(torn, key=lambda x: x[0].span.end - x[0].span.start)


def _mend(rendered: Rendered, block: Block, item: Item, local: Tree) -> bool:
    """Put the fences of a block that came apart around what its code became."""
    if item.outcomes and all(o is Outcome.ABSORBED for o, _, _ in item.outcomes):
        rendered.out = without_fences(rendered, block.span)
        return True
    mended = refence(rendered, block.span, local)
    lines = _local_lines(rendered)
    if not mended or _is_torn(block, item, lines, _places(lines)):
        return False
    item.warn("the fence goes around what its code became")
    return True


def _local_lines(rendered: Rendered) -> list[Line]:
    return [
        x for entry in rendered.out for x in ([entry] if isinstance(entry, Line) else entry.edited)
    ]


def _places(lines: list[Line]) -> dict[int, list[int]]:
    """Where each line of local stands among *lines*."""
    found: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        if line.origin:
            found.setdefault(line.origin, []).append(number)
    return found


def _is_torn(block: Block, item: Item, lines: list[Line], places: dict[int, list[int]]) -> bool:
    both = sorted({block.span.start, block.span.end})
    ends = sorted(n for origin in both for n in places.get(origin, ()))
    if not ends:
        return all(outcome is not Outcome.ABSORBED for outcome, _, _ in item.outcomes)
    if len(ends) != 2:
        return True
    # A closing fence behind code stands as deep as the last statement does.
    apart = _column(lines[ends[0]]) != _column(lines[ends[1]])
    if apart and not lines[ends[1]].code:
        return True
    if lines[ends[0]].origin != block.span.start:
        return True
    own = range(block.span.start, block.span.end + 1)
    if any(not ends[0] <= n <= ends[1] for origin in own for n in places.get(origin, ())):
        return True
    for line in lines[ends[0] : ends[1] + 1]:
        if line.origin and line.origin not in own:
            return True
        if reads_as_fence(line):
            return True
    return False


def _column(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())
