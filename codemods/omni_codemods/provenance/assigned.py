"""Local functions that a file puts in the place of upstream's: ``Runner.run = run``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.kinship import ModuleView
from omni_codemods.text.outline import definitions
from omni_codemods.text.parsing import parse_module

# What a file that patches must contain: imported name and function. A byte search, before anything
# is parsed.
NEEDLE = re.compile(
    rb"^[ \t]*(\w+)(?:\.\w+)+[ \t]*=[ \t]*(?:\w+\()?(\w+)\)?[ \t]*(?:#[^\n]*)?$", re.MULTILINE
)
_WRAPPERS = ("staticmethod", "classmethod")


@dataclass(frozen=True, slots=True)
class Patch:
    """The local *function* is assigned to the dotted path *target*, on *line* (1-based).

    *nested* says that the function is defined inside of another one.
    """

    function: str
    target: str
    line: int
    nested: bool = False


def find_patches(view: ModuleView) -> tuple[Patch, ...]:
    """Return the assignments, at any level, of a function of the file to an imported name.

    ``staticmethod(f)`` and ``classmethod(f)`` count as *f*.
    """
    tree = parse_module(view.text)
    top = {d.qualname for d in definitions(view.text) if not d.is_class}
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    every = {n.name for n in ast.walk(tree) if isinstance(n, functions)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and (name := _function(node.value)) in every:
            found += [
                Patch(name, target, node.lineno, name not in top)
                for place in node.targets
                for target in _targets(place, view)
            ]
    return tuple(sorted(found, key=lambda patch: patch.line))


def _function(value: ast.expr) -> str:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        wrapped = value.func.id in _WRAPPERS and len(value.args) == 1
        value = value.args[0] if wrapped else value
    return value.id if isinstance(value, ast.Name) else ""


def _targets(place: ast.expr, view: ModuleView) -> Iterator[str]:
    if isinstance(place, ast.Attribute):
        head, _, rest = ast.unparse(place).partition(".")
        yield from (f"{origin}.{rest}" for origin in view.imports.get(head, ()))
