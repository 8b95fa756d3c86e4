"""What a name means: scopes, the imports and other bindings in them, and their resolution."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.text.dotted import absolute


class ScopeKind(enum.Enum):
    """A class scope is not seen from the functions in it; the others are."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"


class BindingKind(enum.Enum):
    """How a name is bound. ``PLACEHOLDER`` is ``name = None``, as after a failed import."""

    IMPORT = "import"
    PLACEHOLDER = "placeholder"
    OTHER = "other"


class Guard(enum.Enum):
    """Under which test code stands: none that matters, for the GPU only, or choosing."""

    NONE = "none"
    GPU = "gpu"
    BOTH = "both"


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One place that binds a name. *path* is what an import binds it to, else empty.

    *alias* and *statement* are set for imports; *span* is that of a plain name. *direct* says that
    the import stands in the suite of its scope itself, not behind a test. *declared* says that a
    ``global`` or ``nonlocal`` carries it into another scope.
    """

    kind: BindingKind
    line: int
    path: str = ""
    alias: ast.alias | None = None
    statement: ast.Import | ast.ImportFrom | None = None
    guard: Guard = Guard.NONE
    span: tuple[int, int] | None = None
    top_level: bool = False
    direct: bool = False
    declared: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """A scope under construction, then read-only: *bindings* by name, and where it lies.

    *node* is what opens it, None for the module.
    """

    kind: ScopeKind
    parent: Scope | None
    node: ast.AST | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    paths: dict[str, tuple[int, str | None]] = field(default_factory=dict)

    def bind(self, name: str, binding: Binding) -> None:
        """Record *binding*, in the scope that a ``global`` or ``nonlocal`` names."""
        scope = self._home(name)
        scope.bindings.setdefault(name, []).append(binding)

    def _home(self, name: str) -> Scope:
        if name in self.globals:
            return self.module
        if name in self.nonlocals:
            return find_scope(name, self.parent) or self
        return self

    @property
    def module(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as it is spelt in *scope*; the *name* of an attribute begins with a dot.

    An attribute is one variable in the whole module, whatever object it is read from.
    """

    name: str
    scope: Scope

    @property
    def key(self) -> tuple[int, str]:
        """What is the same for each read of it, also when the module is walked again."""
        if self.name.startswith("."):
            return 0, self.name
        home = find_scope(self.name, self.scope) or self.scope
        if home.kind is ScopeKind.CLASS:
            return 0, f".{self.name}"
        return id(home.node) if home.node is not None else 0, self.name


def find_scope(name: str, scope: Scope | None) -> Scope | None:
    """The scope whose binding *name* has when read in *scope*; None if it is bound in none."""
    for index, candidate in enumerate(visible_scopes(scope)):
        if index == 0 and name in candidate.globals:
            return candidate.module if name in candidate.module.bindings else None
        if name in candidate.bindings:
            return candidate
    return None


def visible_scopes(scope: Scope | None) -> Iterator[Scope]:
    """*scope* and those around it that its code sees, from the inside out."""
    first = scope
    while scope is not None:
        if scope is first or scope.kind is not ScopeKind.CLASS:
            yield scope
        scope = scope.parent


def imported_path(scope: Scope, name: str) -> str | None:
    """The one path that *name* is imported from where *scope* reads it, or None.

    None also where it is bound to anything else as well, ``None`` as a placeholder excepted.
    """
    home = find_scope(name, scope)
    if home is None:
        return None
    bindings = home.bindings[name]
    known = home.paths.get(name)
    # A name may be bound a thousand times, and read as often.
    if known is None or known[0] != len(bindings):
        paths = {b.path for b in bindings if b.kind is not BindingKind.PLACEHOLDER}
        known = len(bindings), paths.pop() or None if len(paths) == 1 else None
        home.paths[name] = known
    return known[1]


def import_bindings(
    statement: ast.Import | ast.ImportFrom,
) -> Iterator[tuple[str, str, ast.alias]]:
    """For each alias of *statement*: the bound name, the dotted path it stands for, the alias.

    Relative modules keep their leading dots; a star binds ``*``.
    """
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            path = module + alias.name if module.endswith(".") else f"{module}.{alias.name}"
            yield alias.asname or alias.name, path, alias
        elif alias.asname:
            yield alias.asname, alias.name, alias
        else:
            root = alias.name.split(".")[0]
            yield root, root, alias


def import_paths(statement: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """The names that *statement* binds, with the paths they stand for, read in *package*.

    A star binds ``*``, with the path of the module.
    """
    for bound, path, _ in import_bindings(statement):
        yield bound, absolute(path.removesuffix(".*"), package)
