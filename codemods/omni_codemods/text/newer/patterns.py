# ruff: noqa: D102, ARG002 - methods are named after the nodes of libcst, and called alike
"""The patterns of ``case`` in a libcst tree as those of :mod:`ast`."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst

from omni_codemods.text.newer.expressions import Expressions

_SINGLETONS = {"None": None, "True": True, "False": False}


class Patterns(Expressions):
    """Makes :mod:`ast` patterns; a method for each class of libcst, by its name."""

    def pattern(self, node: cst.CSTNode) -> Any:
        """The pattern *node*."""
        return getattr(self, type(node).__name__)(node, ast.Load())

    def MatchValue(self, node: cst.MatchValue, ctx: ast.expr_context) -> ast.pattern:
        return self.at.put(ast.MatchValue(self.expression(node.value)), node.value)

    def MatchSingleton(self, node: cst.MatchSingleton, ctx: ast.expr_context) -> ast.pattern:
        return self.at.put(ast.MatchSingleton(_SINGLETONS[node.value.value]), node.value)

    def MatchList(self, node: Any, ctx: ast.expr_context) -> ast.pattern:
        parts = [self.pattern(part) for part in node.patterns]
        if isinstance(node, cst.MatchTuple) and node.lpar:
            return self.at.put(ast.MatchSequence(parts), node.lpar[-1], node.rpar[0])
        return self.at.put(ast.MatchSequence(parts), node)

    MatchTuple = MatchList

    def MatchSequenceElement(
        self, node: cst.MatchSequenceElement, ctx: ast.expr_context
    ) -> ast.pattern:
        return self.pattern(node.value)  # type: ignore[no-any-return]

    def MatchOrElement(self, node: cst.MatchOrElement, ctx: ast.expr_context) -> ast.pattern:
        return self.pattern(node.pattern)  # type: ignore[no-any-return]

    def MatchStar(self, node: cst.MatchStar, ctx: ast.expr_context) -> ast.pattern:
        return self.at.put(ast.MatchStar(node.name.value if node.name else None), node)

    def MatchMapping(self, node: cst.MatchMapping, ctx: ast.expr_context) -> ast.pattern:
        keys = [self.expression(e.key) for e in node.elements]
        patterns = [self.pattern(e.pattern) for e in node.elements]
        rest = node.rest.value if node.rest is not None else None
        return self.at.put(ast.MatchMapping(keys, patterns, rest), node)

    def MatchClass(self, node: cst.MatchClass, ctx: ast.expr_context) -> ast.pattern:
        positional = [self.pattern(part) for part in node.patterns]
        names = [part.key.value for part in node.kwds]
        named = [self.pattern(part.pattern) for part in node.kwds]
        return self.at.put(
            ast.MatchClass(self.expression(node.cls), positional, names, named), node
        )

    def MatchAs(self, node: cst.MatchAs, ctx: ast.expr_context) -> ast.pattern:
        inner = self.pattern(node.pattern) if node.pattern is not None else None
        return self.at.put(ast.MatchAs(inner, node.name.value if node.name else None), node)

    def MatchOr(self, node: cst.MatchOr, ctx: ast.expr_context) -> ast.pattern:
        return self.at.put(ast.MatchOr([self.pattern(part) for part in node.patterns]), node)
