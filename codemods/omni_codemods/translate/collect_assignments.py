# ruff: noqa: D102 - the names of visitor methods come from ast
"""Visiting what gives a variable its value: assignments, defaults, and what functions return."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from omni_codemods.names.scopes import Scope, ScopeKind, Variable
from omni_codemods.translate.collect_expressions import ExpressionCollector
from omni_codemods.translate.collect_values import target_name
from omni_codemods.translate.facts import Given, Place, Reference


class AssignmentCollector(ExpressionCollector):
    """The part of the walk that knows which variable a value goes to."""

    def visit_Assign(self, node: ast.Assign) -> None:
        placeholder = isinstance(node.value, ast.Constant) and node.value.value is None
        for target in node.targets:
            self._target(target, placeholder)
        if target_name(node.targets[0]) == "__all__" and self.scope.kind is ScopeKind.MODULE:
            self._exports(node.value)
        self._give(node.targets, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        self._target(node.target, False)
        if node.value is not None and target_name(node.target) == "__all__":
            self._exports(node.value)
        if node.value is not None and target_name(node.annotation) == "TypeAlias":
            self._annotation(node.value)
        elif node.value is not None:
            self._give([node.target], node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.target)
        if target_name(node.target) == "__all__":
            self._exports(node.value)
        self.visit(node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        scope, self.scope = self.scope, self.walrus_scope
        self.visit(node.target)
        self.scope = scope
        self._value_of((Variable(node.target.id, self.walrus_scope),), node.target.id, node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        start = len(self.facts.references)
        self._value(node.value, Place("returned", self.function))
        if self.function:
            self._given((self._function_itself(),), node.value, self.facts.references[start:])

    def _function_itself(self) -> Variable:
        home = self.function_scope
        assert home is not None
        return Variable(self.function, home)

    def _give(self, targets: list[ast.expr], value: ast.expr) -> None:
        """*value* goes to every one of *targets*; to the parts of one, where both are tuples."""
        first = targets[0]
        if isinstance(first, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            plain = not any(isinstance(e, ast.Starred) for e in (*first.elts, *value.elts))
            if len(targets) == 1 and plain and len(first.elts) == len(value.elts):
                for part, given in zip(first.elts, value.elts, strict=True):
                    self._give([part], given)
                return
        whole = any(isinstance(target, (ast.Tuple, ast.List)) for target in targets)
        variables = tuple(self._variables(targets))
        self._value_of(variables, target_name(first), value, whole=whole)

    def _value_of(
        self, variables: tuple[Variable, ...], name: str, value: ast.expr, *, whole: bool = False
    ) -> None:
        start = len(self.facts.references)
        # A tuple's parts are answered by the whole, but none of them is the whole.
        place = Place("assigned", name, variables=() if whole else variables)
        self._value(value, place)
        self._given(variables, value, self.facts.references[start:])

    def _variables(self, targets: Iterable[ast.expr]) -> Iterable[Variable]:
        for target in targets:
            if isinstance(target, ast.Name):
                yield Variable(target.id, self.scope)
            elif isinstance(target, ast.Attribute):
                yield Variable(f".{target.attr}", self.scope)
            elif isinstance(target, (ast.Tuple, ast.List)):
                yield from self._variables(target.elts)

    def _given(
        self, variables: tuple[Variable, ...], value: ast.expr, references: list[Reference]
    ) -> None:
        answer = self.guards.answer(value) if self.interest.guarded else None
        if variables and (references or answer is not None):
            self.facts.given.append(Given(variables, tuple(references), answer))

    def _chosen(self, statements: list[ast.stmt], asked: int | None, holds: int) -> None:
        """A variable that is set to True or False, behind the last test, answers as that does.

        *asked* is how the test asks for the GPU; *holds* is 1 where it holds, and -1 elsewhere.
        """
        if asked is None and not self.last_test:
            return
        for statement in statements:
            value = getattr(statement, "value", None)
            if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
                continue
            answer = None if asked is None else asked * holds * (1 if value.value else -1)
            if isinstance(statement, ast.Return) and self.function:
                variables: tuple[Variable, ...] = (self._function_itself(),)
            elif isinstance(statement, ast.Assign):
                variables = tuple(self._variables(statement.targets))
            else:
                continue
            if variables:
                self.facts.given.append(Given(variables, tuple(self.last_test), answer))

    def _defaults(self, args: ast.arguments, inner: Scope) -> None:
        """Visit the defaults of parameters, which are variables of the scope *inner*."""
        positional = [*args.posonlyargs, *args.args]
        first = len(positional) - len(args.defaults)
        pairs = [
            *zip(positional[first:], args.defaults, strict=True),
            *zip(args.kwonlyargs, args.kw_defaults, strict=True),
        ]
        for argument, default in pairs:
            if default is not None:
                # The scope is still empty, and so the variable is told to be its own.
                self._value_of((Variable(argument.arg, inner),), argument.arg, default)
