"""Which classes a class inherits from, over the files of several trees; nothing is imported."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.scopes import import_paths
from omni_codemods.sources.mro import class_order
from omni_codemods.text.dotted import owner_of
from omni_codemods.text.outline import definitions
from omni_codemods.text.parsing import parse_module
from omni_codemods.text.walks import iter_statements

# A name that is re-exported more often is not looked for.
_DEPTH = 12

Read = Callable[[str], "str | None"]


@dataclass(frozen=True, slots=True)
class ModuleView:
    """What a module shows: its classes with their bases, and what its names are imported from.

    A base is a tuple of the dotted paths that it may stand for: more than one where an ``if``
    chooses between imports. *path* is that of the file.
    """

    name: str
    path: str
    text: str
    classes: dict[str, tuple[tuple[str, ...], ...]]
    imports: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class Family:
    """The classes of the trees that *read* reads: a path such as ``package/module.py`` → text.

    Each file is read and parsed once; one that is not Python is a file that is not there.
    """

    read: Read
    _views: dict[str, ModuleView | None] = field(default_factory=dict)

    def view(self, module: str) -> ModuleView | None:
        """Return what the module *module* (a dotted name) shows, ``None`` where it is not there."""
        if module not in self._views:
            self._views[module] = self._load(module)
        return self._views[module]

    def split(self, dotted: str) -> tuple[ModuleView, str] | None:
        """Return the module that defines *dotted* with the name in it, re-exports followed."""
        for _ in range(_DEPTH):
            found = self._cut(dotted)
            if found is None:
                return None
            view, inside = found
            head, _, rest = inside.partition(".")
            origins = view.imports.get(head)
            if head in view.classes or not origins or not inside:
                return view, inside
            dotted = f"{origins[-1]}.{rest}" if rest else origins[-1]
        return None

    def ancestors(self, dotted: str) -> Iterator[tuple[ModuleView, str]]:
        """Yield the classes that *dotted* inherits from, in Python's order.

        The class itself is not among them, nor is one whose file is not there. Where an ``if``
        chooses between two bases, both are.
        """
        seen: dict[str, tuple[ModuleView, str]] = {}

        def place(name: str) -> str:
            """The class by the module that defines it, however it is reached."""
            found = self.split(name)
            if found is None or found[1] not in found[0].classes:
                return name
            there = f"{found[0].name}.{found[1]}"
            seen[there] = found
            return there

        def bases(name: str) -> list[str]:
            if name not in seen:
                return []
            view, inside = seen[name]
            return list(dict.fromkeys(place(p) for base in view.classes[inside] for p in base))

        for name in class_order(place(dotted), bases)[1:]:
            if name in seen:
                yield seen[name]

    def _cut(self, dotted: str) -> tuple[ModuleView, str] | None:
        parts = dotted.split(".")
        for cut in range(len(parts), 0, -1):
            view = self.view(".".join(parts[:cut]))
            if view is not None:
                return view, ".".join(parts[cut:])
        return None

    def _load(self, module: str) -> ModuleView | None:
        stem = module.replace(".", "/")
        for path, package in ((f"{stem}.py", owner_of(module)), (_init(stem), module)):
            text = self.read(path)
            if text is not None:
                try:
                    return view_module(text, module, path, package)
                except SourceError:
                    return None
        return None


def _init(stem: str) -> str:
    return f"{stem}/__init__.py"


@functools.lru_cache(maxsize=128)
def view_module(text: str, name: str, path: str, package: str) -> ModuleView:
    """Return what the module *name* shows; *package* is what its relative imports start from.

    Imports inside of functions count as well. The view is shared: do not change it. Raises
    SourceError.
    """
    imports = _imports(parse_module(text), package)
    classes = {d.qualname: d.bases for d in definitions(text) if d.is_class}
    named = {
        qualname: tuple(_paths(base, name, classes, imports) for base in bases)
        for qualname, bases in classes.items()
    }
    return ModuleView(name, path, text, named, imports)


def _imports(tree: ast.Module, package: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for node in iter_statements(tree.body):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for bound, path in import_paths(node, package):
                found.setdefault(bound, []).append(path)
    return {name: tuple(dict.fromkeys(paths)) for name, paths in found.items()}


def _paths(
    base: str, module: str, classes: object, imports: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """The dotted paths that the base expression *base* may stand for."""
    head, _, rest = base.partition("[")[0].partition(".")
    origins: Sequence[str] = imports.get(head, ())
    if isinstance(classes, dict) and base in classes:
        origins = (f"{module}.{head}",)
    return tuple(f"{origin}.{rest}" if rest else origin for origin in origins)
