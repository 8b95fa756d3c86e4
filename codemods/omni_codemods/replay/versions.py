"""The three versions that a replay compares, whatever its caller calls them.

The *ancestor* is what the two others came from. The *edited* one has the edits that are to be
carried over, the *skeleton* is what they are put into::

              edits                       rebase              sync
    ancestor ────────> edited             base, local         sibling before, sibling after
        │
        └────────────> skeleton           target              the NPU copy
"""

from __future__ import annotations

from dataclasses import dataclass

from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.tree import Node, Tree


@dataclass(frozen=True, slots=True)
class Versions:
    """Three trees, and which node of the ancestor is which of the others (``right``: theirs)."""

    ancestor: Tree
    edited: Tree
    skeleton: Tree
    to_edited: Alignment
    to_skeleton: Alignment

    def skeleton_of(self, edited: Node) -> Node | None:
        """The skeleton's version of an edited node."""
        ancestor = self.to_edited.left.get(edited)
        return self.to_skeleton.right.get(ancestor) if ancestor is not None else None

    def edited_of(self, skeleton: Node) -> Node | None:
        """The edited version of a skeleton node."""
        ancestor = self.to_skeleton.left.get(skeleton)
        return self.to_edited.right.get(ancestor) if ancestor is not None else None
