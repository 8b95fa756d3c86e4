"""What happens to import statements: names that leave them, and imports that come after them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from omni_codemods.names.import_text import (
    parse_layout,
    with_item,
    with_module,
    with_new_item,
    without_item,
)
from omni_codemods.translate.work import Edit, Work

_PRAGMA = re.compile(r"#\s*(?:noqa|type:|isort:|pylint:|fmt:|pyright:|ruff:)")


@dataclass(frozen=True, slots=True)
class NewImport:
    """``from module import name [as asname]``, or ``import module [as asname]``."""

    module: str
    name: str = ""
    asname: str = ""

    @property
    def spelling(self) -> str:
        """The imported item as it is written after ``import``."""
        item = self.name or self.module
        return f"{item} as {self.asname}" if self.asname else item

    def render(self) -> str:
        """The statement."""
        return (
            f"from {self.module} import {self.spelling}" if self.name else f"import {self.spelling}"
        )


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


def write_imports(work: Work, plan: ImportPlan) -> None:
    """Turn *plan* into edits."""
    for statement_plan in plan.statements.values():
        _write_statement(work, statement_plan)


@dataclass(slots=True)
class _Rewrite:
    """What is left of a statement, what comes after it, and comments that lost their place."""

    text: str
    added: list[tuple[NewImport, str]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def _write_statement(work: Work, plan: StatementPlan) -> None:
    start, end = work.source.span(plan.statement)
    old = work.source.text[start:end]
    is_plain = isinstance(plan.statement, ast.Import)
    rewrite = _rewrite_plain(old, plan) if is_plain else _rewrite_from(old, plan)
    if rewrite.text:
        for new in plan.merged:
            rewrite.text = with_new_item(rewrite.text, new.spelling, work.source.newline)
        rewrite.added += [(new, "") for new in plan.added]
    else:
        rewrite.added += [(new, "") for new in (*plan.merged, *plan.added)]
    place = _place(work, start, end)
    if place.shared:
        # A comment would swallow what follows on the line.
        rewrite.lost += [comment for _, comment in rewrite.added if comment]
        rewrite.added = [(new, "") for new, _ in rewrite.added]
    if not rewrite.text and rewrite.added:
        first, comment = rewrite.added.pop(0)
        rewrite.text = first.render()
        rewrite.added = [line for line in rewrite.added if line[0] != first]
        rewrite.lost += [comment] if comment else []
    if rewrite.text:
        work.edit((start, end), rewrite.text)
        _insert_after(work, end, place, rewrite.added)
    else:
        _drop_statement(work, start, end, place, rewrite.lost)
    _insert_above(work, place, rewrite.lost)


def _rewrite_from(text: str, plan: StatementPlan) -> _Rewrite:
    moved = plan.replaced
    modules = {new.module if new.name else None for new in moved.values()}
    whole = len(moved) == len(plan.statement.names) and not plan.merged
    if whole and len(modules) == 1 and None not in modules:
        for index, new in moved.items():
            text = with_item(text, index, new.spelling)
        return _Rewrite(with_module(text, modules.pop() or ""))
    rewrite = _Rewrite(text)
    comments: dict[int, str] = {}
    for index in sorted({*moved, *plan.removed}, reverse=True):
        if len(parse_layout(rewrite.text).items) > 1:
            rewrite.text, comments[index] = without_item(rewrite.text, index)
        else:
            found = re.findall(r"#[^\r\n]*", rewrite.text)
            comments[index] = found.pop() if found and index in moved else ""
            rewrite.lost += found
            rewrite.text = ""
    for index, comment in sorted(comments.items()):
        moved_to = moved.get(index)
        if moved_to is None or any(moved_to == other for other, _ in rewrite.added):
            rewrite.lost += [comment] if comment else []
        else:
            rewrite.added.append((moved_to, comment))
    return rewrite


def _rewrite_plain(text: str, plan: StatementPlan) -> _Rewrite:
    items = text[len("import") :].split(",")
    rewrite = _Rewrite("")
    kept: list[str] = []
    for index, item in enumerate(items):
        new = plan.replaced.get(index)
        if new is not None and not new.name:
            lead = re.match(r"\s*", item)
            kept.append((lead.group() if lead else " ") + new.spelling)
        elif new is not None:
            rewrite.added.append((new, ""))
        elif index not in plan.removed:
            kept.append(item)
    if kept:
        rewrite.text = "import " + ",".join([kept[0].lstrip(), *kept[1:]])
    return rewrite


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement stands: *line_start* its line's offset, *margin* the white space before
    it, *rest* what follows it, and whether it is *shared* with another statement.
    """

    line_start: int
    margin: str
    rest: str
    shared: bool


def _place(work: Work, start: int, end: int) -> _Place:
    source = work.source
    line, column = source.position(start)
    before = source.line_text(line)[:column]
    last, last_column = source.position(end)
    rest = source.line_text(last)[last_column:]
    margin = before[: len(before) - len(before.lstrip())]
    shared = bool(before.strip()) or rest.lstrip().startswith(";")
    return _Place(source.starts[line - 1], margin, rest, shared)


def _insert_after(work: Work, end: int, place: _Place, lines: list[tuple[NewImport, str]]) -> None:
    grouped = _grouped(lines)
    if place.shared:
        work.edits.append(Edit(end, end, "".join(f"; {text}" for text, _ in grouped)))
        return
    at = end + len(place.rest.rstrip("\r\n"))
    newline = work.source.newline
    new = "".join(f"{newline}{place.margin}{text}{comment}" for text, comment in grouped)
    work.edits.append(Edit(at, at, new))


def _insert_above(work: Work, place: _Place, comments: list[str]) -> None:
    lines = "".join(f"{place.margin}{comment}{work.source.newline}" for comment in comments)
    work.edits.append(Edit(place.line_start, place.line_start, lines))


def _grouped(lines: list[tuple[NewImport, str]]) -> list[tuple[str, str]]:
    """One statement for each module, with its comments, in the order the modules come up."""
    statements: dict[str, tuple[str, str]] = {}
    for new, comment in lines:
        key = new.module if new.name else f"import {new.spelling}"
        trailing = f"  {comment}" if comment else ""
        if key in statements and new.name:
            text, before = statements[key]
            statements[key] = with_new_item(text, new.spelling, "\n"), before + trailing
        else:
            statements[key] = new.render(), trailing
    return list(statements.values())


def _drop_statement(work: Work, start: int, end: int, place: _Place, lost: list[str]) -> None:
    if place.margin or place.shared:
        # The suite, or what shares the line, may have nothing else.
        work.edit((start, end), "pass")
        return
    comment = place.rest.strip()
    lost += [comment] if comment and not _PRAGMA.match(comment) else []
    work.edit((place.line_start, end + len(place.rest)), "")
