"""One walk over the interesting statements of a module: scopes, and the facts in them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable

from omni_codemods.names import Binding, BindingKind, Guard, Scope, ScopeKind, import_bindings
from omni_codemods.source import Source, index_lines
from omni_codemods.translate import guards
from omni_codemods.translate.facts import (
    OTHER,
    CallFact,
    Facts,
    MemberFact,
    Place,
    Reference,
    StarImport,
    StringFact,
)
from omni_codemods.translate.format_strings import locate_chains
from omni_codemods.translate.interest import Interest

# Before 3.12 the positions of what stands inside an f-string are not to be relied on.
_EXACT_FORMAT_STRINGS = sys.version_info >= (3, 12)
_NOWHERE = (-1, -1)
_CHOSEN = ("assigned", "returned", "keyword", "argument", "method", "other")


def collect_facts(source: Source, tree: ast.Module, interest: Interest) -> Facts:
    """Walk *tree* and return what concerns the table, with the scopes to resolve it in."""
    collector = _Collector(source, interest)
    collector.block(tree.body)
    return collector.facts


class _Collector(ast.NodeVisitor):
    def __init__(self, source: Source, interest: Interest) -> None:
        self.source = source
        self.interest = interest
        self.scope = Scope(ScopeKind.MODULE, None)
        self.facts = Facts(self.scope, scopes=[self.scope])
        self.walrus_scope = self.scope
        self.guard = Guard.NONE
        self.function = ""
        self.depth = 0
        self.choosers: tuple[Reference, ...] = ()
        self.quote: tuple[int, Source] | None = None
        self.format_string = 0
        self.annotation = False

    # Statements

    def block(self, statements: list[ast.stmt]) -> None:
        """Visit the interesting statements of one suite."""
        before = self.guard
        for statement in statements:
            if self.interest.touches(statement):
                self.visit(statement)
                if isinstance(statement, ast.If):
                    self.guard = guards.stronger(self.guard, self._guard_after(statement))
        self.guard = before

    def nested(self, statements: list[ast.stmt]) -> None:
        """Visit a suite inside the one at hand."""
        self.depth += 1
        self.block(statements)
        self.depth -= 1

    def _guard_after(self, node: ast.If) -> Guard:
        if node.orelse or not guards.leaves_block(node.body):
            return Guard.NONE
        guard = guards.test_guard(node.test, self.interest)
        if guard is Guard.GPU and not guards.is_negated(node.test):
            return Guard.NONE
        return guard

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
        self._visit_all(node.decorator_list)
        self._defaults(node.args)
        for argument in _arguments(node.args):
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        self._function(node.args, node.body, node.name)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        self._function(node.args, node.body, "")

    def _function(self, args: ast.arguments, body: list[ast.stmt] | ast.expr, name: str) -> None:
        saved = self.scope, self.walrus_scope, self.function, self.choosers
        self.scope = self.walrus_scope = self._open(ScopeKind.FUNCTION)
        self.choosers = ()
        for argument in _arguments(args):
            self._bind(argument.arg, argument.lineno)
        if isinstance(body, list):
            self.function = name
            self.nested(body)
        else:
            self.visit(body)
        self.scope, self.walrus_scope, self.function, self.choosers = saved

    def _defaults(self, args: ast.arguments) -> None:
        positional = [*args.posonlyargs, *args.args]
        first = len(positional) - len(args.defaults)
        for argument, default in zip(positional[first:], args.defaults, strict=True):
            self._value(default, Place("assigned", argument.arg))
        for argument, optional in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if optional is not None:
                self._value(optional, Place("assigned", argument.arg))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node.lineno)
        self._visit_all(node.decorator_list)
        for base in node.bases:
            start = len(self.facts.references)
            self.visit(base)
            if isinstance(base, (ast.Name, ast.Attribute)) and len(self.facts.references) > start:
                self.facts.references[start].base = True
        self._visit_all(node.keywords)
        saved = self.scope, self.walrus_scope, self.choosers
        self.scope = self.walrus_scope = self._open(ScopeKind.CLASS)
        self.choosers = ()
        self.nested(node.body)
        self.scope, self.walrus_scope, self.choosers = saved

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
                at = _find_word(self.source.text, name, start, end)
                self._reference(name, (), ((at, at + len(name)),), offset=at)

    def visit_If(self, node: ast.If) -> None:
        tests, branches = _chain(node)
        guard = guards.chain_guard(tests, self.interest)
        if guard is Guard.NONE and len(branches) > 1:
            if guards.names_npu_module((s for b in branches for s in b), self.interest):
                guard = Guard.BOTH
        before = self.guard
        self.guard = guards.stronger(before, guard)
        self._branch(node)
        self.guard = before

    def _branch(self, node: ast.If) -> None:
        guard = guards.test_guard(node.test, self.interest)
        negated = guards.is_negated(node.test)
        before, choosers = self.guard, self.choosers
        self.guard = guards.stronger(before, guard)
        start = len(self.facts.references)
        self.visit(node.test)
        self.choosers = tuple(self.facts.references[start:])
        self.guard = before if negated else guards.stronger(before, guard)
        self.nested(node.body)
        self.guard = guards.stronger(before, guard) if negated else before
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            if self.interest.touches(node.orelse[0]):
                self._branch(node.orelse[0])
        elif node.orelse:
            self.nested(node.orelse)
        self.guard, self.choosers = before, choosers

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._value(node, OTHER)

    def visit_Assign(self, node: ast.Assign) -> None:
        placeholder = isinstance(node.value, ast.Constant) and node.value.value is None
        for target in node.targets:
            self._target(target, placeholder)
        name = _target_name(node.targets[0])
        if name == "__all__" and self.scope.kind is ScopeKind.MODULE:
            self._exports(node.value)
        self._value(node.value, Place("assigned", name))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        self._target(node.target, False)
        if node.value is not None:
            self._value(node.value, Place("assigned", _target_name(node.target)))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.target)
        if _target_name(node.target) == "__all__":
            self._exports(node.value)
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._value(node.value, Place("returned", self.function))

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

    # Expressions

    def visit_Name(self, node: ast.Name) -> None:
        if node.id not in self.interest.names:
            return
        stored = not isinstance(node.ctx, ast.Load)
        span = self._span(node)
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, node.lineno)
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
        for attribute in attributes:
            if attribute.attr in self.interest.index.members:
                called = call is not None and attribute is node
                offset = self._name_end(attribute, attribute.attr)[0]
                self.facts.members.append(MemberFact(attribute.attr, called, offset, self.guard))
        return None

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
        fuzzy = bool(self.format_string) and not _EXACT_FORMAT_STRINGS
        self.facts.calls.append(
            CallFact(node, callee, tail, self.scope, self.guard, self._span(node)[0], fuzzy)
        )
        self._arguments_of(node, callee, tail)

    def _arguments_of(self, node: ast.Call, callee: Reference | None, tail: tuple[str, ...]) -> None:
        for position, argument in enumerate(node.args):
            kind = "method" if isinstance(node.func, ast.Attribute) else "argument"
            place = Place(kind, tail[-1] if tail else "", callee) if position == 0 else OTHER
            if isinstance(argument, ast.Constant) and self._is_cast(tail, position):
                self._annotation(argument)
            else:
                self._value(argument, place)
        for keyword in node.keywords:
            self._value(keyword.value, Place("keyword", keyword.arg or "", callee))

    def _is_cast(self, tail: tuple[str, ...], position: int) -> bool:
        return position == 0 and tail[-1:] == ("cast",)

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
        self._value(node.slice, Place("subscript", callee=found[0] if found else None))

    def visit_Compare(self, node: ast.Compare) -> None:
        contains = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        start = len(self.facts.references)
        self._visit_all(node.comparators if contains else [])
        found = self.facts.references[start:]
        place = Place("contained", callee=found[0] if found else None)
        self._value(node.left, place if contains else Place("compared"))
        if not contains:
            for comparator in node.comparators:
                self._value(comparator, Place("compared"))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        scope, self.scope = self.scope, self.walrus_scope
        self.visit(node.target)
        self.scope = scope
        self._value(node.value, Place("assigned", node.target.id))

    def visit_ListComp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        self.visit(node.generators[0].iter)
        outer = self.scope
        self.scope = self._open(ScopeKind.FUNCTION)
        for position, generator in enumerate(node.generators):
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            self._visit_all(generator.ifs)
        if isinstance(node, ast.DictComp):
            self._visit_all([node.key, node.value])
        else:
            self.visit(node.elt)
        self.scope = outer

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp  # noqa: N815

    def visit_Constant(self, node: ast.Constant) -> None:
        self._value(node, OTHER)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._value(node, OTHER)

    # Values in a position that matters

    def _value(self, node: ast.expr, place: Place) -> None:
        if isinstance(node, ast.Constant):
            self._constant(node, place)
        elif isinstance(node, ast.JoinedStr):
            self._joined(node, place)
        elif isinstance(node, ast.IfExp):
            self._conditional(node, place)
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                self._value(value, place)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            self._value(node.left, place)
            self.visit(node.right)
        else:
            self.visit(node)

    def _conditional(self, node: ast.IfExp, place: Place) -> None:
        before, choosers = self.guard, self.choosers
        branches = (node.body, node.orelse)
        guard = guards.test_guard(node.test, self.interest)
        if guard is Guard.NONE and guards.names_npu_module(branches, self.interest):
            guard = Guard.BOTH
        inside = guards.stronger(before, guard)
        negated = guard is Guard.GPU and guards.is_negated(node.test)
        self.guard = inside
        start = len(self.facts.references)
        self.visit(node.test)
        self.choosers = tuple(self.facts.references[start:])
        for branch, spared in ((node.body, negated), (node.orelse, not negated)):
            self.guard = before if spared and guard is Guard.GPU else inside
            self._value(branch, place)
        self.guard, self.choosers = before, choosers

    def _constant(self, node: ast.Constant, place: Place) -> None:
        if not isinstance(node.value, str):
            return
        if self.annotation and self.quote is None:
            self._quoted(node)
            return
        fact = StringFact(
            node.value,
            self._span(node),
            place,
            self.scope,
            self.guard,
            formatted=False,
            fuzzy=bool(self.format_string) and not _EXACT_FORMAT_STRINGS,
            choosers=self.choosers if place.kind in _CHOSEN else (),
        )
        self.facts.strings.append(fact)

    def _joined(self, node: ast.JoinedStr, place: Place) -> None:
        head = node.values[0] if node.values else None
        if isinstance(head, ast.Constant) and isinstance(head.value, str) and not self.format_string:
            self.facts.strings.append(
                StringFact(
                    head.value,
                    self._span(node),
                    place,
                    self.scope,
                    self.guard,
                    formatted=True,
                    fuzzy=False,
                    choosers=self.choosers,
                )
            )
        start = len(self.facts.references)
        self.format_string += 1
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.generic_visit(value)
        self.format_string -= 1
        if not _EXACT_FORMAT_STRINGS and not self.format_string:
            locate_chains(self.source.text, self._span(node), self.facts.references[start:])

    def _quoted(self, node: ast.Constant) -> None:
        start, end = self._span(node)
        literal = self.source.text[start:end]
        value = str(node.value)
        opening = literal.find(value)
        if len(literal) - len(value) > 3 or opening < 1 or "\\" in literal:
            return
        try:
            tree = ast.parse(value, mode="eval")
        except SyntaxError:
            return
        first = len(self.facts.references)
        self.quote = (start + opening, index_lines(value))
        self.visit(tree.body)
        self.quote = None
        for reference in self.facts.references[first:]:
            reference.quoted = True

    def _annotation(self, node: ast.expr | None) -> None:
        if node is None:
            return
        before, self.annotation = self.annotation, True
        self.visit(node)
        self.annotation = before

    def _exports(self, node: ast.expr) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                span = self._span(part)
                self.facts.exports.append(
                    StringFact(part.value, span, OTHER, self.scope, self.guard, False, False)
                )

    # Plumbing

    def _open(self, kind: ScopeKind) -> Scope:
        scope = Scope(kind, self.scope)
        self.facts.scopes.append(scope)
        return scope

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _bind(self, name: str, line: int) -> None:
        if name in self.interest.names:
            self.scope.bind(name, Binding(BindingKind.OTHER, line, guard=self.guard))

    def _reference(
        self,
        name: str,
        chain: tuple[str, ...],
        spans: tuple[tuple[int, int], ...],
        *,
        offset: int,
        stored: bool = False,
        placeholder: bool = False,
        call: ast.Call | None = None,
    ) -> Reference:
        text = self.source.text
        parts = (name, *chain)
        exact = all(text[s:e] == part for (s, e), part in zip(spans, parts, strict=True))
        reference = Reference(
            name,
            chain,
            spans,
            self.scope,
            self.guard,
            max(offset, 0),
            stored=stored,
            placeholder=placeholder,
            fuzzy=not exact,
            call=call,
        )
        self.facts.references.append(reference)
        return reference

    def _span(self, node: ast.AST) -> tuple[int, int]:
        if self.format_string and not _EXACT_FORMAT_STRINGS:
            return _NOWHERE
        if self.quote is not None:
            start, inner = self.quote
            first, last = inner.span(node)
            return start + first, start + last
        return self.source.span(node)

    def _name_end(self, node: ast.expr, name: str) -> tuple[int, int]:
        end = self._span(node)[1]
        return (end - len(name), end) if end >= 0 else _NOWHERE


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


def _target_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _tail(node: ast.expr) -> tuple[str, ...]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "*")
    return tuple(reversed(names))


def _find_word(text: str, word: str, start: int, end: int) -> int:
    at = text.find(word, start, end)
    while at >= 0 and (text[at - 1].isalnum() or text[at - 1] == "_" or _continues(text, at, word)):
        at = text.find(word, at + 1, end)
    return at


def _continues(text: str, at: int, word: str) -> bool:
    after = text[at + len(word) : at + len(word) + 1]
    return after.isalnum() or after == "_"
