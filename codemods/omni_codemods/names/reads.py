"""Which names a piece of code reads, and which it binds."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

from omni_codemods.text.parsing import find_tree
from omni_codemods.text.walks import walk


@dataclass(frozen=True, slots=True)
class Names:
    """Names read and bound; ``self.x`` counts as a name of its own."""

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()


@functools.lru_cache(maxsize=256)
def names_of(text: str) -> Names:
    """Return the names of the statements in *text*; nothing where it cannot be parsed alone."""
    tree = find_tree(as_module(text))
    return Names() if tree is None else collect(tree)


def as_module(text: str) -> str:
    """Make indented code a module, its strings left as they are: put it under an ``if``."""
    return f"if 1:\n{text}" if text.lstrip("\r\n")[:1] in " \t" else text


def collect(tree: ast.AST) -> Names:
    """Return all names that *tree* reads and binds, at any depth."""
    reads: set[str] = set()
    binds: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else binds).add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            (reads if isinstance(node.ctx, ast.Load) else binds).add(name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            binds.add(node.name)
        elif isinstance(node, ast.alias):
            binds.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            binds.add(node.name)
    return Names(frozenset(reads), frozenset(binds))
