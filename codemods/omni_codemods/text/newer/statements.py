# ruff: noqa: D102, ARG002 - methods are named after the nodes of libcst, and called alike
"""The statements of a libcst tree as those of :mod:`ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from omni_codemods.text.newer.expressions import operator
from omni_codemods.text.newer.patterns import Patterns
from omni_codemods.text.newer.stand_ins import (
    ParamSpec,
    TryStar,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
)


class Statements(Patterns):
    """Makes :mod:`ast` statements; a method for each class of libcst, by its name."""

    def module(self, node: cst.Module) -> ast.Module:
        """The whole module."""
        return ast.Module(list(self._suite(node.body)), [])

    def suite(self, node: cst.BaseSuite) -> list[ast.stmt]:
        """The statements of an indented block, or of the rest of a line."""
        if isinstance(node, cst.SimpleStatementSuite):
            return [self.expression(small) for small in node.body]
        assert isinstance(node, cst.IndentedBlock)
        return list(self._suite(node.body))

    def _suite(self, nodes: Sequence[cst.CSTNode]) -> Iterator[ast.stmt]:
        for node in nodes:
            if isinstance(node, cst.SimpleStatementLine):
                yield from (self.expression(small) for small in node.body)
            else:
                yield self.expression(node)

    def Expr(self, node: cst.Expr, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Expr(self.expression(node.value)), node)

    def Pass(self, node: cst.Pass, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Pass(), node)

    def Break(self, node: cst.Break, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Break(), node)

    def Continue(self, node: cst.Continue, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Continue(), node)

    def Return(self, node: cst.Return, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Return(self.optional(node.value)), node)

    def Raise(self, node: cst.Raise, ctx: ast.expr_context) -> ast.stmt:
        cause = node.cause.item if node.cause is not None else None
        return self.at.put(ast.Raise(self.optional(node.exc), self.optional(cause)), node)

    def Assert(self, node: cst.Assert, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Assert(self.expression(node.test), self.optional(node.msg)), node)

    def Del(self, node: cst.Del, ctx: ast.expr_context) -> ast.stmt:
        target = self.expression(node.target, ast.Del())
        bare = isinstance(target, ast.Tuple) and not node.target.lpar
        return self.at.put(ast.Delete(target.elts if bare else [target]), node)

    def Global(self, node: cst.Global, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Global([item.name.value for item in node.names]), node)

    def Nonlocal(self, node: cst.Nonlocal, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Nonlocal([item.name.value for item in node.names]), node)

    def Import(self, node: cst.Import, ctx: ast.expr_context) -> ast.stmt:
        return self.at.put(ast.Import([self._alias(alias) for alias in node.names]), node)

    def ImportFrom(self, node: cst.ImportFrom, ctx: ast.expr_context) -> ast.stmt:
        module = _dotted(node.module) if node.module is not None else None
        if isinstance(node.names, cst.ImportStar):
            names = [self.at.put(ast.alias("*", None), node.names)]
        else:
            names = [self._alias(alias) for alias in node.names]
        return self.at.put(ast.ImportFrom(module, names, len(node.relative)), node)

    def _alias(self, node: cst.ImportAlias) -> ast.alias:
        asname = node.asname.name if node.asname is not None else None
        bound = asname.value if isinstance(asname, cst.Name) else None
        return self.at.put(ast.alias(_dotted(node.name), bound), node.name, asname)

    def Assign(self, node: cst.Assign, ctx: ast.expr_context) -> ast.stmt:
        targets = [self.expression(target.target, ast.Store()) for target in node.targets]
        return self.at.put(ast.Assign(targets, self.expression(node.value)), node)

    def AnnAssign(self, node: cst.AnnAssign, ctx: ast.expr_context) -> ast.stmt:
        simple = int(isinstance(node.target, cst.Name) and not node.target.lpar)
        target = self.expression(node.target, ast.Store())
        note = self.annotation(node.annotation)
        return self.at.put(ast.AnnAssign(target, note, self.optional(node.value), simple), node)

    def AugAssign(self, node: cst.AugAssign, ctx: ast.expr_context) -> ast.stmt:
        target = self.expression(node.target, ast.Store())
        value = self.expression(node.value)
        return self.at.put(ast.AugAssign(target, operator(node.operator), value), node)

    def TypeAlias(self, node: cst.TypeAlias, ctx: ast.expr_context) -> Any:
        made: Any = TypeAlias
        new = made(
            name=self.expression(node.name, ast.Store()),
            type_params=self._type_parameters(node.type_parameters),
            value=self.expression(node.value),
        )
        return self.at.put(new, node)

    def _type_parameters(self, node: cst.TypeParameters | None) -> list[ast.AST]:
        return [self._type_parameter(param) for param in node.params] if node is not None else []

    def _type_parameter(self, node: cst.TypeParam) -> ast.AST:
        kinds: dict[str, Any] = {
            "TypeVar": TypeVar,
            "ParamSpec": ParamSpec,
            "TypeVarTuple": TypeVarTuple,
        }
        inner = node.param
        new = kinds[type(inner).__name__]()
        new.name = inner.name.value
        if isinstance(inner, cst.TypeVar):
            new.bound = self.optional(inner.bound)
        default = self.optional(node.default)
        if default is not None and node.star:
            default = ast.Starred(default, ast.Load())
            self.at.put(default, node.default)  # type: ignore[arg-type]
        new.default_value = default
        return self.at.put(new, node)  # type: ignore[no-any-return]

    def If(self, node: cst.If, ctx: ast.expr_context) -> ast.stmt:
        new = ast.If(self.expression(node.test), self.suite(node.body), self._else(node.orelse))
        return self.at.put(new, node, self._last(node))

    def _else(self, node: cst.CSTNode | None) -> list[ast.stmt]:
        if node is None:
            return []
        if isinstance(node, cst.If):
            return [self.If(node, ast.Load())]
        assert isinstance(node, (cst.Else, cst.Finally))
        return self.suite(node.body)

    def While(self, node: cst.While, ctx: ast.expr_context) -> ast.stmt:
        new = ast.While(self.expression(node.test), self.suite(node.body), self._else(node.orelse))
        return self.at.put(new, node, self._last(node))

    def For(self, node: cst.For, ctx: ast.expr_context) -> ast.stmt:
        made: Any = ast.For if node.asynchronous is None else ast.AsyncFor
        target, iterated = self.expression(node.target, ast.Store()), self.expression(node.iter)
        new = made(target, iterated, self.suite(node.body), self._else(node.orelse))
        return self.at.put(new, node, self._last(node))  # type: ignore[no-any-return]

    def With(self, node: cst.With, ctx: ast.expr_context) -> ast.stmt:
        made: Any = ast.With if node.asynchronous is None else ast.AsyncWith
        items = [
            ast.withitem(
                self.expression(item.item),
                self.expression(item.asname.name, ast.Store()) if item.asname else None,
            )
            for item in node.items
        ]
        new = made(items, self.suite(node.body))
        return self.at.put(new, node, self._last(node))  # type: ignore[no-any-return]

    def Try(self, node: cst.Try | cst.TryStar, ctx: ast.expr_context) -> ast.stmt:
        made: Any = ast.Try if isinstance(node, cst.Try) else TryStar
        new = made(
            body=self.suite(node.body),
            handlers=[self._handler(handler) for handler in node.handlers],
            orelse=self._else(node.orelse),
            finalbody=self._else(node.finalbody),
        )
        return self.at.put(new, node, self._last(node))  # type: ignore[no-any-return]

    TryStar = Try

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.ExceptHandler:
        name = node.name.name if node.name is not None else None
        bound = name.value if isinstance(name, cst.Name) else None
        new = ast.ExceptHandler(self.optional(node.type), bound, self.suite(node.body))
        return self.at.put(new, node, self._last(node))

    def Match(self, node: cst.Match, ctx: ast.expr_context) -> ast.stmt:
        cases = [
            ast.match_case(self.pattern(c.pattern), self.optional(c.guard), self.suite(c.body))
            for c in node.cases
        ]
        new = ast.Match(self.expression(node.subject), cases)
        return self.at.put(new, node, self._last(node))

    def FunctionDef(self, node: cst.FunctionDef, ctx: ast.expr_context) -> ast.stmt:
        made: Any = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
        new = made(
            name=node.name.value,
            args=self.parameters(node.params),
            body=self.suite(node.body),
            decorator_list=[self.expression(d.decorator) for d in node.decorators],
            returns=self.annotation(node.returns),
        )
        new.type_params = self._type_parameters(node.type_parameters)
        return self.at.put(new, node, self._last(node))  # type: ignore[no-any-return]

    def ClassDef(self, node: cst.ClassDef, ctx: ast.expr_context) -> ast.stmt:
        bases, keywords = self.arguments([*node.bases, *node.keywords])
        new: Any = ast.ClassDef(
            name=node.name.value,
            bases=bases,
            keywords=keywords,
            body=self.suite(node.body),
            decorator_list=[self.expression(d.decorator) for d in node.decorators],
        )
        new.type_params = self._type_parameters(node.type_parameters)
        return self.at.put(new, node, self._last(node))  # type: ignore[no-any-return]

    def _last(self, node: Any) -> cst.CSTNode:
        """The last statement in *node*, where :mod:`ast` says that it ends."""
        for field in ("finalbody", "orelse", "handlers", "cases"):
            inner = getattr(node, field, None)
            if isinstance(inner, cst.CSTNode):
                return self._last(inner)
            if inner:
                return self._last(inner[-1])
        body = getattr(node, "body", None)
        if isinstance(body, cst.BaseSuite):
            last = body.body[-1]
            return (
                self._last(last)
                if not isinstance(last, cst.SimpleStatementLine)
                else (last.body[-1])
            )
        return node  # type: ignore[no-any-return]


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    assert isinstance(node, cst.Name)
    return node.value
