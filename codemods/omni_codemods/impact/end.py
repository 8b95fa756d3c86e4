"""The upstreams at one end: what a dotted name is there, and its lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.impact.model import Spot
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources, find_definition, find_origin
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import first_part
from omni_codemods.text.lexer import split_lines


@dataclass(frozen=True, slots=True)
class Found:
    """A function or class: its node, and the dotted *module* and *qualname* it is defined as."""

    node: ast.AST
    module: str
    qualname: str

    @property
    def dotted(self) -> str:
        """The dotted path."""
        return f"{self.module}.{self.qualname}"


class End:
    """One end of an upgrade. Nothing is parsed twice."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.hierarchy = Hierarchy(sources)
        self._lines: dict[str, tuple[str, list[str]]] = {}

    def find(self, dotted: str) -> Found | None:
        """Return the function or class that *dotted* names; an inherited method is its owner's."""
        origin = find_origin(dotted, self.sources)
        module, inside = self._split(origin)
        found = self.sources.module(module) if module else None
        if found is None or not inside:
            return None
        node = found.definitions.get(inside[0])
        if len(inside) == 1:
            return None if node is None else Found(node, module, inside[0])
        if len(inside) == 2:
            method = self._find_member(f"{module}.{inside[0]}", inside[1])
            if method is not None:
                return method
        node = find_definition(origin, self.sources)
        return self.place(origin, node) if isinstance(node, (ast.ClassDef, Function)) else None

    def _find_member(self, cls: str, name: str) -> Found | None:
        """The method *name* of the class *cls* (dotted), or of the first base with it."""
        own = self.hierarchy.find_class(cls)
        methods = [n for n in own.body if isinstance(n, Function) and n.name == name] if own else []
        if methods:
            # It is there, also where it is set on self as well.
            return self.place(f"{cls}.{name}", methods[-1])
        member = self.hierarchy.find_member(cls, name)
        if member.answer is not Answer.FOUND or not isinstance(member.node, Function):
            return None
        return self.place(f"{member.owner}.{name}", member.node)

    def classes(self, module: str) -> Iterator[tuple[str, ast.ClassDef]]:
        """Yield the classes at the top of *module* by name."""
        found = self.sources.module(module)
        for name, node in found.definitions.items() if found is not None else ():
            if isinstance(node, ast.ClassDef):
                yield name, node

    def is_unread(self, module: str) -> bool:
        """Whether *module* is there and this Python cannot parse it: then nothing of it is gone."""
        found = self.sources.module(module)
        return found is not None and not found.parsed

    def module_of(self, dotted: str) -> str:
        """Return the module that the dotted path of a class or function is in, else nothing."""
        return self._split(dotted)[0]

    def place(self, path: str, node: ast.AST) -> Found:
        """Return *node* as what the dotted *path* is defined as."""
        module, inside = self._split(path)
        return Found(node, module, ".".join(inside))

    def text(self, found: Found) -> str:
        """Return the lines of a function or class, decorators included, as they stand."""
        node = found.node
        decorators = [d.lineno for d in getattr(node, "decorator_list", ())]
        start = min([_line(node), *decorators])
        lines = self._module(found.module)[1]
        return "".join(lines[start - 1 : getattr(node, "end_lineno", None) or start])

    def spot(self, found: Found, node: ast.AST | None = None) -> Spot:
        """Return where *found* stands, or *node* of its module, with that line of code."""
        path, lines = self._module(found.module)
        line = _line(node or found.node)
        return Spot(path, line, lines[line - 1].strip() if 0 < line <= len(lines) else "")

    def spot_of(self, dotted: str) -> Spot | None:
        """Return where *dotted* is defined or assigned, ``None`` where that is not seen."""
        origin = find_origin(dotted, self.sources)
        node = find_definition(origin, self.sources)
        found = None if node is None else self.place(origin, node)
        return self.spot(found) if found is not None and found.module else None

    def path(self, module: str) -> str:
        """Return the file of *module*, below the folder of its package."""
        return self._module(module)[0]

    def source(self, module: str) -> str:
        """Return the whole text of *module*."""
        return "".join(self._module(module)[1])

    def _module(self, module: str) -> tuple[str, list[str]]:
        if module not in self._lines:
            read = self.sources.readers[first_part(module)]
            stem = module.replace(".", "/")
            texts = ((path, read(path)) for path in (f"{stem}/__init__.py", f"{stem}.py"))
            self._lines[module] = next(
                ((path, split_lines(text)) for path, text in texts if text is not None),
                (f"{stem}.py", []),
            )
        return self._lines[module]

    def _split(self, dotted: str) -> tuple[str, list[str]]:
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:cut])
            if self.sources.module(module) is not None:
                return module, parts[cut:]
        return "", parts


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)
