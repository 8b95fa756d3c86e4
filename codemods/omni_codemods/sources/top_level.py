"""What the statements at the top of a module bind: read once for each text."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.names.scopes import import_paths
from omni_codemods.text.dotted import last_part
from omni_codemods.text.parsing import kept_tree
from omni_codemods.text.walks import TRIES, iter_own_statements


@dataclass(frozen=True, slots=True)
class Binding:
    """One statement that binds a name at the top of a module.

    *path* is what it imports, empty for a definition or an assignment. *guarded* says that it
    stands under a test or in a ``try``, *spare* that it is there for want of something better: it
    stands in an ``except``, or is ``None``; *typing* that only type checkers see it.
    """

    node: ast.stmt
    path: str = ""
    guarded: bool = False
    spare: bool = False
    typing: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """What a module binds at its top: definitions, imports by name, and star imports.

    Where several statements bind a name, the last counts that is not spare. *bindings* has all of
    them, *aliases* what an assignment makes another name of, as a dotted name of the module.
    """

    definitions: dict[str, ast.AST]
    imports: dict[str, str]
    stars: tuple[str, ...]
    parsed: bool = True
    bindings: Mapping[str, tuple[Binding, ...]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@functools.lru_cache(maxsize=2048)
def parse_module(text: str, package: str) -> Module:
    """Return what *text* binds as a module whose relative imports are read in *package*.

    It is not parsed where this Python cannot. A plan and the checks after it ask for the same
    modules: do not change what comes back.
    """
    tree = kept_tree(text)
    if tree is None:
        return Module({}, {}, (), parsed=False)
    found: dict[str, list[Binding]] = {}
    stars: list[str] = []
    try:
        bindings = list(iter_bindings(tree.body, package))
    except RecursionError:
        return Module({}, {}, (), parsed=False)
    for binding, names in bindings:
        for name, path in names.items():
            if name == "*":
                stars.append(path)
            else:
                found.setdefault(name, []).append(replace(binding, path=path))
    chosen = {name: _chosen(every) for name, every in found.items()}
    return Module(
        {name: one.node for name, one in chosen.items() if not one.path},
        {name: one.path for name, one in chosen.items() if one.path},
        tuple(stars),
        bindings={name: tuple(every) for name, every in found.items()},
        aliases=dict(_aliases(found)),
    )


def _chosen(every: Sequence[Binding]) -> Binding:
    """The binding that counts. What the module defines itself counts before what it imports, as a
    name that is imported first and then made anew."""
    real = [one for one in every if not one.spare] or every
    return next((one for one in reversed(real) if not one.path), real[-1])


def _aliases(found: Mapping[str, Sequence[Binding]]) -> Iterator[tuple[str, str]]:
    for name, every in found.items():
        node = every[0].node
        if len(every) == 1 and not every[0].guarded and isinstance(node, ast.Assign):
            dotted = dotted_name(node.value) if not isinstance(node.value, ast.Subscript) else None
            if dotted is not None and dotted[0] != name and len(node.targets) == 1:
                yield name, ".".join(dotted)


def iter_bindings(
    body: Iterable[ast.stmt], package: str, known: Binding | None = None
) -> Iterator[tuple[Binding, dict[str, str]]]:
    """Yield each statement of *body* (of a module or a class) that binds names, with these, each
    with the path that it imports, relative ones read in *package*."""
    for node in body:
        here = replace(known, node=node) if known is not None else Binding(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield here, dict(import_paths(node, package))
        elif names := dict.fromkeys(_bound(node), ""):
            spare = here.spare or _is_none(node)
            yield replace(here, spare=spare), names
        elif isinstance(node, ast.If):
            typing = last_part(ast.unparse(node.test)) == "TYPE_CHECKING"
            inside = replace(here, guarded=True, typing=here.typing or typing)
            yield from iter_bindings(node.body, package, inside)
            yield from iter_bindings(node.orelse, package, replace(here, guarded=True))
        elif isinstance(node, TRIES):
            inside = replace(here, guarded=True)
            for part in (node.body, node.orelse):
                yield from iter_bindings(part, package, inside)
            for handler in node.handlers:
                yield from iter_bindings(handler.body, package, replace(inside, spare=True))
            yield from iter_bindings(node.finalbody, package, here)
        elif not isinstance(node, Definition):
            inside = replace(here, guarded=True)
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    yield from iter_bindings([child], package, inside)
                elif isinstance(child, ast.match_case):
                    yield from iter_bindings(child.body, package, inside)


def _is_none(node: ast.stmt) -> bool:
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and value.value is None


def definitions_in(body: Iterable[ast.stmt]) -> dict[str, ast.AST]:
    """Return what *body* (of a module or a class) defines and assigns, by name."""
    found: dict[str, ast.AST] = {}
    for node in iter_own_statements(body):
        found.update((name, node) for name in _bound(node))
    return found


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a definition or an assignment binds."""
    if isinstance(node, Definition):
        yield node.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _names(target)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        yield from _names(node.target)
    elif type(node).__name__ == "TypeAlias":
        yield node.name.id  # type: ignore[attr-defined]


def _names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def dotted_name(node: ast.expr) -> list[str] | None:
    """Return the parts of ``a.b.c``, subscripts left out; ``None`` for anything else."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        owner = dotted_name(node.value)
        return None if owner is None else [*owner, node.attr]
    return None


def differ(every: list[Binding]) -> bool:
    """Whether several bindings of a name give different things."""
    paths = {one.path for one in every}
    return len(paths) > 1 or (paths == {""} and len({ast.dump(one.node) for one in every}) > 1)
