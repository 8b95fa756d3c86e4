"""The base of the transformers that work on their own, for any project.

A transformer *finds* the nodes that change, by what libcst knows about names, and *writes* the
change into each. ``omni-port translate`` finds in another way, quicker (facts from :mod:`ast`),
and has the same functions write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import libcst as cst
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand
from libcst.metadata import (
    ParentNodeProvider,
    PositionProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
)

from omni_codemods.translate.transformers.changes import NodeChange
from omni_codemods.translate.transformers.writing import WRITERS


@dataclass(frozen=True, slots=True)
class Example:
    """A text before and after a transformer that was made with *arguments*."""

    before: str
    after: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Rewrite(VisitorBasedCodemodCommand):
    """A codemod that changes nodes one by one.

    A subclass says which nodes it looks at (*nodes*) and what becomes of each (:meth:`find`);
    its *examples* are its tests and its documentation.
    """

    METADATA_DEPENDENCIES = (QualifiedNameProvider, ParentNodeProvider, PositionProvider)
    nodes: ClassVar[tuple[type[cst.CSTNode], ...]] = ()
    examples: ClassVar[Sequence[Example]] = ()

    def __init__(self, context: CodemodContext) -> None:
        super().__init__(context)

    def find(self, node: Any) -> NodeChange | None:
        """What is to become of *node*, as it was before all changes; None where it stays."""
        raise NotImplementedError

    def write(self, node: Any, change: NodeChange) -> Any:
        """The *node*, inside which others may have changed already, with *change* made."""
        return WRITERS[type(change)](node, change)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        """Write what :meth:`find` decides."""
        left = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, self.nodes) or not isinstance(left, cst.CSTNode):
            return left
        change = self.find(original_node)
        return left if change is None else self.write(left, change)

    # What libcst knows

    def meanings(self, node: cst.CSTNode) -> frozenset[str]:
        """The dotted paths that *node* may stand for by the module's imports, and builtins."""
        found: Any = self.get_metadata(QualifiedNameProvider, node, ())
        names = found() if callable(found) else found
        return frozenset(n.name for n in names if n.source is not QualifiedNameSource.LOCAL)

    def means(self, node: cst.CSTNode, path: str) -> bool:
        """Whether *node* stands for the dotted *path*, and for nothing else.

        A *path* that starts with ``*.`` is a method, or the last names of any callee.
        """
        if path.startswith("*."):
            return f".{cst.helpers.get_full_name_for_node(node) or ''}".endswith(path[1:])
        return self.meanings(node) == {path}

    def place(self, node: cst.CSTNode) -> str:
        """Where *node* stands, as ``line:column``, for warnings."""
        start = self.get_metadata(PositionProvider, node).start
        return f"{start.line}:{start.column}"


def parameter(parser: Any, name: str, what: str, *, optional: bool = False) -> None:
    """Let a command take ``--name``; for ``add_args``."""
    parser.add_argument(f"--{name}", required=not optional, default="", help=what)
