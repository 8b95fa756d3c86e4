"""Proposals that hang together: what brings a name and what reads it are taken or left as one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from omni_codemods.functions.tree import Node, Tree
from omni_codemods.names.reads import Names, names_of


@dataclass(frozen=True, slots=True)
class Proposed:
    """Code of the sibling that is not brought over, why, and the *cause* that it shares with
    other proposals, empty where it stands alone."""

    nodes: Sequence[Node]
    why: str
    cause: str = ""


def text_of(nodes: Sequence[Node], tree: Tree) -> str:
    """Return the lines of *nodes*, which stand together in *tree*."""
    return "".join(tree.lines[nodes[0].line - 1 : nodes[-1].end_line])


def with_causes(found: Sequence[Proposed], known: Collection[str]) -> list[Proposed]:
    """Return *found* with one cause for what hangs together.

    Two hang together where they have a cause in common, or where one gives a value to a variable
    that the other reads and that the copy, which binds *known*, does not have. What is named by no
    cause yet is named by the variable.
    """
    names = [_names(one.nodes) for one in found]
    group = list(range(len(found)))
    shared: dict[int, set[str]] = {}
    for i, one in enumerate(found):
        for j, other in enumerate(found):
            if i == j:
                continue
            passed = (names[i].binds & names[j].reads) - set(known)
            links = {name for name in passed if "." not in name}
            if links or (one.cause and one.cause == other.cause):
                first, second = sorted((group[i], group[j]))
                group = [first if g == second else g for g in group]
                shared.setdefault(i, set()).update(links)
    out = []
    for i, one in enumerate(found):
        members = [j for j, g in enumerate(group) if g == group[i]]
        said = [found[j].cause for j in members if found[j].cause]
        through = set().union(*(shared.get(j, set()) for j in members))
        named = said[0] if said else f"it gives or reads {min(through)}" if through else ""
        out.append(replace(one, cause=named))
    return out


def _names(nodes: Sequence[Node]) -> Names:
    found = [names_of(node.text()) for node in nodes]
    return Names(
        reads=frozenset().union(*(one.reads for one in found)),
        binds=frozenset().union(*(one.binds for one in found)),
    )
