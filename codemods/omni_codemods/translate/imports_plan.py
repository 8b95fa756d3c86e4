"""What happens to import statements: names that leave them, and imports that come after them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from omni_codemods.translate.transformers.changes import ChangedImport, NewImport, Target
from omni_codemods.translate.work import Work


@dataclass(slots=True)
class StatementPlan:
    """What becomes of one import statement: new imports by alias position, and more after it."""

    statement: ast.Import | ast.ImportFrom
    replaced: dict[int, NewImport] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    added: list[NewImport] = field(default_factory=list)
    merged: list[NewImport] = field(default_factory=list)


@dataclass(slots=True)
class ImportPlan:
    """The plans of all statements that change, by the ``id`` of the statement."""

    statements: dict[int, StatementPlan] = field(default_factory=dict)

    def replace(
        self, statement: ast.Import | ast.ImportFrom, alias: ast.alias, new: NewImport
    ) -> None:
        """Let *new* stand in the place of *alias*."""
        self._plan(statement).replaced[statement.names.index(alias)] = new

    def remove(self, statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> None:
        """Take *alias* away."""
        self._plan(statement).removed.add(statement.names.index(alias))

    def add(self, statement: ast.Import | ast.ImportFrom, new: NewImport) -> None:
        """Import *new* as well, after *statement*."""
        plan = self._plan(statement)
        if new not in plan.added:
            plan.added.append(new)

    def merge(self, statement: ast.ImportFrom, new: NewImport) -> None:
        """Import *new* by *statement*, which imports from its module already."""
        plan = self._plan(statement)
        if new not in plan.merged:
            plan.merged.append(new)

    def _plan(self, statement: ast.Import | ast.ImportFrom) -> StatementPlan:
        return self.statements.setdefault(id(statement), StatementPlan(statement))


def decide_imports(work: Work, plan: ImportPlan) -> None:
    """Make the decisions of *plan*, one for each statement."""
    for one in plan.statements.values():
        change = ChangedImport(
            tuple(sorted(one.replaced.items())),
            tuple(sorted(one.removed)),
            tuple(one.merged),
            tuple(one.added),
        )
        extent = work.source.span(one.statement)
        work.change(Target.IMPORT, extent[0], change, extent)
