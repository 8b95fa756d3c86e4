"""What a function promises to return, as it is written: by an annotation, or by its returns."""

from __future__ import annotations

import ast

from omni_codemods.text.dotted import last_part
from omni_codemods.text.walks import walk

# A function of more lines is not read for what it returns.
_SHORT = 30
_AROUND = frozenset({"Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired"})


def class_named(node: ast.expr | None) -> str | None:
    """Return the dotted name of the one class that *node* promises, ``None`` where it is not one.

    What may be ``None`` besides promises it too; a union of two classes promises neither.
    """
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return class_named(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _one_of([node.left, node.right])
    if isinstance(node, ast.Subscript):
        name = last_part(ast.unparse(node.value))
        if name in _AROUND:
            inner = node.slice
            return class_named(inner.elts[0] if isinstance(inner, ast.Tuple) else inner)
        if name == "Union" and isinstance(node.slice, ast.Tuple):
            return _one_of(node.slice.elts)
        return None
    return plain_path(node)


def _one_of(parts: list[ast.expr]) -> str | None:
    """The class of a union with ``None``; no class of any other."""
    real = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]
    return class_named(real[0]) if len(real) == 1 else None


def plain_path(node: ast.expr) -> str | None:
    """Return ``a.b.c`` as text, ``None`` for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = plain_path(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def short_returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr | None]:
    """Return what each ``return`` of *function* gives; nothing where it is long, or a generator."""
    if (function.end_lineno or function.lineno) - function.lineno > _SHORT:
        return []
    nodes = list(walk(function))
    if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in nodes):
        return []
    return [n.value for n in nodes if isinstance(n, ast.Return)]
