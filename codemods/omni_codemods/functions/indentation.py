"""By how much a function is indented, and the same function indented otherwise."""

from __future__ import annotations

from omni_codemods.findings.errors import SourceError
from omni_codemods.functions.tree import Kind, Node, Tree, parse_function


def indent_unit(tree: Tree) -> str:
    """The white space by which the function's body is indented."""
    for node in tree.root.walk():
        if node.kind is Kind.CLAUSE and node.children and node.word != "@":
            return node.body_indent[len(node.indent) :]
    return "    "


def with_unit(tree: Tree, unit: str) -> Tree:
    """The same function indented by *unit*, where it is indented otherwise."""
    if indent_unit(tree) == unit:
        return tree
    lines = list(tree.lines)

    def visit(node: Node, depth: int) -> None:
        for i in range(len(node.lines)):
            at = node.line + i
            if at not in tree.interior and lines[at - 1].startswith(node.indent):
                lines[at - 1] = unit * depth + lines[at - 1][len(node.indent) :]
        deeper = depth + (node.kind is Kind.CLAUSE and node.word != "@")
        for child in node.children:
            visit(child, deeper)

    visit(tree.root, 0)
    try:
        return parse_function("".join(lines))
    except SourceError:
        return tree
