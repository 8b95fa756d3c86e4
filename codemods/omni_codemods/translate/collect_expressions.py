# ruff: noqa: D102 - the names of visitor methods come from ast
"""Visiting expressions: references, calls and members of unknown objects."""

from __future__ import annotations

import ast

from omni_codemods.names.scopes import Binding, BindingKind, ScopeKind
from omni_codemods.translate import guards
from omni_codemods.translate.collect_values import ValueCollector, target_name
from omni_codemods.translate.facts import OTHER, CallFact, MemberFact, Place, Reference

# Methods of strings that compare, or look for one in another.
_COMPARING = frozenset(
    ("startswith", "endswith", "find", "rfind", "index", "count", "replace", "removeprefix")
)


class ExpressionCollector(ValueCollector):
    """The part of the walk below statements; :mod:`collect` has the rest."""

    def visit_Name(self, node: ast.Name) -> None:
        if node.id not in self.interest.names:
            return
        stored = not isinstance(node.ctx, ast.Load)
        span = self._span(node)
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, node.lineno)
        elif isinstance(node.ctx, ast.Del):
            # "del name" makes the name local, as an assignment does.
            binding = Binding(BindingKind.PLACEHOLDER, node.lineno, guard=self.guard, span=span)
            self.scope.bind(node.id, binding)
        self._reference(node.id, (), (span,), offset=span[0], stored=stored)

    def _target(self, target: ast.expr, placeholder: bool) -> None:
        if placeholder and isinstance(target, ast.Name) and target.id in self.interest.names:
            span = self._span(target)
            binding = Binding(BindingKind.PLACEHOLDER, target.lineno, guard=self.guard, span=span)
            self.scope.bind(target.id, binding)
            self._reference(target.id, (), (span,), offset=span[0], stored=True, placeholder=True)
        else:
            self.visit(target)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._chain(node, None)

    def _chain(self, node: ast.Attribute, call: ast.Call | None) -> Reference | None:
        attributes: list[ast.Attribute] = []
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            attributes.append(root)
            root = root.value
        attributes.reverse()
        if isinstance(root, ast.Name) and root.id in self.interest.names:
            spans = (self._span(root), *(self._name_end(a, a.attr) for a in attributes))
            return self._reference(
                root.id,
                tuple(a.attr for a in attributes),
                spans,
                offset=spans[0][0],
                stored=not isinstance(node.ctx, ast.Load),
                call=call,
            )
        self.visit(root)
        if self.interest.attributes:
            self._attribute_variables(attributes, node, call)
        for attribute in attributes:
            if attribute.attr in self.interest.index.members:
                called = call is not None and attribute is node
                offset = self._name_end(attribute, attribute.attr)[0]
                self.facts.members.append(MemberFact(attribute.attr, called, offset, self.guard))
        return None

    def _attribute_variables(
        self, attributes: list[ast.Attribute], last: ast.Attribute, call: ast.Call | None
    ) -> None:
        """Refer to those of *attributes* that are followed as variables of the module."""
        for attribute in attributes:
            name = f".{attribute.attr}"
            if name in self.interest.attributes:
                span = self._name_end(attribute, attribute.attr)
                stored = not isinstance(attribute.ctx, ast.Load)
                self._reference(
                    name,
                    () if attribute is last else ("",),
                    (span,),
                    offset=span[0],
                    stored=stored,
                    call=call if attribute is last else None,
                )

    def visit_Call(self, node: ast.Call) -> None:
        callee: Reference | None = None
        if isinstance(node.func, ast.Attribute):
            callee = self._chain(node.func, node)
        elif isinstance(node.func, ast.Name) and node.func.id in self.interest.names:
            span = self._span(node.func)
            callee = self._reference(node.func.id, (), (span,), offset=span[0], call=node)
        else:
            self.visit(node.func)
        tail = _tail(node.func)
        self.facts.calls.append(
            CallFact(
                node, callee, tail, self.scope, self.guard, self._span(node)[0], self._inexact()
            )
        )
        if tail[:1] == ("__all__",):
            self._visit_exports(node.args)
        self._arguments_of(node, callee, tail)

    def _visit_exports(self, nodes: list[ast.expr]) -> None:
        for argument in nodes:
            self._exports(argument)

    def visit_Dict(self, node: ast.Dict) -> None:
        before = self.guard
        found = self.guards.keys(node)
        for key, value, guard in zip(node.keys, node.values, found, strict=True):
            if key is not None:
                self.visit(key)
            self.guard = guards.stronger(before, guard)
            self.visit(value)
            self.guard = before

    def _arguments_of(
        self, node: ast.Call, callee: Reference | None, tail: tuple[str, ...]
    ) -> None:
        kind, name = ("method" if isinstance(node.func, ast.Attribute) else "argument"), tail[-1]
        starred = False
        for position, argument in enumerate(node.args):
            place = Place("positional" if position else kind, name, callee, position)
            place = OTHER if starred else place  # behind a star nobody knows the position
            starred = starred or isinstance(argument, ast.Starred)
            if isinstance(argument, ast.Constant) and _is_type(tail, position):
                self._annotation(argument)
            elif isinstance(node.func, ast.Attribute) and name in _COMPARING:
                self._compared(argument, target_name(node.func.value))
            else:
                self._value(argument, place)
        for keyword in node.keywords:
            if keyword.arg == "bound" and tail[-1:] == ("TypeVar",):
                self._annotation(keyword.value)
            else:
                self._value(keyword.value, Place("keyword", keyword.arg or "", callee))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.annotation and _tail(node.value)[-1:] == ("Literal",):
            return
        start = len(self.facts.references)
        self.visit(node.value)
        if self.annotation:
            if _tail(node.value)[-1:] == ("Annotated",) and isinstance(node.slice, ast.Tuple):
                self.visit(node.slice.elts[0])
            else:
                self.visit(node.slice)
            return
        found = self.facts.references[start:]
        name = _tail(node.value)[-1]
        place = Place("subscript", name, callee=found[0] if found else None)
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,):
            self._value(part, place)

    def visit_Compare(self, node: ast.Compare) -> None:
        contains = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        start = len(self.facts.references)
        for comparator in node.comparators if contains else []:
            self._compared(comparator, target_name(node.left))
        found = self.facts.references[start:]
        operands = (node.left, *node.comparators)
        name = next((name for name in map(target_name, operands) if name), "")
        place = Place("contained" if contains else "compared", name, found[0] if found else None)
        self._value(node.left, place)
        if not contains:
            for comparator in node.comparators:
                self._value(comparator, place)

    def _compared(self, node: ast.expr, name: str) -> None:
        """Visit what *name* is compared with: each of several."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            for part in node.elts:
                self._value(part, Place("compared", name))
        elif isinstance(node, ast.Constant):
            self._value(node, Place("compared", name))
        else:
            self.visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        before, self.subject = self.subject, target_name(node.subject)
        self._value(node.subject, Place("compared"))
        self._visit_all(node.cases)
        self.subject = before

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        self._value(node.value, Place("compared", self.subject))

    def visit_ListComp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        self.visit(node.generators[0].iter)
        outer, choosers = self.scope, self.choosers
        self.scope = self._open(ScopeKind.FUNCTION, node)
        for position, generator in enumerate(node.generators):
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            start = len(self.facts.references)
            self._visit_all(generator.ifs)
            self._choose(self.facts.references[start:])
        if isinstance(node, ast.DictComp):
            self._visit_all([node.key, node.value])
        else:
            self.visit(node.elt)
        self.scope, self.choosers = outer, choosers

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> None:
        self._value(node.value, Place("statement"))

    def visit_Constant(self, node: ast.Constant) -> None:
        self._value(node, OTHER)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._value(node, OTHER)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._value(node, OTHER)


def _is_type(tail: tuple[str, ...], position: int) -> bool:
    """Whether a string at *position* of a call spells a type."""
    name = tail[-1] if tail else ""
    first, last = {"cast": (0, 0), "ForwardRef": (0, 0), "NewType": (1, 1), "TypeVar": (1, 99)}.get(
        name, (1, 0)
    )
    return first <= position <= last


def _tail(node: ast.expr) -> tuple[str, ...]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "*")
    return tuple(reversed(names))
