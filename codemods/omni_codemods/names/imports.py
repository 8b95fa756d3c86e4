"""The imports of a module: listing them, adding some, removing some, and touching nothing else.

Everything is text in, text out. Modules are spelt as in the source, relative ones with their
leading dots (``..utils``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.names.import_places import Place, fitting, kind_of, place_import, width_of
from omni_codemods.names.import_text import (
    with_new_item,
    without_item,
)
from omni_codemods.text.offsets import Source, index_lines
from omni_codemods.text.outline import outline, parse_outer
from omni_codemods.text.walks import (
    iter_imports,
    iter_statements,
    lines_with,
    mentions,
    start_line,
)

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_NOQA = re.compile(r"#\s*noqa(?!\w)(?::\s*([A-Z0-9, ]+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Import:
    """``import module [as asname]``, or ``from module import name [as asname]``."""

    module: str
    name: str | None = None
    asname: str | None = None

    @property
    def bound(self) -> str:
        """The name that it binds."""
        if self.asname:
            return self.asname
        return self.name or self.module.split(".")[0]

    def render(self) -> str:
        """The statement."""
        item = self.name or self.module
        spelling = f"{item} as {self.asname}" if self.asname else item
        return f"from {self.module} import {spelling}" if self.name else f"import {spelling}"


@dataclass(frozen=True, slots=True)
class BoundImport:
    """An import at module level, outside every function and class.

    *block* is empty for the module's own suite, else ``type-checking``, ``if``, ``try`` or
    ``other``. *kept* says that a ``noqa`` comment asks to leave it although it looks unused.
    """

    value: Import
    bound: str
    line: int
    block: str
    kept: bool


def module_imports(text: str) -> tuple[BoundImport, ...]:
    """All imports at module level of *text*, in order. Raises :class:`SourceError`."""
    source = index_lines(text) if _NOQA.search(text) else None
    return tuple(
        BoundImport(value, value.bound, node.lineno, block, kept)
        for node, block in outline(text).imports
        for alias in node.names
        for value in [_value(node, alias)]
        for kept in [source is not None and _is_kept(source, node, alias)]
    )


def add_imports(text: str, imports: Sequence[Import]) -> str:
    """*text* with *imports* added; those that its own suite has already are skipped.

    A name joins an existing import of its module; otherwise a new line goes where isort would have
    it in the sections of the file, and never below the first use of the name. What would be longer
    than the lines of the file is a line a name, in brackets.
    Raises :class:`SourceError`.
    """
    source, tree = index_lines(text), parse_outer(text)
    present = {
        _value(node, alias)
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    wanted = [value for value in dict.fromkeys(imports) if value not in present]
    merged: dict[int, tuple[ast.ImportFrom, str]] = {}
    fresh: dict[str, tuple[Place, list[Import]]] = {}
    for value in wanted:
        limit = _first_use(source, tree, value.bound)
        host = _host(tree, value, limit)
        if host is not None:
            node, statement = merged.get(id(host), (host, _text(source, host)))
            merged[id(host)] = node, _with(source, statement, value)
        else:
            known = value.module if value.name else f"import {value.module} {value.asname}"
            place = _place(source, tree, value, limit)
            fresh.setdefault(known, (place, []))[1].append(value)
    width = width_of(text)
    edits = [
        (*source.span(node), fitting(statement, width, source.newline))
        for node, statement in merged.values()
    ]
    places: dict[int, list[tuple[Place, list[Import]]]] = {}
    for place, values in fresh.values():
        places.setdefault(place.line, []).append((place, values))
    for at, found in places.items():
        edits.append(_insertion(source, at, list(_lines(source, found, width))))
    return _apply(text, edits)


def _lines(
    source: Source, found: Sequence[tuple[Place, list[Import]]], width: int
) -> Iterator[str]:
    """The lines of new imports at one place: sections apart, each in isort's order."""
    sections: dict[int, list[tuple[Place, list[Import]]]] = {}
    for place, values in found:
        sections.setdefault(kind_of(values[0].module), []).append((place, values))
    above: Place | None = None
    for kind in sorted(sections):
        place = sections[kind][0][0]
        if (place.before and place.line) if above is None else (above.after or place.before):
            yield ""
        above = place
        values_of = [values for _, values in sections[kind]]
        order = sorted(values_of, key=lambda v: (v[0].name is not None, v[0].module.lower()))
        yield from (_statement(source, values, width) for values in order)
    if above is not None and above.after:
        yield ""


def _statement(source: Source, values: Sequence[Import], width: int) -> str:
    statement = values[0].render()
    for value in values[1:]:
        statement = _with(source, statement, value)
    return fitting(statement, width, source.newline)


def remove_imports(text: str, imports: Sequence[Import]) -> str:
    """*text* without *imports* at module level, and without the comment that trails one of them.

    Those that stand in ``try``, or behind an ``if`` other than ``TYPE_CHECKING``, are left.
    Raises :class:`SourceError`.
    """
    source, tree = index_lines(text), parse_outer(text)
    unwanted = set(imports)
    edits: list[tuple[int, int, str]] = []
    for node, block in iter_imports(tree.body):
        if block not in ("", "type-checking"):
            continue
        gone = [i for i, alias in enumerate(node.names) if _value(node, alias) in unwanted]
        if len(gone) == len(node.names):
            edits.append(_removal(source, node))
        elif gone:
            edits.append((*source.span(node), _without(source, node, gone)))
    return _apply(text, edits)


def _value(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> Import:
    if isinstance(node, ast.Import):
        return Import(alias.name, None, alias.asname)
    return Import("." * node.level + (node.module or ""), alias.name, alias.asname)


def _is_kept(source: Source, node: ast.stmt, alias: ast.alias) -> bool:
    for line in {node.lineno, alias.end_lineno or alias.lineno, node.end_lineno or node.lineno}:
        match = _NOQA.search(source.line_text(line))
        if match and (match[1] is None or "F401" in match[1].upper()):
            return True
    return False


def _spelling(value: Import) -> str:
    return f"{value.name} as {value.asname}" if value.asname else str(value.name)


def _text(source: Source, node: ast.stmt) -> str:
    start, end = source.span(node)
    return source.text[start:end]


def _with(source: Source, statement: str, value: Import) -> str:
    return with_new_item(statement, _spelling(value), source.newline)


def _host(tree: ast.Module, value: Import, limit: int) -> ast.ImportFrom | None:
    """The import of the same module that *value* can join."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.lineno <= limit and value.name:
            module = "." * node.level + (node.module or "")
            if module == value.module and node.names[0].name != "*":
                return node
    return None


def _first_use(source: Source, tree: ast.Module, name: str) -> int:
    """The line of the first top-level statement that is no import and mentions *name*.

    A function mentions all words in it.
    """
    lines = lines_with(source.text, name)
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        functions = (n for n in iter_statements([node]) if isinstance(n, _FUNCTIONS))
        held = any(n.lineno <= x <= (n.end_lineno or 0) for n in functions for x in lines)
        if held or mentions(node, name, lines):
            return start_line(node)
    return 1 << 60


def _place(source: Source, tree: ast.Module, value: Import, limit: int) -> Place:
    floor = _after_future(source, tree)
    found = [
        node
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and (node.end_lineno or node.lineno) < limit
        and not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    if not found:
        return Place(floor)
    return place_import(source, found, value.module, floor, is_from=value.name is not None)


def _after_future(source: Source, tree: ast.Module) -> int:
    line = 0
    for position, node in enumerate(tree.body):
        docstring = position == 0 and isinstance(node, ast.Expr) and _is_string(node.value)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (docstring or future):
            break
        line = node.end_lineno or node.lineno
    if line:
        return line
    while line < len(source.starts) and source.line_text(line + 1).startswith("#"):
        line += 1
    return line


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _insertion(source: Source, line: int, new: Sequence[str]) -> tuple[int, int, str]:
    newline = source.newline
    if line >= len(source.starts):
        at = len(source.text)
        lead = newline if source.text and source.text[-1] not in "\r\n" else ""
        return at, at, lead + newline.join(new) + (newline if not lead else "")
    at = source.starts[line]
    return at, at, "".join(f"{statement}{newline}" for statement in new)


def _removal(source: Source, node: ast.stmt) -> tuple[int, int, str]:
    start, end = source.span(node)
    first, column = source.position(start)
    last, end_column = source.position(end)
    before = source.line_text(first)[:column]
    rest = source.line_text(last)[end_column:]
    shares = rest.strip() and not rest.lstrip().startswith("#")
    if before.strip() or shares:
        return _shared_removal(start, end, rest)
    if before:
        return start, end, "pass"
    return source.starts[first - 1], end + len(rest), ""


def _shared_removal(start: int, end: int, rest: str) -> tuple[int, int, str]:
    follow = re.match(r"\s*;\s*(?=[^\s#])", rest)
    if follow:
        return start, end + follow.end(), ""
    return start, end, "pass"


def _without(source: Source, node: ast.Import | ast.ImportFrom, gone: list[int]) -> str:
    statement = _text(source, node)
    for index in sorted(gone, reverse=True):
        statement = without_item(statement, index)
    return statement


def _apply(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
