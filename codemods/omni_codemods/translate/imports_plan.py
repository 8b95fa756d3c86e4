"""What happens to import statements: names that leave them, and imports that come after them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from omni_codemods.import_layout import (
    parse_layout,
    with_item,
    with_module,
    with_new_item,
    without_item,
)
from omni_codemods.translate.work import Edit, Work


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


def _write_statement(work: Work, plan: StatementPlan) -> None:
    start, end = work.source.span(plan.statement)
    text = work.source.text[start:end]
    moved = plan.replaced
    kept = [i for i in range(len(plan.statement.names)) if i not in moved and i not in plan.removed]
    if isinstance(plan.statement, ast.Import):
        text, added = _rewrite_plain(text, plan)
    else:
        text, added = _rewrite_from(text, plan, kept)
    if text:
        for new in plan.merged:
            text = with_new_item(text, new.spelling, work.source.newline)
        lines = [*added, *((new, "") for new in plan.added)]
    else:
        lines = [*added, *((new, "") for new in (*plan.merged, *plan.added))]
    if not text and not lines:
        _drop_statement(work, start, end)
        return
    if not text:
        first, comment = lines.pop(0)
        text = first.render() + comment
    lines = [line for line in lines if line[0].render() != text]
    work.edit((start, end), text)
    _insert_after(work, start, end, lines)


def _rewrite_from(
    text: str, plan: StatementPlan, kept: list[int]
) -> tuple[str, list[tuple[NewImport, str]]]:
    moved = plan.replaced
    modules = {new.module if new.name else None for new in moved.values()}
    in_place = not kept and not plan.removed and not plan.merged
    if in_place and len(modules) == 1 and None not in modules:
        for index, new in moved.items():
            text = with_item(text, index, new.spelling)
        return with_module(text, modules.pop() or ""), []
    added: list[tuple[NewImport, str]] = []
    comments: dict[int, str] = {}
    for index in sorted({*moved, *plan.removed}, reverse=True):
        if len(parse_layout(text).items) > 1:
            text, comments[index] = without_item(text, index)
        else:
            comments[index] = " ".join(re.findall(r"#[^\r\n]*", text))
            text = ""
    for index, new in sorted(moved.items()):
        comment = comments.get(index, "")
        same = [i for i, (other, _) in enumerate(added) if other == new]
        if not same:
            added.append((new, f"  {comment}" if comment else ""))
    return text, added


def _rewrite_plain(text: str, plan: StatementPlan) -> tuple[str, list[tuple[NewImport, str]]]:
    names = plan.statement.names
    parts = re.split(r"(,)", text[len("import") :])
    items = parts[::2]
    added: list[tuple[NewImport, str]] = []
    keep_items: list[str] = []
    for index in range(len(names)):
        new = plan.replaced.get(index)
        if new is not None and not new.name:
            lead = re.match(r"\s*", items[index])
            keep_items.append((lead.group() if lead else " ") + new.spelling)
        elif new is not None:
            added.append((new, ""))
        elif index not in plan.removed:
            keep_items.append(items[index])
    if not keep_items:
        return "", added
    first = keep_items[0].lstrip()
    return "import " + ",".join([first, *keep_items[1:]]), added


def _insert_after(work: Work, start: int, end: int, lines: list[tuple[NewImport, str]]) -> None:
    if not lines:
        return
    source = work.source
    line_number, column = source.position(start)
    indent = source.line_text(line_number)[:column]
    last_line, last_column = source.position(end)
    rest = source.line_text(last_line)[last_column:]
    grouped = _grouped(lines)
    if indent.strip() or rest.lstrip().startswith(";"):
        work.edits.append(Edit(end, end, "".join(f"; {text}" for text, _ in grouped)))
        return
    content = rest.rstrip("\r\n")
    at = end + len(content)
    new = "".join(f"{source.newline}{indent}{text}{comment}" for text, comment in grouped)
    work.edits.append(Edit(at, at, new))


def _grouped(lines: list[tuple[NewImport, str]]) -> list[tuple[str, str]]:
    """One statement for each module, in the order in which the modules come up."""
    statements: dict[str, tuple[str, str]] = {}
    for new, comment in lines:
        key = new.module if new.name else f"import {new.spelling}"
        if key in statements and new.name:
            text, before = statements[key]
            statements[key] = with_new_item(text, new.spelling, "\n"), before + comment
        else:
            statements[key] = new.render(), comment
    return list(statements.values())


def _drop_statement(work: Work, start: int, end: int) -> None:
    source = work.source
    line_number, column = source.position(start)
    indent = source.line_text(line_number)[:column]
    last_line, last_column = source.position(end)
    rest = source.line_text(last_line)[last_column:]
    if indent or rest.strip():
        # The suite, or what shares the line, may have nothing else.
        work.edit((start, end), "pass")
    else:
        work.edit((source.starts[line_number - 1], end + len(rest)), "")
