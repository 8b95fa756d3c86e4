"""The entries of a run of the sibling's ledger: which are code, and what of them stays out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from omni_codemods.functions.diff import Entry, Role, Run
from omni_codemods.functions.tree import Node


def first_code(entries: Iterable[Entry]) -> Node | None:
    """Return the first code among *entries*, ``None`` where there is none."""
    return next((e.node for e in entries if e.role is Role.NODE and e.node.is_code), None)


def pieces_left(run: Run, pieces: Collection[Entry]) -> Iterator[list[Node]]:
    """The inserted code of *run* that does not travel, in pieces that stand together."""
    nodes: list[Node] = []
    for entry in run.inserted:
        if entry.role is Role.NODE and says_something(entry.node) and entry not in pieces:
            nodes.append(entry.node)
        elif entry.node.is_code and nodes:
            yield nodes
            nodes = []
    if nodes:
        yield nodes


def says_something(node: Node) -> bool:
    """Whether *node* is code other than a docstring."""
    return node.is_code and not node.code.lstrip("rRuU").startswith(("'", '"'))


def is_code(entry: Entry) -> bool:
    """Whether *entry* is more than a comment."""
    return entry.node.is_code
