"""What a local file holds of the upstream: its copies, with their blocks and their drift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.model import Block, Span
from omni_codemods.functions.account import Account
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment, shared
from omni_codemods.functions.diff import Entry, Ledger, Pair, Role, Run, make_ledger
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.statement_brackets import without_fenced
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.rebuild.splice import parse
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Located


@dataclass(frozen=True, slots=True)
class Drift:
    """A difference outside of every block, with its first line; for code that local deleted
    *span* is the line before the gap."""

    span: Span
    summary: str
    deletion: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """What the local copy of one function has of its own: lines of the local file.

    *copied* is the share of the upstream's code that local has (0 to 1). *changed* are statements
    that are the upstream's and other than there, whether a block did it or drift.
    """

    blocks: tuple[Block, ...]
    drift: tuple[Drift, ...]
    copied: float
    changed: tuple[Span, ...] = ()

    @property
    def lines(self) -> frozenset[int]:
        """The lines that a rebase keeps, because they are not the upstream's."""
        drift = (one.span for one in self.drift if not one.deletion)
        spans = (*(block.span for block in self.blocks), *drift, *self.changed)
        return frozenset(line for span in spans for line in range(span.start, span.end + 1))


def find_holding(local: Located, base: Located) -> Holding:
    """Compare a local function with the upstream function that it was copied from.

    Raises SourceError, *side* ``local`` or ``base``.
    """
    mine = parse(local, "local")
    theirs = parse(base, "base", last_part(local.qualname))
    alignment = align(theirs, mine)
    blocks = function_fences(mine).blocks
    account = Account(blocks, mine)
    ledger = make_ledger(theirs.root, mine.root, alignment)
    above = local.start - 1
    drift = [
        Drift(Span(d.span.start + above, d.span.end + above), d.summary, d.deletion)
        for d in sorted(
            _drift(ledger, account, alignment), key=lambda d: (d.span.start, d.span.end)
        )
    ]
    return Holding(
        tuple(_lower(block, above) for block in blocks),
        tuple(drift),
        shared(theirs, alignment),
        tuple(_changed(ledger, above)),
    )


def _changed(ledger: Ledger, above: int) -> Iterator[Span]:
    """The statements that both have, and that are not the same."""
    for pair in ledger.pairs:
        node = pair.edited
        if node.kind is Kind.STATEMENT and pair.ancestor.key != node.key:
            yield Span(node.line + above, node.line + above + max(0, len(node.lines) - 1))


def _lower(block: Block, above: int) -> Block:
    span = Span(block.span.start + above, block.span.end + above)
    return Block(block.opening, block.closing, span, block.scope)


def _drift(ledger: Ledger, account: Account, alignment: Alignment) -> Iterator[Drift]:
    for run in ledger.runs:
        yield from _run_drift(run, account, alignment)
    for pair in ledger.pairs:
        if _is_changed(pair, account):
            last = pair.edited.line + max(0, len(pair.edited.lines) - 1)
            yield Drift(Span(pair.edited.line, last), _first_line(pair.edited))


def _run_drift(run: Run, account: Account, alignment: Alignment) -> Iterator[Drift]:
    free = [e for e in run.inserted if _is_code(e) and account.owner(e.node) is None]
    if free:
        first, last = free[0].node, max(_end(e) for e in free)
        yield Drift(Span(first.line, last), _first_line(first))
        return
    lost = [e.node for e in run.deleted if _is_code(e)]
    # What a block stands beside it may have replaced.
    if lost and not any(account.owner(e.node) is not None for e in run.inserted):
        line = _line_before(run, alignment)
        yield Drift(Span(line, line), _first_line(lost[0]), deletion=True)


def _line_before(run: Run, alignment: Alignment) -> int:
    for entry in reversed(run.entries[: run.start]):
        if entry.node in alignment.right:
            return alignment.right[entry.node].end_line
    partner = alignment.right.get(run.block)
    return partner.line if partner is not None else 1


def _is_code(entry: Entry) -> bool:
    return entry.node.is_code and entry.role is not Role.CLOSE


def _end(entry: Entry) -> int:
    """The last line of a node, or of the header alone where what it holds is the upstream's."""
    node = entry.node
    return node.end_line if entry.role is Role.NODE else node.line + max(0, len(node.lines) - 1)


def _is_changed(pair: Pair, account: Account) -> bool:
    if (
        pair.ancestor.kind not in (Kind.STATEMENT, Kind.CLAUSE)
        or pair.ancestor.key == pair.edited.key
    ):
        return False
    if account.owner(pair.edited) is not None:
        return False
    return not (account.inside(pair.edited) and without_fenced(pair.edited) == pair.ancestor.key)


def _first_line(node: Node) -> str:
    while not node.lines and node.children:
        node = node.children[0]
    return node.lines[0].strip() if node.lines else ""
