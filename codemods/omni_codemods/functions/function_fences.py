"""The fences of one function, with its comments as the tree has them."""

from __future__ import annotations

from omni_codemods.functions.fences import Comment, Fences, indent_of, pair_fences
from omni_codemods.functions.tree import Kind, Node, Tree


def function_fences(tree: Tree, first: int = 1) -> Fences:
    """Pair the fences of one function, which starts at line *first* of its file.

    Positions are lines of the function; messages name lines of the file.

    The tree's comment nodes that are fences are marked as such.
    """
    found = pair_fences(_comments(tree), first - 1)
    fence_lines = {f.line for f in found.fences}
    for node in tree.root.walk():
        if node.kind is Kind.COMMENT and node.line in fence_lines:
            node.fence = True
    return found


def _comments(tree: Tree) -> list[Comment]:
    out: list[Comment] = []

    def visit(node: Node, scope: str) -> None:
        if node.kind is Kind.CLAUSE and node.word in ("def", "class"):
            scope = f"{scope}.{node.key[node.key.index(node.word) + 1]}"
        if node.kind is Kind.COMMENT:
            out.append(Comment(node.tokens[0], node.tokens[0].column, scope))
        else:
            out.extend(
                Comment(token, indent_of(tree.lines[token.line - 1]), scope)
                for token in node.tokens
                if token.is_comment
            )
        for child in node.children:
            visit(child, scope)

    visit(tree.root, "")
    return sorted(out, key=lambda c: c.token.line)
