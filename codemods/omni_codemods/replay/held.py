"""What stands in blocks of the skeleton: what of it nothing changes but a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from omni_codemods.functions.tree import Node


@dataclass(frozen=True, slots=True)
class Held:
    """What the blocks of the skeleton hold, where it has any: in a sync, those of the NPU copy.

    *lines* are theirs, *protected* the nodes that have one of these. *followers* of them say what
    the ancestor says, and go where the edited side goes, but for those that *stay*, which only a
    person takes out; *elements* are statements of which only elements are in a block; *marks* has
    the fence behind each statement that it marks as a whole.
    """

    lines: frozenset[int] = frozenset()
    protected: frozenset[Node] = frozenset()
    followers: frozenset[Node] = frozenset()
    stay: frozenset[Node] = frozenset()
    elements: frozenset[Node] = frozenset()
    marks: Mapping[Node, str] = field(default_factory=dict)

    def asks(self, skeleton: Node) -> bool:
        """Whether only a person may change *skeleton*."""
        return skeleton in self.protected and skeleton not in self.followers

    def may_go(self, skeleton: Node, *, replaced: bool) -> bool:
        """Whether *skeleton* may be taken out; *replaced* says that code comes in its place.

        A fence behind a statement marks that statement, and not what comes in its place.
        """
        if self.asks(skeleton) or (replaced and skeleton in self.marks):
            return False
        return self.stay.isdisjoint(skeleton.walk())

    def keeps_elements(self, skeleton: Node, text: str) -> bool:
        """Whether *text* has the lines of *skeleton* that stand in a block as they are."""
        own = enumerate(skeleton.lines, skeleton.line)
        mine = Counter(line.strip() for number, line in own if number in self.lines)
        return not mine - Counter(line.strip() for line in text.splitlines())


NOTHING_HELD = Held()
