"""Whether the NPU name, or its module, is imported already where it would go."""

from __future__ import annotations

import ast
from typing import Literal

from omni_codemods.names.scopes import Binding, Scope
from omni_codemods.translate.decide import Group
from omni_codemods.translate.index import Answer
from omni_codemods.translate.work import Work


def find_existing(
    work: Work, group: Group, answer: Answer, binding: Binding
) -> ast.ImportFrom | Literal[True] | None:
    """How *answer* is had in the group's scope without an import of its own.

    True: it is imported there already, early enough. A statement: one that imports from the same
    module, into which it can be merged. None: neither.
    """
    if not binding.top_level or group.scope.parent is not None:
        return None
    first_use = min((m.reference.offset for m in group.moves), default=len(work.source.text))
    for other in _others(group.scope, answer.name, binding):
        if other.path == answer.path and _starts_before(work, other.statement, first_use):
            return True
    for statement in work.facts.from_imports.get(answer.module, ()):
        if statement is not binding.statement and _starts_before(work, statement, first_use):
            return statement
    return None


def is_imported(work: Work, scope: Scope, answer: Answer, offset: int) -> bool:
    """Whether the text imports *answer* at the top of the module, before *offset*."""
    return scope.parent is None and any(
        binding.top_level
        and binding.path == answer.path
        and _starts_before(work, binding.statement, offset)
        for binding in scope.bindings.get(answer.name, ())
    )


class Planned:
    """The new imports at the top of the module, so that each stands there once."""

    def __init__(self) -> None:
        self._first: dict[Answer, tuple[int, Group]] = {}

    def has(self, group: Group, binding: Binding, answer: Answer, offset: int) -> bool:
        """Whether *answer* is imported by a new import above *offset*; if not, this one is.

        What one name was imported by twice stays twice.
        """
        if group.scope.parent is not None or not binding.top_level:
            return False
        bare = Answer(answer.module, answer.name)
        first, owner = self._first.get(bare, (offset, group))
        if first < offset and owner is not group:
            return True
        if first >= offset:
            self._first[bare] = (offset, group)
        return False


def _others(scope: Scope, name: str, binding: Binding) -> list[Binding]:
    found = scope.bindings.get(name, [])
    return [b for b in found if b.top_level and b.statement is not binding.statement]


def _starts_before(work: Work, statement: ast.stmt | None, offset: int) -> bool:
    return statement is not None and work.source.span(statement)[0] < offset
