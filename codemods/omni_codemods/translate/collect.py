"""One walk over the interesting statements of a module: scopes, and the facts in them."""

from __future__ import annotations

import ast
import fnmatch
import re
from collections.abc import Sequence

from omni_codemods.names.scopes import (
    Binding,
    BindingKind,
    Guard,
    Scope,
    ScopeKind,
    import_bindings,
)
from omni_codemods.text.newer import NewerModule
from omni_codemods.text.offsets import Source
from omni_codemods.translate import guards
from omni_codemods.translate.collect_assignments import AssignmentCollector
from omni_codemods.translate.collect_values import target_name
from omni_codemods.translate.facts import OTHER, Facts, Reference, StarImport
from omni_codemods.translate.interest import Interest


def collect_facts(source: Source, tree: ast.Module, interest: Interest) -> Facts:
    """Walk *tree* and return what concerns the table, with the scopes to resolve it in."""
    collector = _Collector(source, interest, exact=isinstance(tree, NewerModule))
    collector.block(tree.body)
    return collector.facts


class _Collector(AssignmentCollector):
    def block(self, statements: list[ast.stmt]) -> None:
        """Visit the interesting statements of one suite."""
        before, choosers = self.guard, self.choosers
        for statement in statements:
            if self.interest.touches(statement):
                self.visit(statement)
                if isinstance(statement, ast.If) and not statement.orelse:
                    self._after(statement)
                elif isinstance(statement, ast.Assert):
                    self._after_assert(statement)
        self.guard, self.choosers = before, choosers

    def nested(self, statements: list[ast.stmt]) -> None:
        """Visit a suite inside the one at hand."""
        self.depth += 1
        self.block(statements)
        self.depth -= 1

    def _after(self, node: ast.If) -> None:
        """The rest of the suite runs only where *node*, which left it, did not hold."""
        if not guards.leaves_block(node.body):
            return
        guard = self.guards.guard(node.test)
        if guard is not Guard.GPU or self.guards.asked(node.test) != guards.ONLY:
            self.guard = guards.stronger(self.guard, guard)
        self._choose(self.last_test)

    def _after_assert(self, node: ast.Assert) -> None:
        """The rest of the suite runs only where *node* held."""
        if self.guards.asked(node.test) in (guards.ONLY, guards.UNCLEAR):
            self.guard = guards.stronger(self.guard, self.guards.guard(node.test))
        self._choose(self.last_test)

    def visit_Assert(self, node: ast.Assert) -> None:
        start = len(self.facts.references)
        self.visit(node.test)
        self.last_test = self.facts.references[start:]
        if node.msg is not None:
            self.visit(node.msg)

    def visit_While(self, node: ast.While) -> None:
        """Visit a loop, whose test lets the body in as that of an ``if`` does."""
        before, choosers = self.guard, self.choosers
        start = len(self.facts.references)
        self.visit(node.test)
        self._choose(self.facts.references[start:])
        if self.guards.asked(node.test) in (guards.ONLY, guards.UNCLEAR):
            self.guard = guards.stronger(before, self.guards.guard(node.test))
        self.nested(node.body)
        self.guard, self.choosers = before, choosers
        self.nested(node.orelse)

    def generic_visit(self, node: ast.AST) -> None:
        for _, value in ast.iter_fields(node):
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self.nested(value)
                else:
                    for item in value:
                        if isinstance(item, ast.AST):
                            self.visit(item)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind(node.name, node.lineno)
        before, self.guard = self.guard, self._guard_of_function(node.name)
        start = len(self.facts.references)
        self._visit_all(node.decorator_list)
        # skipif(not torch.cuda.is_available()) is a test for all of the function.
        tests = [one for one in self.facts.references[start:] if self._is_asked(one)]
        inner = Scope(ScopeKind.FUNCTION, None, node)
        self._defaults(node.args, inner)
        outer = self._type_parameters(node)
        for argument in _arguments(node.args):
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        self._function(node.args, node.body, node.name, inner, tests)
        self.scope = outer
        self.guard = before

    def _guard_of_function(self, name: str) -> Guard:
        """``GPU`` for one whose name says that it asks for the GPU: so read those who call it."""
        guard = self._guard_of_twin(name)
        return guards.stronger(guard, Guard.GPU) if name in self.interest.guards else guard

    def _is_asked(self, reference: Reference) -> bool:
        """Whether *reference* asks for the GPU, or is a variable that does."""
        if reference.path is None:
            return not reference.chain
        index = self.interest.index
        space = index.namespace_of(reference.path)
        return space is not None and index.is_question(reference.path, space)

    def _guard_of_twin(self, name: str) -> Guard:
        """``BOTH`` for a function or class whose NPU twin is in the module, else as before."""
        for gpu in self.interest.devices:
            for npu in self.interest.npu_words:
                for spell in (str, str.upper, str.capitalize):
                    twin = name.replace(spell(gpu), spell(npu))
                    if twin != name and find_word(self.source.text, twin) >= 0:
                        return Guard.BOTH
        return self.guard

    def _guard_of_class(self, node: ast.ClassDef) -> Guard:
        """``BOTH`` for a class that is for one device on purpose, or has a twin, else as before."""
        names = (node.name, *map(target_name, node.bases))
        patterns = self.interest.index.device_classes
        if any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns):
            return Guard.BOTH
        return self._guard_of_twin(node.name)

    def _type_parameters(self, node: ast.AST) -> Scope:
        """Open a scope for the type parameters of *node* if it has any; return the one before."""
        outer = self.scope
        parameters = getattr(node, "type_params", [])
        if parameters:
            self.scope = self._open(ScopeKind.FUNCTION, node)
            for parameter in parameters:
                self._bind(parameter.name, parameter.lineno)
                self.visit(parameter)
        return outer

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        inner = Scope(ScopeKind.FUNCTION, None, node)
        self._defaults(node.args, inner)
        self._function(node.args, node.body, "", inner)

    def _function(
        self,
        args: ast.arguments,
        body: list[ast.stmt] | ast.expr,
        name: str,
        inner: Scope,
        tests: Sequence[Reference] = (),
    ) -> None:
        saved = self.scope, self.walrus_scope, self.choosers, self.suite
        function = self.function, self.function_scope
        inner.parent = self.function_scope = self.scope
        self.facts.scopes.append(inner)
        self.scope = self.walrus_scope = inner
        self.choosers = None
        self._choose(tests)
        for argument in _arguments(args):
            self._bind(argument.arg, argument.lineno)
        if isinstance(body, list):
            self.function, self.suite = name, self.depth + 1
            self.nested(body)
        else:
            self.function = ""
            self.visit(body)
        self.scope, self.walrus_scope, self.choosers, self.suite = saved
        self.function, self.function_scope = function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node.lineno)
        before, self.guard = self.guard, self._guard_of_class(node)
        self._visit_all(node.decorator_list)
        outer = self._type_parameters(node)
        for base in node.bases:
            start = len(self.facts.references)
            self.visit(base)
            if isinstance(base, (ast.Name, ast.Attribute)) and len(self.facts.references) > start:
                self.facts.references[start].base_of = node.name
        self._visit_all(node.keywords)
        saved = self.scope, self.walrus_scope, self.choosers, self.suite
        self.scope = self.walrus_scope = self._open(ScopeKind.CLASS, node)
        self.choosers, self.suite = None, self.depth + 1
        self.nested(node.body)
        self.scope, self.walrus_scope, self.choosers, self.suite = saved
        self.scope = outer
        self.guard = before

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for bound, path, alias in import_bindings(node):
            if bound == "*":
                offset = self.source.span(node)[0]
                self.facts.stars.append(StarImport(path[:-2], offset, self.scope))
            elif bound in self.interest.names:
                self.scope.bind(
                    bound,
                    Binding(
                        BindingKind.IMPORT,
                        node.lineno,
                        path,
                        alias,
                        node,
                        self.guard,
                        top_level=self.depth == 0,
                        direct=self.depth == self.suite,
                        declared=bound in self.scope.globals | self.scope.nonlocals,
                    ),
                )

    visit_ImportFrom = visit_Import  # noqa: N815

    def visit_Global(self, node: ast.Global) -> None:
        self._declare(node, self.scope.globals)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._declare(node, self.scope.nonlocals)

    def _declare(self, node: ast.Global | ast.Nonlocal, declared: set[str]) -> None:
        start, end = self.source.span(node)
        for name in node.names:
            if name in self.interest.names:
                declared.add(name)
                at = find_word(self.source.text, name, start, end)
                span = (at, at + len(name))
                self._reference(name, (), (span,), offset=at).declares = True

    def visit_If(self, node: ast.If) -> None:
        tests, branches = _chain(node)
        guard = self.guards.chain(tests)
        statements = [statement for branch in branches for statement in branch]
        if len(branches) > 1 and guards.names_npu_module(statements, self.interest):
            guard = Guard.BOTH
        before = self.guard
        self.guard = guards.stronger(before, guard)
        self._branch(node)
        self.guard = before

    def _branch(self, node: ast.If) -> None:
        guard, asked = self.guards.guard(node.test), self.guards.asked(node.test)
        before, choosers = self.guard, self.choosers
        inside = self.guard = guards.stronger(before, guard)
        start = len(self.facts.references)
        self.visit(node.test)
        test = self.last_test = self.facts.references[start:]
        self._chosen(node.body, asked, 1)
        self._chosen(node.orelse, asked, -1)
        self._choose(test)
        self.guard = before if asked == guards.NEVER else inside
        self.nested(node.body)
        self.guard = before if asked in (None, guards.ONLY) else inside
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            if self.interest.touches(node.orelse[0]):
                self._branch(node.orelse[0])
        elif node.orelse:
            self.nested(node.orelse)
        self.guard, self.choosers = before, choosers
        self.last_test = test

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._value(node, OTHER)

    def visit_Try(self, node: ast.Try) -> None:
        """Visit a ``try``: where one side is for the NPU, the other handles the rest."""
        before = self.guard
        handlers = [statement for handler in node.handlers for statement in handler.body]
        body_npu = guards.names_npu(node.body, self.interest)
        handlers_npu = guards.names_npu(handlers, self.interest)
        if handlers_npu:
            self.guard = Guard.BOTH
        self.nested(node.body)
        self.guard = Guard.BOTH if body_npu else before
        self._visit_all(node.handlers)
        self.guard = before
        self.nested(node.orelse)
        self.nested(node.finalbody)

    visit_TryStar = visit_Try  # noqa: N815

    def visit_match_case(self, node: ast.match_case) -> None:
        """Visit a ``case``, which may be for one device."""
        before = self.guard
        self.visit(node.pattern)
        self.guard = guards.stronger(before, self.guards.pattern(node.pattern))
        if node.guard is not None:
            self.visit(node.guard)
        self.nested(node.body)
        self.guard = before

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name, node.lineno)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self._bind(node.name, node.lineno)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name, node.lineno)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._bind(node.rest, node.lineno)
        self.generic_visit(node)


def _arguments(args: ast.arguments) -> list[ast.arg]:
    stars = [a for a in (args.vararg, args.kwarg) if a is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]


def _chain(node: ast.If) -> tuple[list[ast.expr], list[list[ast.stmt]]]:
    tests, branches = [node.test], [node.body]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        tests.append(node.test)
        branches.append(node.body)
    if node.orelse:
        branches.append(node.orelse)
    return tests, branches


def find_word(text: str, word: str, start: int = 0, end: int | None = None) -> int:
    """The offset of *word* standing alone in *text*, or -1."""
    pattern = re.compile(rf"{re.escape(word)}(?!\w)(?<!\w{re.escape(word)})")
    match = pattern.search(text, start, len(text) if end is None else end)
    return match.start() if match else -1
