"""Which imported names a file uses, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from omni_codemods.names.scopes import import_bindings
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import absolute
from omni_codemods.text.walks import TRIES


@dataclass(frozen=True, slots=True)
class Use:
    """A use of an imported name: *path* with all attributes behind it, on *line* (1-based).

    *imported* is the path that the import binds. *passive* says that it annotates, or is what
    ``isinstance`` asks for: what is in the thing does not matter there. *made* says that it is
    called, or inherited from (then *inherited*), and *placed* that it is so by position.
    *patched* says that something is assigned to it.
    """

    path: str
    imported: str
    line: int
    passive: bool = False
    made: bool = False
    placed: bool = False
    inherited: bool = False
    patched: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds: *sure* is false where it stands under ``try`` or a test."""

    name: str
    path: str
    line: int
    sure: bool


def iter_imports(tree: ast.Module, parent: str) -> Iterator[Import]:
    """Yield what the imports outside of functions bind; relative ones are read in *parent*."""
    for node, sure in _outside(tree, True):
        yield from _bound(node, sure, parent)


def iter_uses(tree: ast.Module, parent: str) -> Iterator[Use]:
    """Yield each use of an imported name, in the order of the file; the imports are none."""
    imports = {one.name: one.path for one in iter_imports(tree, parent)}
    yield from _uses(tree.body, imports, parent)


def _outside(node: ast.AST, sure: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, sure
        elif not isinstance(child, (Function, ast.Lambda)):
            plain = not isinstance(child, (*TRIES, ast.If, ast.ExceptHandler))
            yield from _outside(child, sure and plain)


def _bound(node: ast.Import | ast.ImportFrom, sure: bool, parent: str) -> Iterator[Import]:
    for name, path, alias in import_bindings(node):
        if name != "*":
            yield Import(name, absolute(path, parent), alias.lineno, sure)


def _uses(body: list[ast.stmt], imports: Mapping[str, str], parent: str) -> Iterator[Use]:
    for statement in body:
        if isinstance(statement, Function):
            yield from _function(statement, imports, parent)
        elif isinstance(statement, ast.ClassDef):
            heads = [*statement.decorator_list, *(one.value for one in statement.keywords)]
            for node in (*statement.bases, *heads):
                inherited = node in statement.bases and _use(node, imports) is not None
                for use in _chains(node, imports):
                    yield replace(use, made=True, placed=True, inherited=inherited)
            yield from _uses(statement.body, imports, parent)
        else:
            yield from _chains(statement, imports)


def _function(function: Function, imports: Mapping[str, str], parent: str) -> Iterator[Use]:
    own: dict[str, str] = {}
    other: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            own.update((one.name, one.path) for one in _bound(node, True, parent))
        elif isinstance(node, ast.arg):
            other.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            other.add(node.id)
    seen = {name: path for name, path in {**imports, **own}.items() if name not in other}
    yield from _chains(function, seen)


def _chains(node: ast.AST, imports: Mapping[str, str], passive: bool = False) -> Iterator[Use]:
    """Yield the longest dotted names below *node* that start with an imported one."""
    if (patched := _set_by_name(node, imports)) is not None:
        yield patched
    if isinstance(node, ast.Call) and (use := _use(node.func, imports)) is not None:
        yield replace(use, passive=passive, made=True, placed=bool(node.args))
        inner: list[ast.AST] = [*node.args, *node.keywords]
    elif (use := _use(node, imports)) is not None:
        written = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        yield replace(use, passive=passive, patched=written)
        inner = []
    else:
        inner = list(ast.iter_child_nodes(node))
    asked = _passive(node)
    for child in inner:
        yield from _chains(child, imports, passive or child in asked)


def _use(node: ast.AST, imports: Mapping[str, str]) -> Use | None:
    """The use that a dotted name is; ``None`` for anything else, and for names of its own."""
    names: list[str] = []
    at = node
    while isinstance(at, ast.Attribute):
        names.insert(0, at.attr)
        at = at.value
    if not (isinstance(at, ast.Name) and isinstance(at.ctx, ast.Load) and at.id in imports):
        return None
    path = ".".join([imports[at.id], *names])
    return Use(path, imports[at.id], getattr(node, "lineno", 0))


def _set_by_name(node: ast.AST, imports: Mapping[str, str]) -> Use | None:
    """The use that ``setattr(thing, "name", value)`` is."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "setattr"):
        return None
    if len(node.args) != 3 or not isinstance(node.args[1], ast.Constant):
        return None
    use, name = _use(node.args[0], imports), node.args[1].value
    if use is None or not isinstance(name, str):
        return None
    return replace(use, path=f"{use.path}.{name}", patched=True)


def _passive(node: ast.AST) -> list[ast.AST]:
    """The annotations of *node*, or the classes that it asks ``isinstance`` for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return [*node.args[1:]] if node.func.id in ("isinstance", "issubclass") else []
    notes = (getattr(node, "annotation", None), getattr(node, "returns", None))
    return [note for note in notes if isinstance(note, ast.AST)]
