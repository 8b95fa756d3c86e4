"""What a walk keeps track of, and the strings it meets, with the position they have."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence

from omni_codemods.names.scopes import Binding, BindingKind, Guard, Scope, ScopeKind
from omni_codemods.text.offsets import Source, index_lines
from omni_codemods.text.parsing import find_tree
from omni_codemods.translate.facts import OTHER, Choosers, Facts, Place, Reference, StringFact
from omni_codemods.translate.format_strings import locate_chains
from omni_codemods.translate.guards import NEVER, ONLY, Guards, names_npu_module, stronger
from omni_codemods.translate.interest import Interest

# Before 3.12 the positions of what stands inside an f-string are not to be relied on.
_EXACT_FORMAT_STRINGS = sys.version_info >= (3, 12)
_CHOSEN = ("assigned", "returned", "keyword", "argument", "method", "positional", "other")


class ValueCollector(ast.NodeVisitor):
    """The lowest layer of the walk: state, strings, and values in positions that matter."""

    def __init__(self, source: Source, interest: Interest, *, exact: bool = False) -> None:
        self.source = source
        self.exact = exact or _EXACT_FORMAT_STRINGS
        self.interest = interest
        self.scope = Scope(ScopeKind.MODULE, None)
        self.facts = Facts(self.scope, scopes=[self.scope])
        self.walrus_scope = self.scope
        self.guard = Guard.NONE
        self.function = ""
        self.subject = ""
        self.function_scope: Scope | None = None
        self.depth = 0
        self.suite = 0
        self.choosers: Choosers | None = None
        self.last_test: list[Reference] = []
        self.guards = Guards(interest, lambda: self.scope)
        self.direct = 0
        self.quote: tuple[int, Source] | None = None
        self.format_string = 0
        self.fallback = (0, 0)
        self.annotation = False

    def _value(self, node: ast.expr, place: Place) -> None:
        if isinstance(node, ast.Constant):
            self._constant(node, place)
        elif isinstance(node, ast.JoinedStr):
            self._joined(node, place)
        elif isinstance(node, ast.IfExp):
            self._conditional(node, place)
        elif isinstance(node, ast.BoolOp):
            self._operands(node, place)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
            self._value(node.left, place)
            self.visit(node.right)
        elif isinstance(node, ast.Call) and (template := _template(node)) is not None:
            self._value(template, place)
            self._visit_all([*node.args, *(keyword.value for keyword in node.keywords)])
        elif isinstance(node, (ast.Name, ast.Attribute)):
            start = len(self.facts.references)
            self.visit(node)
            if len(self.facts.references) > start:
                self.facts.references[-1].place = place
        else:
            self.visit(node)

    def _choose(self, references: Sequence[Reference]) -> None:
        """What comes stands behind a test with these *references* too."""
        if references:
            self.choosers = Choosers(self.choosers, tuple(references))

    def _operands(self, node: ast.BoolOp, place: Place) -> None:
        before, choosers = self.guard, self.choosers
        guard = self.guards.guard(node)
        self.guard = stronger(before, guard)
        first = len(self.facts.references)
        for value in node.values:
            start = len(self.facts.references)
            self._value(value, place)
            self._choose(self.facts.references[start:])
        if guard is Guard.GPU:
            for reference in self.facts.references[first:]:
                reference.mixed = True
        self.guard, self.choosers = before, choosers

    def _conditional(self, node: ast.IfExp, place: Place) -> None:
        before, choosers = self.guard, self.choosers
        branches = (node.body, node.orelse)
        guard, asked = self.guards.guard(node.test), self.guards.asked(node.test)
        if guard is Guard.NONE and names_npu_module(branches, self.interest):
            guard = Guard.BOTH
        inside = stronger(before, guard)
        self.guard = inside
        start = len(self.facts.references)
        self.visit(node.test)
        self._choose(self.facts.references[start:])
        self.direct += 1
        for branch, spared in ((node.body, NEVER), (node.orelse, ONLY)):
            self.guard = before if guard is Guard.GPU and asked == spared else inside
            self._value(branch, place)
        self.direct -= 1
        self.guard, self.choosers = before, choosers

    def _constant(self, node: ast.Constant, place: Place) -> None:
        if not isinstance(node.value, str):
            return
        if self.annotation:
            self._quoted(node)
            return
        fact = StringFact(
            node.value,
            self._span(node),
            place,
            self.scope,
            self.guard,
            formatted=False,
            fuzzy=self._inexact(),
            choosers=self.choosers if place.kind in _CHOSEN else None,
            direct=self.direct > 0,
        )
        self.facts.strings.append(fact)

    def _joined(self, node: ast.JoinedStr, place: Place) -> None:
        parts = [
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
            for part in node.values
        ]
        if parts and not self.format_string:
            head = parts[0] if isinstance(node.values[0], ast.Constant) else ""
            self.facts.strings.append(
                StringFact(
                    head,
                    self._span(node),
                    place,
                    self.scope,
                    self.guard,
                    formatted=True,
                    fuzzy=False,
                    choosers=self.choosers,
                    direct=self.direct > 0,
                    pieces="".join(parts),
                )
            )
        start = len(self.facts.references)
        if not self.format_string:
            opening = self._span(node)[0]
            self.fallback = opening, opening
        self.format_string += 1
        for position, value in enumerate(node.values):
            if isinstance(value, ast.FormattedValue):
                first = value.value if position == 0 and value.conversion == -1 else None
                if isinstance(first, (ast.Name, ast.Attribute)) and value.format_spec is None:
                    self._value(first, place)  # f"{device}:0" is a device if that is one
                else:
                    self.generic_visit(value)
        self.format_string -= 1
        if not self.exact and not self.format_string:
            locate_chains(self.source.text, self._span(node), self.facts.references[start:])

    def _quoted(self, node: ast.Constant) -> None:
        start, end = self._span(node)
        literal = self.source.text[start:end]
        value = str(node.value)
        opening = literal.find(value)
        if len(literal) - len(value) > 3 or opening < 1 or "\\" in literal:
            return
        tree = find_tree(value)
        if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
            return
        first = len(self.facts.references)
        outer, self.quote = self.quote, (start + opening, index_lines(value))
        self.visit(tree.body[0].value)
        self.quote = outer
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

    def _open(self, kind: ScopeKind, node: ast.AST) -> Scope:
        scope = Scope(kind, self.scope, node)
        self.facts.scopes.append(scope)
        return scope

    def _inexact(self) -> bool:
        return bool(self.format_string) and not self.exact

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
            offset,
            stored=stored,
            placeholder=placeholder,
            fuzzy=not exact,
            choosers=self.choosers,
            call=call,
        )
        self.facts.references.append(reference)
        return reference

    def _span(self, node: ast.AST) -> tuple[int, int]:
        if self._inexact():
            return self.fallback
        if self.quote is not None:
            start, inner = self.quote
            first, last = inner.span(node)
            return start + first, start + last
        return self.source.span(node)

    def _name_end(self, node: ast.expr, name: str) -> tuple[int, int]:
        if self._inexact():
            return self.fallback
        end = self._span(node)[1]
        return end - len(name), end


def _template(node: ast.Call) -> ast.Constant | None:
    """The string that is formatted, in ``"...".format(...)``."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "format":
        return function.value if isinstance(function.value, ast.Constant) else None
    return None


def target_name(node: ast.expr) -> str:
    """The last name that *node* spells, empty where it is no name or attribute."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
