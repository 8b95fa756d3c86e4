"""What a check looks at: one file, parsed, among the sources that it imports from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.scopes import import_bindings
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Sources
from omni_codemods.text.newer import symbol_table
from omni_codemods.text.outline import parse_module

Function = ast.FunctionDef | ast.AsyncFunctionDef
# A file outside of every package is a module of this name.
ALONE = "__checked_file__"


@dataclass(frozen=True, slots=True)
class Subject:
    """A file under check.

    *text* has no conflict hunks any more, *tree* is it parsed. *module* is its dotted name, by
    which *sources* know it as it is here, *parent* what its relative imports start from.
    *imports* maps each name that an import at the top of the file binds to the dotted path it
    stands for.
    """

    text: str
    tree: ast.Module
    module: str
    parent: str
    sources: Sources
    hierarchy: Hierarchy
    imports: Mapping[str, str]

    def holds(self, path: str) -> bool:
        """Whether *path* is of a package that was given, and not the file's own."""
        root = path.partition(".")[0]
        return self.sources.holds(path) and root != self.module.partition(".")[0]

    def classes(self) -> Iterator[tuple[str, ast.ClassDef]]:
        """Yield dotted name and node of the classes at the top of the file."""
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                yield f"{self.module}.{node.name}", node


def make_subject(
    text: str, given: Sources, *, module: str | None = None, package: bool = False
) -> Subject:
    """Return the subject for *text*, whose dotted name is *module*, where it has one.

    *given* are the sources of the packages; *package* says that the file is an ``__init__.py``.
    Raises SourceError.
    """
    tree = parse_module(text)
    _require_scopes(text)
    name = module or ALONE
    own = name.replace(".", "/") + ("/__init__.py" if package else ".py")
    sources = given.overlaid(name, own, text)
    parent = name if package else name.rpartition(".")[0]
    imports = _imports(tree, parent)
    return Subject(text, tree, name, parent, sources, Hierarchy(sources), imports)


def _require_scopes(text: str) -> None:
    """Raise SourceError for what parses and is no Python all the same: two parameters of a name."""
    try:
        symbol_table(text, "<checked>")
    except SyntaxError as error:
        column = max(0, (error.offset or 1) - 1)
        raise SourceError(f"not Python: {error.msg}", line=error.lineno, column=column) from error


def _imports(tree: ast.Module, parent: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, path, _ in import_bindings(node):
                found[name] = absolute(path, parent)
    return found


def absolute(path: str, parent: str) -> str:
    """Return the dotted *path* without leading dots; *parent* is the package it is read in."""
    stripped = path.lstrip(".")
    dots = len(path) - len(stripped)
    if not dots:
        return path
    parts = parent.split(".")
    above = parts[: len(parts) - dots + 1]
    return ".".join([*above, stripped])
