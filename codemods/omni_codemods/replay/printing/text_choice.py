"""Whose text is printed where the plan says nothing, and how it is laid out.

Equal code may be written in two ways. Where a rebase carries edits, the file's own way of writing
stays (*edited*) unless the upstream rewrote the comment; where a sync does, the file is the
skeleton, and nothing of it is written anew that no edit is about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from omni_codemods.functions.account import own_comments
from omni_codemods.functions.alignment import same_head
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.replay.printing.lines import Line, Side
from omni_codemods.replay.versions import Versions


class TextChoice(Protocol):
    """Chooses the text of a skeleton node that no plan changes."""

    @property
    def own(self) -> Side:
        """The side that the written file itself is."""

    def choose(self, node: Node) -> tuple[Node, Tree]:
        """The node to print in place of *node*, and its tree."""

    def blanks(self, node: Node) -> Sequence[str]:
        """The blank lines before *node*."""

    def reword(self, lines: list[Line], edited: Node, node: Node) -> None:
        """Give the printed *lines* of *edited* the comment that *node* has, where it is newer."""


@dataclass(frozen=True, slots=True)
class EditedFirst:
    """Where all three say the same, in the edited side's text."""

    versions: Versions

    @property
    def own(self) -> Side:
        """The side that the written file itself is."""
        return Side.EDITED

    def choose(self, node: Node) -> tuple[Node, Tree]:
        """The edited text, unless the skeleton changed the code or the comment."""
        versions = self.versions
        ancestor = versions.to_skeleton.left.get(node)
        edited = versions.edited_of(node)
        if ancestor is None or edited is None:
            return node, versions.skeleton
        theirs, old, mine = (_bare(n) for n in (node, ancestor, edited))
        if edited.head == ancestor.head == node.head and theirs != old and mine != old:
            same_comments = comments(node) == comments(ancestor)
            return (edited, versions.edited) if same_comments else (node, versions.skeleton)
        if theirs == old or (same_head(node, ancestor) and not same_head(edited, ancestor)):
            return edited, versions.edited
        return node, versions.skeleton

    def blanks(self, node: Node) -> Sequence[str]:
        """The edited side's blank lines, unless the skeleton changed them."""
        ancestor, edited = self.versions.to_skeleton.left.get(node), self.versions.edited_of(node)
        if ancestor is None or edited is None or node.blanks != ancestor.blanks:
            return node.blanks
        return edited.blanks

    def reword(self, lines: list[Line], edited: Node, node: Node) -> None:
        """The skeleton's wording of a comment behind code, if the edited side had the old one."""
        ancestor = self.versions.to_skeleton.left.get(node)
        if ancestor is None or ancestor.head == edited.head or not node.is_code:
            return
        old, mine, new = (comments(n) for n in (ancestor, edited, node))
        if old == mine and len(old) == len(new) == 1 and old != new:
            lines[-1].text = lines[-1].text.replace(old[0], new[0])


@dataclass(frozen=True, slots=True)
class SkeletonFirst:
    """The skeleton's own text, but for the *changed* nodes of the ancestor.

    *marks* are fences behind statements of the skeleton, which stay, whosever the statement is.
    """

    versions: Versions
    changed: Collection[Node]
    marks: Mapping[Node, str] = field(default_factory=dict)

    @property
    def own(self) -> Side:
        """The side that the written file itself is."""
        return Side.SKELETON

    def choose(self, node: Node) -> tuple[Node, Tree]:
        """The skeleton's text, unless an edit is about the node."""
        if self.versions.to_skeleton.left.get(node) in self.changed:
            return EditedFirst(self.versions).choose(node)
        return node, self.versions.skeleton

    def blanks(self, node: Node) -> Sequence[str]:
        """The skeleton's own."""
        return node.blanks

    def reword(self, lines: list[Line], edited: Node, node: Node) -> None:
        """The skeleton's fence stays behind the statement."""
        if (mark := self.marks.get(node)) is not None and lines:
            said = edited.tokens[-1] if edited.tokens[-1].is_comment else None
            text = lines[-1].text.rstrip()
            text = text.removesuffix(said.text).rstrip() if said is not None else text
            lines[-1].text = f"{text}  {mark}\n"


def _bare(node: Node) -> tuple[str, ...]:
    """The own lines without the indentation of the first."""
    return tuple(x.removeprefix(node.indent) for x in node.lines)


def comments(node: Node) -> list[str]:
    """The comments among a node's own lines, as text."""
    return [t.text for t in own_comments(node)] if node.is_code else list(node.key)
