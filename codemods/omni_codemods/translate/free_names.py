"""Whether a new name can be bound without colliding with, or capturing, another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.findings.translate_codes import BILINGUAL, NAME_TAKEN
from omni_codemods.names.scopes import BindingKind, Scope, ScopeKind, find_scope, visible_scopes
from omni_codemods.text.dotted import last_part
from omni_codemods.translate.decide import Group
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.index import Answer
from omni_codemods.translate.work import Work


class FreeNames:
    """Gives out new names, each scope's name to one thing only."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._planned: dict[tuple[int, str], str] = {}

    def claim(
        self, group: Group, answer: Answer, references: list[Reference] | None = None
    ) -> bool:
        """Whether ``answer.name`` can be bound in the group's scope and read at each use.

        If so, it is taken for *answer* from now on; if not, that is reported. *references* are
        the uses, by default all of the group that go.
        """
        readers = references or [move.reference for move in group.moves]
        scopes: list[Scope] = [group.scope]
        if group.scope.kind is ScopeKind.CLASS:
            # Until a class body binds a name, it reads the one outside.
            scopes += list(visible_scopes(group.scope.parent))
        key = (id(group.scope), answer.name)
        taken = not all(self._may_bind(scope, group, answer) for scope in scopes)
        taken = taken or any(
            self._is_hidden(scope, answer, reader)
            for reader in readers
            for scope in _scopes_between(reader, group.scope)
        )
        defined = [r for r in readers if r.base_of == answer.name]
        if taken and defined:
            message = f"{group.path} stays: {answer.name} itself is defined here"
            self.work.leave(BILINGUAL, defined[0].offset, message)
            return False
        taken = taken or self._is_read(group, answer)
        if self._planned.get(key, answer.path) != answer.path or taken:
            offset = readers[0].offset if readers else group_offset(self.work, group)
            what = references[0].text if references else group.path
            message = f"{what} would become {answer.name}, which this scope binds already"
            self.work.report(NAME_TAKEN, offset, message)
            return False
        self._planned[key] = answer.path
        return True

    def _is_read(self, group: Group, answer: Answer) -> bool:
        """Whether a new binding in the group's scope would capture a read of something else."""
        return any(
            reference.name == answer.name and self._is_captured(group, reference, answer)
            for reference in self.work.facts.references
        )

    def _is_captured(self, group: Group, reference: Reference, answer: Answer) -> bool:
        seen = list(visible_scopes(reference.scope))
        if group.scope not in seen:
            return False
        home = find_scope(answer.name, reference.scope)
        if home is not None and home in seen[: seen.index(group.scope) + 1]:
            return False
        return home is None or not self._may_bind(home, group, answer)

    def _is_hidden(self, scope: Scope, answer: Answer, reader: Reference) -> bool:
        """Whether *scope* binds the name, other than by an import that runs before *reader*."""
        bindings = scope.bindings.get(answer.name, [])
        before = any(
            b.direct and b.statement is not None and self._start(b.statement) < reader.offset
            for b in bindings
        )
        return bool(bindings) and not (before and all(b.path == answer.path for b in bindings))

    def _start(self, statement: ast.stmt) -> int:
        return self.work.source.span(statement)[0]

    def _may_bind(self, scope: Scope, group: Group, answer: Answer) -> bool:
        bindings = scope.bindings.get(answer.name, [])
        return all(
            b in group.bindings
            or (b.path in (answer.path, *self._sources(answer)) and b.kind is BindingKind.IMPORT)
            for b in bindings
        )

    def _sources(self, answer: Answer) -> tuple[str, ...]:
        """GPU paths of the same last name that become *answer*: they leave the name free."""
        return tuple(
            path
            for path, other in self.work.index.answers.items()
            if other == answer and last_part(path) == answer.name
        )


def _scopes_between(reader: Reference, home: Scope) -> Iterator[Scope]:
    """The scopes from *reader* up to, and without, *home*."""
    for scope in visible_scopes(reader.scope):
        if scope is home:
            break
        yield scope


def group_offset(work: Work, group: Group) -> int:
    """Where the group's first import stands."""
    statement = group.bindings[0].statement
    return work.source.span(statement)[0] if statement is not None else 0
