"""The local files together: what they assign to upstream's names, and who inherits from whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Sources, find_origin
from omni_codemods.text.dotted import first_part, imported_module, owner_of
from omni_codemods.text.parsing import kept_tree
from omni_codemods.text.walks import nodes_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class KinFile:
    """One local file: its dotted *module*, and whether it is an ``__init__.py``."""

    module: str
    text: str
    package: bool = False


@dataclass(frozen=True, slots=True)
class Assigned:
    """``target = value``, where *target* is an attribute of something imported (dotted).

    *local* is the dotted local name of the value, empty where it is none.
    """

    module: str
    target: str
    node: ast.AST
    value: ast.expr
    local: str


@dataclass(slots=True)
class Kin:
    """What the local files do together.

    *loads* are the names of all attributes that they read, *stores* of those that they set on
    anything but ``self``. *lent* are the classes of which methods are assigned to others, as the
    files name them: their ``self`` is of those others.
    """

    files: Sequence[KinFile]
    assigned: list[Assigned] = field(default_factory=list)
    loads: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    classes: list[str] = field(default_factory=list)
    lent: set[str] = field(default_factory=set)
    # Below which class, for each hierarchy that was asked with.
    _below: dict[int, tuple[Hierarchy, dict[str, list[str]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.files:
            tree = kept_tree(one.text)
            if tree is not None:
                self._read(tree, one)

    def patches(self, sources: Sources) -> dict[str, str]:
        """Return the assignments to what *sources* hold: dotted target to dotted local name."""
        out: dict[str, str] = {}
        for one in self.assigned:
            owner, _, name = one.target.rpartition(".")
            if sources.holds(owner) and first_part(owner) != first_part(one.module):
                target = f"{find_origin(owner, sources)}.{name}"
                out[target] = "" if out.get(target, one.local) != one.local else one.local
                if target != one.target:
                    out[one.target] = out[target]
        return out

    def below(self, cls: str, hierarchy: Hierarchy) -> list[str]:
        """Return the local classes that inherit from *cls*."""
        known = self._below.get(id(hierarchy))
        if known is None:
            found: dict[str, list[str]] = {}
            for one in self.classes:
                for base in hierarchy.order(one)[1:]:
                    found.setdefault(base, []).append(one)
            known = self._below[id(hierarchy)] = hierarchy, found
        return known[1].get(cls, [])

    def _read(self, tree: ast.Module, file: KinFile) -> None:
        parent = file.module if file.package else owner_of(file.module)
        imports: dict[str, str] = {}
        top: set[str] = set()
        for one in tree.body:
            if isinstance(one, (*_FUNCTIONS, ast.ClassDef)):
                top.add(one.name)
            if isinstance(one, ast.ClassDef):
                self.classes.append(f"{file.module}.{one.name}")
        nodes = nodes_of(tree)
        # A function that stands in no class sets attributes of what it is assigned to.
        functions = [n for n in tree.body if not isinstance(n, ast.ClassDef)]
        loose = {id(n) for f in functions for n in nodes_of(f) if isinstance(n, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = first_part(alias.name)
                    imports[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom):
                origin = imported_module(node, parent)
                for alias in node.names:
                    imports[alias.asname or alias.name] = f"{origin}.{alias.name}"
            elif isinstance(node, ast.Call) and "extend_enum" in _called(node):
                # Members that are added to an enum: extend_enum(Status, "NAME", 1).
                self.stores.update(_texts(node.args[1:2]))
            elif isinstance(node, ast.Attribute):
                if isinstance(node.ctx, ast.Load):
                    self.loads.add(node.attr)
                elif id(node) in loose or ast.unparse(node.value) not in ("self", "cls"):
                    self.stores.add(node.attr)
        for place, value, at in _assignments(nodes):
            owner, name = place
            if isinstance(value, ast.Attribute):
                self.lent.add(owner_of(_local(value, file.module, top, imports)))
            head, _, rest = owner.partition(".")
            if head in imports:
                path = f"{imports[head]}.{rest}" if rest else imports[head]
                local = _local(value, file.module, top, imports)
                self.assigned.append(Assigned(file.module, f"{path}.{name}", at, value, local))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", "") or getattr(call.func, "id", ""))


def _texts(nodes: Sequence[ast.expr]) -> list[str]:
    values = (one.value for one in nodes if isinstance(one, ast.Constant))
    return [one for one in values if isinstance(one, str)]


def _local(value: ast.expr, module: str, top: set[str], imports: dict[str, str]) -> str:
    if isinstance(value, ast.Name):
        return f"{module}.{value.id}" if value.id in top else imports.get(value.id, "")
    if isinstance(value, ast.Attribute):
        head, _, rest = ast.unparse(value).partition(".")
        if head in top or head in imports:
            return f"{module}.{head}.{rest}" if head in top else f"{imports[head]}.{rest}"
    return ""


def _assignments(
    nodes: Sequence[ast.AST],
) -> Iterator[tuple[tuple[str, str], ast.expr, ast.AST]]:
    """The assignments to attributes: owner and name, the value, and where."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and _is_dotted(target.value):
                    yield (ast.unparse(target.value), target.attr), node.value, node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id != "setattr" or len(node.args) != 3 or not _is_dotted(node.args[0]):
                continue
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield (ast.unparse(node.args[0]), name.value), node.args[2], node


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
