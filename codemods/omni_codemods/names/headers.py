"""Names that a function's decorators and defaults read, which its class may bind."""

from __future__ import annotations

import ast

from omni_codemods.names.reads import as_module
from omni_codemods.text.outline import parse_outer
from omni_codemods.text.parsing import shared_tree
from omni_codemods.text.walks import iter_bound, walk

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def header_names(text: str) -> frozenset[str]:
    """Return the names in decorators and defaults of the function in *text* (any indentation).

    They are read where the function is defined: in its class, if it has one. Nothing where it is
    no Python.
    """
    tree = shared_tree(as_module(text))
    if tree is None:
        return frozenset()
    function = next((n for n in walk(tree) if isinstance(n, _Function)), None)
    if function is None:
        return frozenset()
    arguments = function.args
    defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
    read = (n for part in [*function.decorator_list, *defaults] for n in walk(part))
    return frozenset(n.id for n in read if isinstance(n, ast.Name))


def class_names(text: str, owner: str) -> frozenset[str]:
    """Return what the class *owner* (a dotted name) of *text* binds in its body."""
    body = parse_outer(text).body
    for part in filter(None, owner.split(".")):
        found = [n for n in walk(ast.Module(body, [])) if isinstance(n, ast.ClassDef)]
        body = next((n.body for n in found if n.name == part), [])
    return frozenset(iter_bound(body)) if owner else frozenset()
