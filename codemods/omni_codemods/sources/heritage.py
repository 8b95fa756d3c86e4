"""What a class has from its bases, as far as source files tell."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from omni_codemods.findings.model import Span
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources, find_origin
from omni_codemods.text.walks import iter_statements


@dataclass(frozen=True, slots=True)
class Home:
    """Where a file stands: its dotted *module*, and the sources that hold it and its bases."""

    module: str = "__local__"
    sources: Sources = field(default_factory=lambda: Sources({}))


@dataclass(frozen=True, slots=True)
class Inherited:
    """A method that a class has from a base: the dotted class *owner*, and lines of its file."""

    owner: str
    span: Span


class Heritage:
    """The bases of the class *cls* of the file *text*, which stands at *home*."""

    def __init__(self, text: str, cls: str, home: Home) -> None:
        path = f"{home.module.replace('.', '/')}.py"
        self._sources = home.sources.overlaid(home.module, path, text)
        self._hierarchy = Hierarchy(self._sources)
        self.dotted = f"{home.module}.{cls}"

    def find(self, name: str) -> tuple[Inherited, ast.AST] | None:
        """Return the method *name* of the first base that has it, ``None`` where none is seen."""
        member = self._hierarchy.find_member(self.dotted, name, inherited=True)
        node = member.node
        if member.answer is not Answer.FOUND or not isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            return None
        start = min(n.lineno for n in (node, *node.decorator_list))
        return Inherited(member.owner, Span(start, node.end_lineno or start)), node

    def bases(self) -> tuple[str, ...]:
        """Return the bases, dotted, in the order in which a method is looked for."""
        return tuple(self._hierarchy.order(self.dotted)[1:])

    def methods(self) -> frozenset[str]:
        """Return the names of the methods of all bases that the sources hold."""
        found = (self._hierarchy.find_class(dotted) for dotted in self.bases())
        return frozenset(
            node.name
            for cls in found
            if cls is not None
            for node in iter_statements(cls.body)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        )

    def hides(self, dotted: str) -> bool:
        """Whether a base that is in none of the sources comes before the base *dotted*.

        It may have any method. False where *dotted* is no base, as far as is seen.
        """
        order = self.bases()
        wanted = find_origin(dotted, self._sources)
        if wanted not in order:
            return False
        return any(self._hierarchy.find_class(d) is None for d in order[: order.index(wanted)])
