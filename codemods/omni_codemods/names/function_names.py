"""The names that a function reads and binds as a whole, quoted annotations among them."""

from __future__ import annotations

import ast
import builtins
import functools
import keyword
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.reads import as_module
from omni_codemods.text.parsing import find_tree, make_scopes, parse
from omni_codemods.text.skim import without_bodies
from omni_codemods.text.walks import iter_annotations, walk

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__class__"}
_QUOTED = re.compile(r"(?::|->|\[|,|\|)\s*[\"']\w")
# A line that begins as an annotated name does (or as an entry of a dictionary) and may quote.
_ANNOTATED = re.compile(
    r"""\n[ \t]*([A-Za-z_]\w*)(?:\.\w+)*[ \t]*:[^\n]*?(?:["']|[\[(,|\\][ \t]*(?=\n))"""
)


@dataclass(frozen=True, slots=True)
class Function:
    """The names of one function: *free* ones come from its module, *own* are local to it."""

    free: frozenset[str]
    own: frozenset[str]


NO_FUNCTION = Function(frozenset(), frozenset())


@functools.lru_cache(maxsize=16)
def function_names(text: str) -> Function:
    """Return the names of the function in *text* (any indentation).

    They are :data:`NO_FUNCTION` itself where it is not Python.
    """
    source = as_module(text)
    try:
        table, _ = make_scopes(source)
    except SourceError:
        return NO_FUNCTION
    free: set[str] = set()
    own: set[str] = set()
    for scope in _scopes(table):
        for symbol in scope.get_symbols():
            if scope is table:
                if symbol.is_referenced():
                    free.add(symbol.get_name())
            elif symbol.is_global():
                free.add(symbol.get_name())
            elif symbol.is_local():
                own.add(symbol.get_name())
    free |= quoted_names(source)
    return Function(frozenset(free - _BUILTINS), frozenset(own))


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def quoted_names(source: str) -> set[str]:
    """Names in annotations that are written as strings."""
    out: set[str] = set()
    if not _QUOTED.search(source):
        return out
    header = without_bodies(source)
    alone = source.count("def ") == 1 and "class " not in source
    if alone and _annotated(source) == _annotated(header):
        source = header  # nothing in the body is annotated
    for note in iter_annotations(parse(source)):
        for part in walk(note):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                inner = find_tree(part.value.strip())
                if inner is None:
                    continue
                out |= {n.id for n in walk(inner) if isinstance(n, ast.Name)}
    return out


def _annotated(text: str) -> int:
    return sum(not keyword.iskeyword(name) for name in _ANNOTATED.findall(text))
