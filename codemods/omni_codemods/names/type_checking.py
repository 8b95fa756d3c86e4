"""Imports that only type checkers follow: those under ``if TYPE_CHECKING``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from omni_codemods.names.imports import Import, add_imports
from omni_codemods.names.reads import as_module
from omni_codemods.text.offsets import Source, index_lines
from omni_codemods.text.parsing import find_tree, parse_module
from omni_codemods.text.walks import is_type_checking, iter_annotations, iter_statements

GUARD = Import("typing", "TYPE_CHECKING")


def add_guarded_imports(text: str, imports: Sequence[Import]) -> str:
    """*text* with *imports* at the end of its first ``if TYPE_CHECKING`` block.

    Without such a block one is put below the last import at the top of the file, with the import
    that it needs. Raises :class:`~omni_codemods.findings.errors.SourceError`.
    """
    if not imports:
        return text
    block = _find_block(parse_module(text))
    if block is None:
        text = add_imports(text, [GUARD])
    source, newline = index_lines(text), index_lines(text).newline
    if block is not None:
        last = block.body[-1]
        indent = source.line_text(last.lineno)[: last.col_offset]
        line = last.end_lineno or last.lineno
        lines = [f"{indent}{value.render()}" for value in imports]
    else:
        line = max(_import_lines(parse_module(text)))
        lines = ["", "if TYPE_CHECKING:", *(f"    {value.render()}" for value in imports)]
    return _with_lines(source, line, lines, newline)


def _with_lines(source: Source, after: int, lines: Sequence[str], newline: str) -> str:
    text = source.text
    at = source.starts[after] if after < len(source.starts) else len(text)
    lead = newline if text[:at] and text[at - 1] not in "\r\n" else ""
    new = "".join(f"{line}{newline}" for line in lines)
    return text[:at] + lead + new + text[at:]


def _find_block(tree: ast.Module) -> ast.If | None:
    for node in tree.body:
        if isinstance(node, ast.If) and is_type_checking(node.test) and not _is_short(node):
            return node
    return None


def _is_short(node: ast.If) -> bool:
    """Whether the suite stands on the line of its header."""
    return node.body[0].lineno == node.lineno


def _import_lines(tree: ast.Module) -> Iterator[int]:
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node.end_lineno or node.lineno


def only_annotates(name: str, function: str, *, postponed: bool) -> bool:
    """Whether *function* (its text) uses *name* nowhere but where only type checkers read it.

    That is in annotations that are never evaluated: of variables, quoted ones, and with
    *postponed* (``from __future__ import annotations``) those of parameters and results.
    """
    tree = find_tree(as_module(function))
    if tree is None:
        return False
    unread = {id(n) for note in _unevaluated(tree, postponed) for n in ast.walk(note)}
    return not any(
        isinstance(n, ast.Name) and n.id == name and id(n) not in unread for n in ast.walk(tree)
    )


def _unevaluated(tree: ast.Module, postponed: bool) -> Iterator[ast.expr]:
    if postponed:
        yield from iter_annotations(tree)
        return
    for node in iter_statements(tree.body):
        if isinstance(node, ast.AnnAssign):
            yield node.annotation


def postpones(text: str) -> bool:
    """Whether the annotations of the file *text* are never evaluated."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in parse_module(text).body
    )
