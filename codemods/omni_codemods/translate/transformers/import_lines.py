"""Import statements cut out of a text, rewritten, and put back on their lines."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from omni_codemods.names.import_nodes import AnyImport
from omni_codemods.text.offsets import Source
from omni_codemods.translate.transformers.changes import ChangedImport, Site
from omni_codemods.translate.transformers.imports import Rewritten, may_go, rewrite_import

Splice = tuple[int, int, str]
_EMPTY = cst.Module([])


def write_import(source: Source, site: Site) -> list[Splice]:
    """The pieces of *source* that change with the import at *site*: start, end and new text."""
    start, end = site.extent
    place = _place(source, start, end)
    line = cst.ensure_type(
        cst.parse_module(source.text[start:end]).body[0], cst.SimpleStatementLine
    )
    node, change = line.body[0], site.change
    assert isinstance(node, (cst.Import, cst.ImportFrom))
    assert isinstance(change, ChangedImport)
    new = rewrite_import(node, change, shared=place.shared, newline=source.newline)
    lost = [*new.above]
    if new.statement is not None:
        found = [(start, end, _code(source, new.statement)), _after(source, end, place, new)]
    elif place.margin or place.shared:
        # The suite, or what shares the line, may have nothing else.
        found = [(start, end, "pass")]
    else:
        comment = place.rest.strip()
        lost += [comment] if comment and not may_go(comment) else []
        found = [(place.line_start, end + len(place.rest), "")]
    lines = "".join(f"{place.margin}{comment}{source.newline}" for comment in lost)
    return [*found, (place.line_start, place.line_start, lines)]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement stands: *line_start* its line's offset, *margin* the white space before
    it, *rest* what follows it, and whether it is *shared* with another statement.
    """

    line_start: int
    margin: str
    rest: str
    shared: bool


def _place(source: Source, start: int, end: int) -> _Place:
    line, column = source.position(start)
    before = source.line_text(line)[:column]
    last, last_column = source.position(end)
    rest = source.line_text(last)[last_column:]
    margin = before[: len(before) - len(before.lstrip())]
    shared = bool(before.strip()) or rest.lstrip().startswith(";")
    return _Place(source.starts[line - 1], margin, rest, shared)


def _after(source: Source, end: int, place: _Place, new: Rewritten) -> Splice:
    statements = [(_code(source, node), comment) for node, comment in new.after]
    if place.shared:
        return end, end, "".join(f"; {text}" for text, _ in statements)
    at = end + len(place.rest.rstrip("\r\n"))
    lead = source.newline + place.margin
    return at, at, "".join(f"{lead}{text}{comment}" for text, comment in statements)


def _code(source: Source, node: AnyImport) -> str:
    return _EMPTY.with_changes(default_newline=source.newline).code_for_node(node)
