# ruff: noqa: D102, ARG002 - methods are named after the nodes of libcst, and called alike
"""The expressions of a libcst tree as those of :mod:`ast`."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from typing import Any

import libcst as cst

from omni_codemods.text.newer.positions import Positions
from omni_codemods.text.newer.stand_ins import Interpolation, TemplateStr

_OPERATORS: dict[str, type[ast.AST]] = {
    "Add": ast.Add, "Subtract": ast.Sub, "Multiply": ast.Mult, "Divide": ast.Div,
    "FloorDivide": ast.FloorDiv, "Modulo": ast.Mod, "Power": ast.Pow,
    "MatrixMultiply": ast.MatMult, "LeftShift": ast.LShift, "RightShift": ast.RShift,
    "BitAnd": ast.BitAnd, "BitOr": ast.BitOr, "BitXor": ast.BitXor, "And": ast.And,
    "Or": ast.Or, "Not": ast.Not, "Minus": ast.USub, "Plus": ast.UAdd, "BitInvert": ast.Invert,
    "Equal": ast.Eq, "NotEqual": ast.NotEq, "LessThan": ast.Lt, "LessThanEqual": ast.LtE,
    "GreaterThan": ast.Gt, "GreaterThanEqual": ast.GtE, "In": ast.In, "NotIn": ast.NotIn,
    "Is": ast.Is, "IsNot": ast.IsNot,
}  # fmt: skip


def operator(node: cst.CSTNode) -> Any:
    """The operator of *node*, augmented ones as their plain form."""
    return _OPERATORS[type(node).__name__.removesuffix("Assign")]()


class Expressions:
    """Makes :mod:`ast` expressions; a method for each class of libcst, by its name."""

    def __init__(self, positions: Positions) -> None:
        self.at = positions

    def expression(self, node: cst.CSTNode, ctx: ast.expr_context | None = None) -> Any:
        """The expression *node*, which is stored or deleted where *ctx* says so."""
        return getattr(self, type(node).__name__)(node, ctx or ast.Load())

    def optional(self, node: cst.CSTNode | None) -> Any:
        """The expression *node*, None where there is none."""
        return None if node is None else self.expression(node)

    def Name(self, node: cst.Name, ctx: ast.expr_context) -> ast.expr:
        known = {"True": True, "False": False, "None": None}
        if node.value in known:
            return self.at.put(ast.Constant(known[node.value]), node)
        return self.at.put(ast.Name(node.value, ctx), node)

    def Attribute(self, node: cst.Attribute, ctx: ast.expr_context) -> ast.expr:
        value = self.expression(node.value)
        return self.at.put(ast.Attribute(value, node.attr.value, ctx), node)

    def Integer(self, node: cst.Integer, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.Constant(ast.literal_eval(node.value)), node)

    Float = Imaginary = Integer

    def Ellipsis(self, node: cst.Ellipsis, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.Constant(...), node)

    def SimpleString(self, node: cst.SimpleString, ctx: ast.expr_context) -> ast.expr:
        kind = "u" if node.prefix == "u" else None
        return self.at.put(ast.Constant(_evaluated(node.value), kind), node)

    def ConcatenatedString(self, node: cst.ConcatenatedString, ctx: ast.expr_context) -> Any:
        parts = [self.expression(node.left), self.expression(node.right)]
        plain = all(isinstance(part, ast.Constant) for part in parts)
        if plain:
            values = parts[0].value + parts[1].value
            return self.at.put(ast.Constant(values, parts[0].kind), node)
        pieces: list[ast.expr] = []
        for part in parts:
            inner = [part] if isinstance(part, ast.Constant) else part.values
            for piece in inner:
                _append(pieces, piece)
        template = any(isinstance(part, TemplateStr) for part in parts)
        made: Any = TemplateStr if template else ast.JoinedStr
        return self.at.put(made(pieces), node)

    def FormattedString(self, node: cst.FormattedString, ctx: ast.expr_context) -> ast.expr:
        raw = "r" in node.prefix.lower()
        return self.at.put(ast.JoinedStr(self._pieces(node.parts, node, raw)), node)

    def TemplatedString(self, node: Any, ctx: ast.expr_context) -> Any:
        raw = "r" in node.start.lower()
        made: Any = TemplateStr
        return self.at.put(made(self._pieces(node.parts, node, raw)), node)

    def _pieces(self, parts: Sequence[Any], whole: cst.CSTNode, raw: bool) -> list[ast.expr]:
        pieces: list[ast.expr] = []
        for part in parts:
            if isinstance(part, cst.FormattedStringText) or type(part).__name__ == (
                "TemplatedStringText"
            ):
                value = part.value.replace("{{", "{").replace("}}", "}")
                text = value if raw else _evaluated('"""' + value.replace('"', '\\"') + '"""')
                _append(pieces, self.at.put(ast.Constant(text), part))
                continue
            if part.equal is not None:
                shown = cst.Module([]).code_for_node(
                    part.with_changes(conversion=None, format_spec=None)
                )
                _append(pieces, self.at.put(ast.Constant(shown[1:-1]), part))
            pieces.append(self._replaced(part, whole, raw))
        return pieces

    def _replaced(self, part: Any, whole: cst.CSTNode, raw: bool) -> Any:
        spec = None
        if part.format_spec is not None:
            ends = part.format_spec[0] if part.format_spec else part, *part.format_spec[-1:]
            spec = self.at.put(ast.JoinedStr(self._pieces(part.format_spec, whole, raw)), *ends)
        shown = part.equal is not None and spec is None and not part.conversion
        conversion = ord(part.conversion) if part.conversion else (114 if shown else -1)
        value = self.expression(part.expression)
        if isinstance(part, cst.FormattedStringExpression):
            return self.at.put(ast.FormattedValue(value, conversion, spec), part)
        made: Any = Interpolation
        new = made(value=value, conversion=conversion, format_spec=spec)
        new.str = cst.Module([]).code_for_node(part.expression)
        return self.at.put(new, part)

    def Tuple(self, node: cst.Tuple, ctx: ast.expr_context) -> ast.expr:
        new = ast.Tuple([self.expression(e, ctx) for e in node.elements], ctx)
        return self.at.put_parenthesized(new, node)

    def List(self, node: cst.List, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.List([self.expression(e, ctx) for e in node.elements], ctx), node)

    def Set(self, node: cst.Set, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.Set([self.expression(e) for e in node.elements]), node)

    def Element(self, node: cst.Element, ctx: ast.expr_context) -> ast.expr:
        return self.expression(node.value, ctx)  # type: ignore[no-any-return]

    def StarredElement(self, node: cst.StarredElement, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.Starred(self.expression(node.value, ctx), ctx), node)

    def Dict(self, node: cst.Dict, ctx: ast.expr_context) -> ast.expr:
        keys = [self.optional(getattr(e, "key", None)) for e in node.elements]
        values = [self.expression(e.value) for e in node.elements]
        return self.at.put(ast.Dict(keys, values), node)

    def BinaryOperation(self, node: cst.BinaryOperation, ctx: ast.expr_context) -> ast.expr:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.at.put(ast.BinOp(left, operator(node.operator), right), node)

    def BooleanOperation(self, node: cst.BooleanOperation, ctx: ast.expr_context) -> ast.expr:
        left, right = self.expression(node.left), self.expression(node.right)
        same = isinstance(left, ast.BoolOp) and not node.left.lpar
        made = operator(node.operator)
        if same and type(left.op) is type(made):
            return self.at.put(ast.BoolOp(made, [*left.values, right]), node)
        return self.at.put(ast.BoolOp(made, [left, right]), node)

    def UnaryOperation(self, node: cst.UnaryOperation, ctx: ast.expr_context) -> ast.expr:
        value = self.expression(node.expression)
        return self.at.put(ast.UnaryOp(operator(node.operator), value), node)

    def Comparison(self, node: cst.Comparison, ctx: ast.expr_context) -> ast.expr:
        operators = [operator(target.operator) for target in node.comparisons]
        others = [self.expression(target.comparator) for target in node.comparisons]
        return self.at.put(ast.Compare(self.expression(node.left), operators, others), node)

    def IfExp(self, node: cst.IfExp, ctx: ast.expr_context) -> ast.expr:
        parts = (self.expression(part) for part in (node.test, node.body, node.orelse))
        return self.at.put(ast.IfExp(*parts), node)

    def NamedExpr(self, node: cst.NamedExpr, ctx: ast.expr_context) -> ast.expr:
        target = self.expression(node.target, ast.Store())
        return self.at.put(ast.NamedExpr(target, self.expression(node.value)), node)

    def Await(self, node: cst.Await, ctx: ast.expr_context) -> ast.expr:
        return self.at.put(ast.Await(self.expression(node.expression)), node)

    def Yield(self, node: cst.Yield, ctx: ast.expr_context) -> ast.expr:
        if isinstance(node.value, cst.From):
            return self.at.put(ast.YieldFrom(self.expression(node.value.item)), node)
        return self.at.put(ast.Yield(self.optional(node.value)), node)

    def Lambda(self, node: cst.Lambda, ctx: ast.expr_context) -> ast.expr:
        body = self.expression(node.body)
        return self.at.put(ast.Lambda(self.parameters(node.params), body), node)

    def Call(self, node: cst.Call, ctx: ast.expr_context) -> ast.expr:
        positional, keywords = self.arguments(node.args)
        for argument in node.args:
            if isinstance(argument.value, cst.GeneratorExp) and not argument.value.lpar:
                callee = node.func.rpar[-1] if node.func.rpar else node.func
                self.at.put_behind(positional[0], callee, node)
        return self.at.put(ast.Call(self.expression(node.func), positional, keywords), node)

    def arguments(self, nodes: Sequence[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
        """The arguments of a call or class, those with a keyword apart."""
        positional: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for argument in nodes:
            if argument.keyword is not None or argument.star == "**":
                name = argument.keyword.value if argument.keyword is not None else None
                new = ast.keyword(name, self.expression(argument.value))
                keywords.append(self.at.put(new, argument))
            elif argument.star:
                starred = ast.Starred(self.expression(argument.value), ast.Load())
                positional.append(self.at.put(starred, argument))
            else:
                positional.append(self.expression(argument.value))
        return positional, keywords

    def Subscript(self, node: cst.Subscript, ctx: ast.expr_context) -> ast.expr:
        parts = [self._index(element.slice) for element in node.slice]
        alone = len(parts) == 1 and not isinstance(node.slice[0].comma, cst.Comma)
        if alone and not isinstance(parts[0], ast.Starred):
            index = parts[0]
        else:
            last = node.slice[-1].slice
            index = self.at.put(ast.Tuple(parts, ast.Load()), node.slice[0], last)
        return self.at.put(ast.Subscript(self.expression(node.value), index, ctx), node)

    def _index(self, node: cst.BaseSlice) -> Any:
        if isinstance(node, cst.Slice):
            bounds = [self.optional(part) for part in (node.lower, node.upper, node.step)]
            return self.at.put(ast.Slice(*bounds), node, _end_of_slice(node))
        assert isinstance(node, cst.Index)
        value = self.expression(node.value)
        return self.at.put(ast.Starred(value, ast.Load()), node) if node.star else value

    def ListComp(self, node: cst.ListComp, ctx: ast.expr_context) -> ast.expr:
        loops = self._loops(node.for_in)
        return self.at.put(ast.ListComp(self.expression(node.elt), loops), node)

    def SetComp(self, node: cst.SetComp, ctx: ast.expr_context) -> ast.expr:
        loops = self._loops(node.for_in)
        return self.at.put(ast.SetComp(self.expression(node.elt), loops), node)

    def GeneratorExp(self, node: cst.GeneratorExp, ctx: ast.expr_context) -> ast.expr:
        new = ast.GeneratorExp(self.expression(node.elt), self._loops(node.for_in))
        return self.at.put_parenthesized(new, node)

    def DictComp(self, node: cst.DictComp, ctx: ast.expr_context) -> ast.expr:
        key, value = self.expression(node.key), self.expression(node.value)
        return self.at.put(ast.DictComp(key, value, self._loops(node.for_in)), node)

    def _loops(self, node: cst.CompFor | None) -> list[ast.comprehension]:
        found: list[ast.comprehension] = []
        while node is not None:
            tests = [self.expression(test.test) for test in node.ifs]
            target = self.expression(node.target, ast.Store())
            is_async = int(node.asynchronous is not None)
            found.append(ast.comprehension(target, self.expression(node.iter), tests, is_async))
            node = node.inner_for_in
        return found

    def parameters(self, node: cst.Parameters) -> ast.arguments:
        """The parameters of a function."""
        positional = [*node.posonly_params, *node.params]
        star = node.star_arg if isinstance(node.star_arg, cst.Param) else None
        return ast.arguments(
            posonlyargs=[self._parameter(p) for p in node.posonly_params],
            args=[self._parameter(p) for p in node.params],
            vararg=self._parameter(star) if star is not None else None,
            kwonlyargs=[self._parameter(p) for p in node.kwonly_params],
            kw_defaults=[self.optional(p.default) for p in node.kwonly_params],
            kwarg=self._parameter(node.star_kwarg) if node.star_kwarg is not None else None,
            defaults=[self.expression(p.default) for p in positional if p.default is not None],
        )

    def _parameter(self, node: cst.Param) -> ast.arg:
        note = self.annotation(node.annotation)
        last = node.annotation if node.annotation is not None else None
        return self.at.put(ast.arg(node.name.value, note), node.name, last)

    def annotation(self, node: cst.Annotation | None) -> Any:
        """What an annotation says, None without one."""
        if node is None:
            return None
        if isinstance(node.annotation, cst.StarredElement):  # *args: *Ts
            return self.StarredElement(node.annotation, ast.Load())
        return self.expression(node.annotation)


def _end_of_slice(node: cst.Slice) -> cst.CSTNode:
    colons = (node.first_colon, node.second_colon)
    last_colon = next(c for c in reversed(colons) if isinstance(c, cst.Colon))
    if isinstance(node.second_colon, cst.Colon):
        return node.step or last_colon
    return node.upper or last_colon


def _evaluated(literal: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(literal)


def _append(pieces: list[ast.expr], piece: ast.expr) -> None:
    """Add *piece*; text joins the text before it."""
    last: Any = pieces[-1] if pieces else None
    if isinstance(piece, ast.Constant) and isinstance(last, ast.Constant):
        last.value += piece.value  # type: ignore[operator]
        last.end_lineno, last.end_col_offset = piece.end_lineno, piece.end_col_offset
    else:
        pieces.append(piece)
