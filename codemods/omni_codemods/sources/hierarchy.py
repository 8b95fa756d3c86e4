"""Which class a method comes from, in the order in which Python looks (C3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.sources.modules import (
    Answer,
    Module,
    Sources,
    definitions_in,
    find_origin,
)
from omni_codemods.sources.self_use import read_selves

# Bases that are not in any tree, and bring no methods that matter.
_EMPTY = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol"})


@dataclass(frozen=True, slots=True)
class Member:
    """What a class has under a name: *owner* is the dotted class that defines it."""

    answer: Answer
    owner: str = ""
    node: ast.AST | None = None

    @property
    def place(self) -> str:
        """Class, and file with line, for messages."""
        module, _, cls = self.owner.rpartition(".")
        line = getattr(self.node, "lineno", 0)
        name = getattr(self.node, "name", "")
        return f"{cls}.{name} ({module.replace('.', '/')}.py:{line})"


@dataclass(frozen=True, slots=True)
class _Class:
    """A class with what it defines, and what it sets on ``self``."""

    node: ast.ClassDef
    module: Module
    members: Mapping[str, ast.AST]
    attributes: frozenset[str]


_UNKNOWN = Member(Answer.UNKNOWN)
_MISSING = Member(Answer.MISSING)


class Hierarchy:
    """The classes of *sources*; one that they do not hold is known by its dotted path alone."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._orders: dict[str, list[str]] = {}
        self._classes: dict[str, _Class | None] = {}

    def find_member(self, cls: str, name: str, *, inherited: bool = False) -> Member:
        """Find *name* in the class *cls* (dotted) and its bases; *inherited*: in its bases alone.

        Unknown where a class that comes first is in none of the sources, or where the name is
        also set on ``self``.
        """
        order = self.order(cls)
        for dotted in order[1:] if inherited else order:
            found = self._class(dotted)
            if found is None:
                if dotted in _EMPTY:
                    continue
                return _UNKNOWN
            if "__getattr__" in found.members or name in found.attributes:
                return _UNKNOWN
            if name in found.members:
                return Member(Answer.FOUND, dotted, found.members[name])
        return _MISSING

    def find_class(self, dotted: str) -> ast.ClassDef | None:
        """Return the definition of the class *dotted*, ``None`` where no tree holds it."""
        found = self._class(dotted)
        return None if found is None else found.node

    def order(self, cls: str) -> list[str]:
        """Return the classes in which a member of *cls* is looked for, first to last."""
        dotted = find_origin(cls, self._sources)
        if dotted not in self._orders:
            self._orders[dotted] = [dotted]  # a class that is its own base ends here
            bases = list(self._bases(dotted))
            merged = _merge([self.order(base) for base in bases] + [bases])
            self._orders[dotted] = [dotted, *merged]
        return self._orders[dotted]

    def _class(self, dotted: str) -> _Class | None:
        if dotted not in self._classes:
            self._classes[dotted] = self._read(dotted)
        return self._classes[dotted]

    def _read(self, dotted: str) -> _Class | None:
        module, _, name = dotted.rpartition(".")
        found = self._sources.module(module) if module else None
        node = found.definitions.get(name) if found is not None else None
        if found is None or not isinstance(node, ast.ClassDef):
            return None
        members = definitions_in(node.body)
        return _Class(node, found, members, read_selves(node).stored)

    def _bases(self, dotted: str) -> Iterator[str]:
        found = self._class(dotted)
        if found is None:
            return
        home = dotted.rpartition(".")[0]
        for base in found.node.bases:
            head, _, rest = ast.unparse(base).partition("[")[0].partition(".")
            if head in found.module.definitions:
                start = f"{home}.{head}"
            else:
                start = found.module.imports.get(head, head)
            path = f"{start}.{rest}" if rest else start
            yield find_origin(path, self._sources)


def _merge(orders: list[list[str]]) -> list[str]:
    """The C3 merge; where there is no consistent order, what is left in the order it comes."""
    out: list[str] = []
    waiting = [list(order) for order in orders if order]
    while waiting:
        tails = {dotted for order in waiting for dotted in order[1:]}
        head = next((order[0] for order in waiting if order[0] not in tails), waiting[0][0])
        out.append(head)
        waiting = [[d for d in order if d != head] for order in waiting]
        waiting = [order for order in waiting if order]
    return out
