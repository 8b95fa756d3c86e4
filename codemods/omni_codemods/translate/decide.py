"""For each reference: does it go, where to, or why does it stay?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.findings.translate_codes import (
    AMBIGUOUS_NAME,
    ASSIGNED_NAME,
    FORMAT_STRING,
    GUARDED,
    KEPT_BY_COMMENT,
)
from omni_codemods.names.scopes import Binding, BindingKind, Guard, Scope, ScopeKind, find_scope
from omni_codemods.table.entries import Entry
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.index import Answer
from omni_codemods.translate.rules import judge
from omni_codemods.translate.work import Work


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A reference that goes: its first *depth* attributes are part of the GPU name."""

    reference: Reference
    entry: Entry
    gpu: str
    answer: Answer
    depth: int


@dataclass(slots=True, eq=False)
class Group:
    """All that refers to one binding of a name: what goes and what stays."""

    scope: Scope
    name: str
    path: str
    bindings: list[Binding]
    moves: list[Move] = field(default_factory=list)
    stays: list[Reference] = field(default_factory=list)
    declarations: list[Reference] = field(default_factory=list)


def decide_references(work: Work) -> list[Group]:
    """Sort all references into groups."""
    groups: dict[tuple[int, str], Group] = {}
    for group in _iter_imported(work):
        groups[id(group.scope), group.name] = group
    for reference in work.facts.references:
        home = find_scope(reference.name, reference.scope)
        key = (id(home), reference.name)
        if key in groups:
            move = _decide(work, groups[key], reference)
            if reference.declares:
                groups[key].declarations.append(reference)
            elif move is None:
                groups[key].stays.append(reference)
            else:
                groups[key].moves.append(move)
    return list(groups.values())


def _iter_imported(work: Work) -> Iterator[Group]:
    for scope in work.facts.scopes:
        for name, bindings in scope.bindings.items():
            real = [b for b in bindings if b.kind is not BindingKind.PLACEHOLDER]
            if real and real[0].path and len({b.path for b in real}) == 1:
                yield Group(scope, name, real[0].path, real)
            else:
                _report_ambiguous(work, name, real)


def _decide(work: Work, group: Group, reference: Reference) -> Move | None:
    if reference.declares:
        return None
    if reference.stored and not reference.chain:
        return _decide_rebinding(work, group, reference)
    verdict = judge(work, reference, group.path)
    if verdict is None:
        return None
    entry, gpu = verdict
    depth = gpu.count(".") - group.path.count(".")
    if not _is_confirmed(work, group, reference):
        message = f"libcst does not take {group.name} for {group.path} here"
        work.report(AMBIGUOUS_NAME, reference.offset, message)
        return None
    if _is_late_bound(group):
        message = f"{group.name} may be the class's own or the one outside it"
        work.report(AMBIGUOUS_NAME, reference.offset, message)
        return None
    if depth < 0 or _stays(work, reference, depth):
        return None
    return Move(reference, entry, gpu, work.index.answers[gpu], depth)


def _is_confirmed(work: Work, group: Group, reference: Reference) -> bool:
    """Whether the second opinion, where there is one, is not that the name is something else."""
    if work.meaning is None:
        return True
    paths = work.meaning(reference.spans[0][0])
    return not paths or group.path in paths


def _is_late_bound(group: Group) -> bool:
    """Whether a class body reads the name from outside until it binds it itself."""
    scope = group.scope
    return scope.kind is ScopeKind.CLASS and find_scope(group.name, scope.parent) is not None


def _decide_rebinding(work: Work, group: Group, reference: Reference) -> Move | None:
    # "del name", and "name = None" after a failed import, go with the import.
    answer = work.index.answers.get(group.path)
    if answer is None:
        return None
    return Move(reference, work.index.paths[group.path], group.path, answer, 0)


def _stays(work: Work, reference: Reference, depth: int) -> bool:
    text = reference.text
    if reference.fuzzy:
        work.report(FORMAT_STRING, reference.offset, f"{text} in an f-string was left")
    elif _target(reference, depth) in work.redirected:
        work.leave(ASSIGNED_NAME, reference.offset, f"{text} is assigned to, and stays")
    elif work.is_kept((reference.spans[0][0], reference.spans[depth][1])):
        work.leave(KEPT_BY_COMMENT, reference.offset, f"{text} is kept by a comment")
    elif reference.guard is Guard.BOTH:
        work.leave_bilingual(reference.offset, text)
    elif reference.guard is Guard.GPU:
        work.report(GUARDED, reference.offset, f"{text} belongs to code for the GPU only")
    elif id(reference) in work.frozen:
        work.report(
            GUARDED, reference.offset, f"{text} was left: it chooses what stays, or is chosen by it"
        )
    else:
        return False
    return True


def _target(reference: Reference, depth: int) -> str | None:
    path = reference.path
    extra = len(reference.chain) - depth
    return path.rsplit(".", extra)[0] if path and extra else path


def _report_ambiguous(work: Work, name: str, bindings: list[Binding]) -> None:
    """Report the imports of GPU names under a *name* that is bound to something else as well."""
    for binding in bindings:
        if binding.path not in work.index.answers or binding.alias is None:
            continue
        offset = work.source.span(binding.alias)[0]
        answer = work.index.answers[binding.path]
        if binding.guard is Guard.BOTH or any(b.path == answer.path for b in bindings):
            work.leave_bilingual(offset, binding.path)
        elif not work.is_kept((offset, offset + 1)):
            message = f"{name} is {binding.path} here, and something else too"
            work.report(AMBIGUOUS_NAME, offset, message)
