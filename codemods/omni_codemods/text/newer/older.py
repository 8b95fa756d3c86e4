"""A tree in newer syntax put into words that every Python knows, with the same names in it."""

from __future__ import annotations

import ast
import copy
from typing import Any

from omni_codemods.text.newer.stand_ins import TemplateStr, TryStar, TypeAlias


def older_text(tree: ast.Module) -> str:
    """Code with the scopes and names of *tree*, for what takes text: the parser, symtable.

    It means something else, and its lines are others. Raises ValueError where it cannot be
    written down.
    """
    older = _Older().visit(copy.deepcopy(tree))
    return ast.unparse(ast.fix_missing_locations(older))


class _Older(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        node = self.generic_visit(node)
        if isinstance(node, (ast.JoinedStr, TemplateStr)):
            return ast.Tuple(list(_inside(node)), ast.Load())
        if isinstance(node, TypeAlias):
            return _alias(node)
        if isinstance(node, TryStar):
            return ast.Try(**{name: getattr(node, name) for name in ast.Try._fields})
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return _without_type_parameters(node)
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Starred):
            node.annotation = node.annotation.value
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            elements = [e.value if isinstance(e, ast.Starred) else e for e in node.slice.elts]
            node.slice.elts = elements
        return node


def _inside(node: Any) -> list[ast.expr]:
    """The expressions in an f-string or t-string, those in its format specifications too."""
    found: list[ast.expr] = []
    for part in node.values:
        if not isinstance(part, ast.Constant):
            found.append(part.value)
            found += [part.format_spec] if part.format_spec is not None else []
    return found


def _alias(node: Any) -> ast.stmt:
    value = node.value
    if node.type_params:
        value = ast.Lambda(_parameters(node.type_params), value)
    return ast.Assign([node.name], value)


def _without_type_parameters(node: Any) -> ast.stmt:
    """A function of the same name around *node*, whose parameters are the type parameters."""
    parameters = getattr(node, "type_params", [])
    if not parameters:
        return node  # type: ignore[no-any-return]
    node.type_params = []
    around: Any = ast.FunctionDef(node.name, _parameters(parameters), [node], [], None)
    around.type_params = []
    return around  # type: ignore[no-any-return]


def _parameters(nodes: list[Any]) -> ast.arguments:
    """Keyword-only parameters of the names of *nodes*, with their bounds and defaults."""
    values = [[getattr(node, name, None) for name in ("bound", "default_value")] for node in nodes]
    given = [[value for value in pair if value is not None] for pair in values]
    return ast.arguments(
        posonlyargs=[],
        args=[],
        kwonlyargs=[ast.arg(node.name) for node in nodes],
        kw_defaults=[ast.Tuple(pair, ast.Load()) if pair else None for pair in given],
        defaults=[],
    )
