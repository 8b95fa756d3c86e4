"""Decided changes written into a whole module, import statements with the lines around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from omni_codemods.translate.transformers.changes import ChangedImport, NodeChange, Site
from omni_codemods.translate.transformers.imports import Rewritten, may_go, rewrite_import
from omni_codemods.translate.transformers.writing import (
    WRITERS,
    Place,
    find_decided,
    places_of,
    write_expressions,
)

_Statements = (cst.SimpleStatementLine, cst.SimpleStatementSuite)


def write_module(
    module: cst.Module, sites: Sequence[Site], wrapper: MetadataWrapper | None = None
) -> cst.Module:
    """*module* with the changes that *sites* decide; offsets are those of its code.

    *wrapper* is one around this very tree, where there is one already.
    """
    wrapper = wrapper or MetadataWrapper(module, unsafe_skip_copy=True)
    places = places_of(module.code, wrapper.resolve(PositionProvider))
    writer = _ModuleWriter(module, find_decided(places, sites), places, sites)
    return module.visit(writer)


class _ModuleWriter(cst.CSTTransformer):
    def __init__(
        self,
        module: cst.Module,
        decided: Mapping[cst.CSTNode, list[NodeChange]],
        places: Mapping[cst.CSTNode, Place],
        sites: Sequence[Site],
    ) -> None:
        super().__init__()
        self.decided, self.places, self.sites = decided, places, sites
        self.newline = module.default_newline
        self.top = set(module.body)
        # Comments of statements that went, for the statement that comes next.
        self.pending: list[cst.EmptyLine] = []

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Any:
        node: Any = updated_node
        if isinstance(original_node, _Statements):
            node = self._leave_line(original_node, node)
        elif isinstance(original_node, cst.SimpleString):
            node = self._leave_string(original_node, node)
        elif isinstance(original_node, cst.Module) and self.pending:
            node = node.with_changes(footer=[*self.pending, *node.footer])
        for change in self.decided.get(original_node, ()):
            if not isinstance(change, ChangedImport):
                node = WRITERS[type(change)](node, change)
        return self._with_pending(node) if original_node in self.top else node

    def _with_pending(self, node: Any) -> Any:
        if not self.pending or isinstance(node, cst.RemovalSentinel):
            return node
        lines, self.pending = self.pending, []
        if isinstance(node, cst.FlattenSentinel):
            first, *others = node
            first = first.with_changes(leading_lines=[*lines, *first.leading_lines])
            return cst.FlattenSentinel([first, *others])
        return node.with_changes(leading_lines=[*lines, *node.leading_lines])

    def _leave_string(self, original: cst.SimpleString, node: Any) -> Any:
        """A quoted annotation: the expressions in it are changed as others are."""
        start, end = self.places[original]
        inside = [
            site.moved(start)
            for site in self.sites
            if start < site.extent[0] and site.extent[1] < end
        ]
        text = original.value
        for first, last, new in reversed(write_expressions(text, inside)):
            text = text[:first] + new + text[last:]
        return node.with_changes(value=text) if inside else node

    def _leave_line(self, original: Any, node: Any) -> Any:
        changed = [
            (index, change)
            for index, small in enumerate(original.body)
            for change in self.decided.get(small, ())
            if isinstance(change, ChangedImport)
        ]
        if not changed:
            return node
        alone = len(original.body) == 1 and original.body[0].semicolon is cst.MaybeSentinel.DEFAULT
        if alone and isinstance(original, cst.SimpleStatementLine):
            return self._rewrite_line(original, node, changed[0][1])
        for index, change in reversed(changed):
            node = self._rewrite_among(node, index, change)
        return node

    def _rewrite_line(
        self,
        original: cst.SimpleStatementLine,
        node: cst.SimpleStatementLine,
        change: ChangedImport,
    ) -> Any:
        new = rewrite_import(_import(node.body[0]), change, shared=False, newline=self.newline)
        above = [_comment_line(comment) for comment in new.above]
        if new.statement is None and original in self.top:
            trailing = node.trailing_whitespace.comment
            if trailing is not None and not may_go(trailing.value):
                above.append(_comment_line(trailing.value))
            self.pending += [*node.leading_lines, *above]
            return cst.RemoveFromParent()
        first = node.with_changes(
            leading_lines=[*node.leading_lines, *above], body=[new.statement or cst.Pass()]
        )
        return cst.FlattenSentinel([first, *_lines(new)])

    def _rewrite_among(self, node: Any, index: int, change: ChangedImport) -> Any:
        small = node.body[index]
        new = rewrite_import(_import(small), change, shared=True, newline=self.newline)
        found: list[Any] = [new.statement or cst.Pass(), *(one for one, _ in new.after)]
        joint = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
        found = [one.with_changes(semicolon=joint) for one in found[:-1]] + found[-1:]
        found[-1] = found[-1].with_changes(semicolon=small.semicolon)
        body = [*node.body[:index], *found, *node.body[index + 1 :]]
        lines = [_comment_line(comment) for comment in new.above]
        if lines and isinstance(node, cst.SimpleStatementLine):
            node = node.with_changes(leading_lines=[*node.leading_lines, *lines])
        return node.with_changes(body=body)


def _import(node: cst.CSTNode) -> cst.Import | cst.ImportFrom:
    assert isinstance(node, (cst.Import, cst.ImportFrom))
    return node


def _comment_line(comment: str) -> cst.EmptyLine:
    return cst.EmptyLine(comment=cst.Comment(comment))


def _lines(new: Rewritten) -> list[cst.SimpleStatementLine]:
    """The new statements, each with its comments at the end of its line."""
    found = []
    for node, comment in new.after:
        space = comment[: len(comment) - len(comment.lstrip())]
        trailing = cst.TrailingWhitespace(
            whitespace=cst.SimpleWhitespace(space),
            comment=cst.Comment(comment.lstrip()) if comment else None,
        )
        found.append(cst.SimpleStatementLine([node], trailing_whitespace=trailing))
    return found
