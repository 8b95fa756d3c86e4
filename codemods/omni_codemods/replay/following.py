"""What a block of the skeleton holds and goes where the edited side goes.

See *What a block of the NPU copy holds, in a sync* in docs/internals/replay-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omni_codemods.functions.account import Item
from omni_codemods.functions.tree import Kind, Node
from omni_codemods.replay.facts import Facts
from omni_codemods.replay.plan import Plan


def follow(
    item: Item, nodes: Iterable[Node], new: Sequence[Node], facts: Facts, plan: Plan
) -> None:
    """Record that the followers among *nodes* of the skeleton become *new*, of clauses the header.

    Nothing is recorded where none of them is one.
    """
    held = [n for n in nodes if n in facts.options.held.followers]
    plan.followed.update(held)
    if held:
        why = f"a block holds {facts.words.edited}'s older code, word for word"
        before, after = ("".join(map(_told, each)) for each in (held, new))
        item.follow(before, after, why)


def _told(node: Node) -> str:
    return "".join(node.lines) if node.kind is Kind.CLAUSE else node.text()
