"""What a file shows of a class: its methods, and those of the bases that the file defines."""

from __future__ import annotations

import ast
import functools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from omni_codemods.sources.mro import class_order
from omni_codemods.text.dotted import last_part
from omni_codemods.text.parsing import parse_module
from omni_codemods.text.walks import TRIES

Function = ast.FunctionDef | ast.AsyncFunctionDef


def own_methods(text: str, cls: str) -> dict[str, Function]:
    """Return the methods that *cls* (a dotted name, or its last part) defines, by name.

    Where a name is defined more than once the last one counts. Empty where there is no such
    class. Raises :class:`~omni_codemods.findings.errors.SourceError`.
    """
    node = _classes(text).get(last_part(cls))
    return {} if node is None else dict(_methods(node))


def shown_methods(text: str, cls: str) -> dict[str, Function]:
    """Return the methods of *cls* with those it inherits, as far as *text* shows its bases."""
    classes = _classes(text)
    shown = [classes[name] for name in _order(cls, classes) if name in classes]
    return {name: node for one in reversed(shown) for name, node in _methods(one)}


def inherits(text: str, cls: str, base: str) -> bool:
    """Whether *cls* has *base* among its bases, as far as *text* shows; by their last names."""
    return last_part(base) in _order(cls, _classes(text))[1:]


def _order(cls: str, classes: Mapping[str, ast.ClassDef]) -> Sequence[str]:
    """The last names of *cls* and of what it inherits from, in Python's order."""

    def bases(name: str) -> list[str]:
        node = classes.get(name)
        written = () if node is None else node.bases
        return [last_part(ast.unparse(one).partition("[")[0]) for one in written]

    return class_order(last_part(cls), bases)


def same_code(one: ast.AST, other: ast.AST) -> bool:
    """Whether two functions are the same but for layout, comments and docstrings."""
    return _dump(one) == _dump(other)


def _dump(node: ast.AST) -> str:
    body = getattr(node, "body", [])
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    parts = [getattr(node, "args", None), *getattr(node, "decorator_list", ()), *body]
    kind = type(node).__name__
    return "\n".join([kind, *(ast.dump(x) for x in parts if isinstance(x, ast.AST))])


@functools.lru_cache(maxsize=8)
def _classes(text: str) -> Mapping[str, ast.ClassDef]:
    return {n.name: n for n in _statements(parse_module(text)) if isinstance(n, ast.ClassDef)}


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below *node*, level by level; what has statements, but no expressions."""
    waiting = deque([node])
    while waiting:
        one = waiting.popleft()
        yield one
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            below = getattr(one, name, None)
            if isinstance(below, list):
                waiting.extend(below)


def _methods(node: ast.ClassDef) -> list[tuple[str, Function]]:
    return [
        (n.name, n)
        for statement in node.body
        for n in (statement, *_branches(statement))
        if isinstance(n, Function)
    ]


def _branches(statement: ast.stmt) -> list[ast.AST]:
    """What stands in the suites of an ``if`` or ``try`` of the class's body."""
    if not isinstance(statement, (ast.If, *TRIES)):
        return []
    return [n for part in ast.iter_child_nodes(statement) for n in (part, *_branches_of(part))]


def _branches_of(part: ast.AST) -> list[ast.AST]:
    if isinstance(part, ast.ExceptHandler):
        return list(part.body)
    return _branches(part) if isinstance(part, ast.stmt) else []
