"""What a change of the sibling reads and binds."""

from __future__ import annotations

from omni_codemods.functions.tree import Kind, Node
from omni_codemods.names.reads import Names, names_of


class Use:
    """The names of a change: of a whole statement, or of the header of a compound."""

    def __init__(self, node: Node) -> None:
        self.node = node
        whole = node.kind is not Kind.CLAUSE
        names = names_of(node.text()) if whole else Names(reads=frozenset(node.key))
        self.reads = names.reads
        self.binds = frozenset(name for name in names.binds if "." not in name)
        self.code = node.code if whole else node.head
        plain = node.kind is Kind.STATEMENT and self.binds == names.binds
        self.is_variable = plain and bool(self.binds)
        self.is_value = self.is_variable and "(" not in node.key
