"""Names that nothing binds (OP610)."""

from __future__ import annotations

import ast
import builtins
import functools
import symtable
from bisect import bisect_left
from collections.abc import Iterator

from omni_codemods.findings.check_codes import NOTHING_BINDS
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.rebuild.settle_imports import module_names
from omni_codemods.sources.subject import Subject
from omni_codemods.text.parsing import make_scopes
from omni_codemods.text.walks import walk

# There on one platform alone.
_BUILTINS = frozenset(dir(builtins)) | {"WindowsError"}


def check_unbound(subject: Subject) -> Iterator[Finding]:
    """Yield a finding for each name that a function or class uses and that nothing binds.

    It stands at the first use; a name that two functions use is found in each. Nothing where a
    star import may bring it. Annotations that are strings are not looked into.
    """
    names = module_names(subject.text)
    if names.stars:
        return
    bound = names.bound | _bound_from_inside(subject.tree) | _BUILTINS
    table, exact = make_scopes(subject.text)
    uses = functools.cache(lambda: _uses(subject.tree))
    for scope in _scopes(table):
        for name in sorted(_free(scope) - bound):
            places = uses().get(name, [])
            first = bisect_left(places, (scope.get_lineno() if exact else 1, 0))
            if first == len(places) or name.startswith("__"):
                continue
            message = f"{scope.get_name()} uses {name}, which nothing in the file binds"
            yield Finding(
                NOTHING_BINDS.code,
                *places[first],
                message,
                NOTHING_BINDS.remedy,
                Severity.ERROR,
            )


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The scopes of functions and classes, at any depth."""
    for child in table.get_children():
        yield child
        yield from _scopes(child)


def _free(scope: symtable.SymbolTable) -> set[str]:
    return {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}


def _bound_from_inside(tree: ast.Module) -> set[str]:
    """Names of the module that an inner scope binds: ``global``, or ``:=`` in a comprehension."""
    out: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Global):
            out.update(node.names)
        elif isinstance(node, ast.NamedExpr):
            out.add(node.target.id)
    return out


def _uses(tree: ast.Module) -> dict[str, list[tuple[int, int]]]:
    """Where each name is used, in order: line (from 1) and column (from 0)."""
    out: dict[str, list[tuple[int, int]]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Name):
            out.setdefault(node.id, []).append((node.lineno, node.col_offset))
    return {name: sorted(places) for name, places in out.items()}
