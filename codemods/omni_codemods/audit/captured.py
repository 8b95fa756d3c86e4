"""Names of the module that the result has made variables of the function (a part of OP317).

``import os`` under an ``if`` makes *os* a variable of the whole function. Code of the other side
that reads the module's *os* then fails wherever that ``if`` is not taken, and a variable of that
name is another thing than what the code meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from omni_codemods.audit.flow import Flow, binds_of, parameters_of
from omni_codemods.audit.model import Audited
from omni_codemods.audit.reading import Row, Side
from omni_codemods.text.parsing import find_tree
from omni_codemods.text.walks import iter_imports, walk


def find_captured(audited: Audited, flow: Flow) -> Iterator[tuple[ast.Name, str]]:
    """Yield reads of what is a variable in the result (*flow*), and in their own version was not.

    Each comes with what is wrong. Where an import surely binds what the module imports under that
    name too, nothing is.
    """
    binds = {row.key: flow.binds(row.node) for row in audited.result.rows if not _is_inner(row)}
    own = {side: _own(side, binds) for side in audited.inputs}
    fresh = {name for name in flow.own if not all(name in names for names in own.values())}
    if not fresh:
        return
    reads = [name for name in flow.reads() if name.id in fresh]
    meant = [name for name in reads if _meant_the_module(audited, name, own)]
    if not meant:
        return
    unsure = {id(name) for name in Flow(audited.result.function, sure=True).unbound_reads()}
    for name in meant:
        if id(name) in unsure:
            yield name, f"{_MEANT}; {_UNSURE}"
        elif not _is_the_same(audited, name.id):
            yield name, f"{_MEANT}; {_ANOTHER}"


_MEANT = "the code that reads it means the module's"
_ANOTHER = "here it is a variable of the function"
_UNSURE = f"{_ANOTHER}, which is not bound on every way that leads here"


def _own(side: Side, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The variables of *side*; *known* has what many of its rows bind, by their keys."""
    names = set(parameters_of(side.function))
    for row in side.rows:
        if not _is_inner(row):
            names |= known[row.key] if row.key in known else binds_of(row.node)
    return frozenset(names)


def _is_inner(row: Row) -> bool:
    """Whether a row stands in an inner function or class."""
    return any(key.startswith(("def", "class", "asyncdef")) for key, _ in row.path)


def _meant_the_module(audited: Audited, name: ast.Name, own: Mapping[Side, frozenset[str]]) -> bool:
    """Whether every version that has the row of *name* reads it as a name of the module."""
    row = _row_of(audited.result, name)
    if row is None:
        return False
    sides = [side for side in audited.inputs if row.key in side.by_key]
    if not sides:  # a merged row: whoever reads the name
        sides = [side for side in audited.inputs if _reads(side, name.id)]
    return bool(sides) and not any(name.id in own[side] for side in sides)


def _reads(side: Side, name: str) -> bool:
    if name not in side.text:
        return False
    names = (node for node in walk(side.function) if isinstance(node, ast.Name))
    return any(node.id == name and isinstance(node.ctx, ast.Load) for node in names)


def _row_of(side: Side, name: ast.Name) -> Row | None:
    line = name.lineno - side.above
    found = [row for row in side.rows if row.line <= line <= row.end]
    return max(found, key=lambda row: row.line, default=None)


def _is_the_same(audited: Audited, name: str) -> bool:
    """Whether the function binds *name* by imports alone, and the module by one of them as well."""
    here = _imported(audited.result.function, name)
    stored = (n for n in walk(audited.result.function) if isinstance(n, ast.Name) and n.id == name)
    if not here or any(isinstance(node.ctx, ast.Store) for node in stored):
        return False
    module = find_tree(audited.module)
    if module is None:  # conflicts elsewhere in the file: what it imports is not known
        return True
    there = {
        _what(node, alias)
        for node, _ in iter_imports(module.body)
        for alias in node.names
        if _bound(alias) == name
    }
    return bool(there) and here <= there


def _imported(function: ast.AST, name: str) -> set[tuple[str, str]]:
    return {
        _what(node, alias)
        for node in walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if _bound(alias) == name
    }


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _what(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, str]:
    """The module and the name in it that an import is of."""
    if isinstance(node, ast.Import):
        return (alias.name if alias.asname else alias.name.partition(".")[0], "")
    return ("." * node.level + (node.module or ""), alias.name)
