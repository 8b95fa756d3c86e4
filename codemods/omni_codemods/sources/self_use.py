"""What the methods of a class do with ``self``, read once for each class."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.text.walks import iter_own_statements, nodes_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment to an attribute, in *method* (empty: in the class itself).

    *value* is the assigned code, empty where it is not one of its own: in a tuple, a loop.
    """

    node: ast.AST
    value: str
    method: str


@dataclass(frozen=True, slots=True)
class Selves:
    """By the name of an attribute: its assignments, and the methods that read or call it.

    *stored* are the attributes that methods assign to, without those of the class itself;
    *dynamic* says that a method sets attributes whose names one cannot read.
    """

    assigned: dict[str, tuple[Assignment, ...]]
    used: dict[str, tuple[str, ...]]
    stored: frozenset[str]
    dynamic: bool = False


@functools.lru_cache(maxsize=4096)
def read_selves(cls: ast.ClassDef) -> Selves:
    """Return what *cls* itself does with ``self``; do not change what comes back."""
    assigned: dict[str, list[Assignment]] = {}
    used: dict[str, dict[str, None]] = {}
    stored: set[str] = set()
    dynamic = False
    for one in iter_own_statements(cls.body):
        if isinstance(one, _Function):
            nodes = nodes_of(one)
            for name, node in _set_by_name(nodes):
                dynamic = dynamic or not name
                if name:
                    assigned.setdefault(name, []).append(Assignment(node, "", one.name))
                    stored.add(name)
            for node, assignment in _attributes(one, nodes):
                if assignment is None:
                    used.setdefault(node.attr, {})[one.name] = None
                else:
                    assigned.setdefault(node.attr, []).append(assignment)
                    stored.add(node.attr)
        else:
            for name in _names(one):
                assigned.setdefault(name, []).append(Assignment(one, "", ""))
    return Selves(
        {name: tuple(found) for name, found in assigned.items()},
        {name: tuple(found) for name, found in used.items()},
        frozenset(stored),
        dynamic,
    )


def _set_by_name(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """The attributes that ``setattr(self, "name", ...)`` sets; empty for one that is not read."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id not in ("vars", "setattr"):
                continue
            about_self = node.args and ast.unparse(node.args[0]) == "self"
            if node.func.id == "vars" and about_self:
                yield "", node
            elif node.func.id == "setattr" and about_self and len(node.args) > 1:
                name = node.args[1]
                known = isinstance(name, ast.Constant) and isinstance(name.value, str)
                yield (name.value if known else ""), node  # type: ignore[attr-defined]
        elif isinstance(node, ast.Attribute) and node.attr == "__dict__" and is_own(node):
            yield "", node


def _attributes(
    method: _Function, nodes: Sequence[ast.AST]
) -> Iterator[tuple[ast.Attribute, Assignment | None]]:
    values: dict[ast.AST, tuple[ast.stmt, ast.expr]] = {}
    for node in nodes:
        # Outer nodes come first, so that a statement is known before its targets.
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                values[target] = node, node.value
        elif is_own(node):
            assert isinstance(node, ast.Attribute)
            if isinstance(node.ctx, ast.Load):
                yield node, None
            elif node in values:
                statement, value = values[node]
                yield node, Assignment(statement, ast.unparse(value), method.name)
            else:
                yield node, Assignment(node, "", method.name)


def is_own(node: ast.AST) -> bool:
    """Whether *node* is ``self.name``."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def _names(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id


def attributes_set_in(node: ast.ClassDef) -> set[str]:
    """Return the attributes that the class sets on ``self``."""
    return {
        child.attr
        for child in nodes_of(node)
        if isinstance(child, ast.Attribute)
        and isinstance(child.ctx, ast.Store)
        and isinstance(child.value, ast.Name)
        and child.value.id == "self"
    }
