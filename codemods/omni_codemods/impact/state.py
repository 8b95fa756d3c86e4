"""State of the upstream classes that local code reads: is it set, and made the same way?"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile
from omni_codemods.impact.model import Consumer, Impact, UpstreamChange
from omni_codemods.impact.wording import shorten
from omni_codemods.sources.modules import definitions_in
from omni_codemods.sources.self_use import Assignment, is_own, read_selves
from omni_codemods.sources.shapes import Sort, sort_of
from omni_codemods.sources.subject import Function, Subject

# Bases outside of the trees that set nothing which matters here.
_PLAIN = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol"})


@dataclass(frozen=True, slots=True)
class _Set:
    """One assignment, with the class (dotted) that makes it."""

    owner: str
    what: Assignment


def compare_state(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield what became of the attributes of ``self`` that our own lines of *file* read.

    Only of what an upstream class sets at the current end, and nothing local does.
    """
    local = _set_in(file.before.tree)
    told: dict[tuple[str, str], list[int]] = {}
    for node, cls in file.scopes():
        before = _assigned(file.before, cls)
        kept = local | _assigned(file.before, cls, ours=True).keys()
        for name, lines in _read(node, file).items():
            if name in before and name not in kept:
                told.setdefault((cls, name), []).extend(lines)
    ends = {cls: (_assigned(file.before, cls), _assigned(file.after, cls)) for cls, _ in told}
    for (cls, name), lines in told.items():
        before, after = ends[cls]
        read = _Read(name, cls, file.consumers(lines))
        yield from _compare(file, read, before[name], after.get(name, []))


@dataclass(frozen=True, slots=True)
class _Read:
    """An attribute of the class *cls* (dotted) that our code reads, and who does."""

    name: str
    cls: str
    consumers: tuple[Consumer, ...]


def _compare(
    file: LocalFile, read: _Read, before: list[_Set], after: list[_Set]
) -> Iterator[UpstreamChange]:
    name, consumers = read.name, read.consumers
    first = before[0]
    subject = f"{first.owner}.{name}"
    if not after:
        if (changed := _defined(file, read, first, after)) is not None:
            yield changed
        elif _is_gone(file.after, read.cls, name):
            message = f"no class of the target sets self.{name}, which our code reads"
            old = file.current.spot(_found(first), first.what.node)
            yield UpstreamChange(
                "state-gone", Impact.BEHAVIORAL, subject, message, old, None, consumers
            )
        return
    was, now = _made(before), _made(after)
    if (changed := _defined(file, read, first, after)) is not None:
        yield changed
    elif was and now and _plain(was.what.value) != _plain(now.what.value):
        shown = shorten(now.what.value, was.what.value)
        message = f"made as {shown[0]} (was {shown[1]})"
        yield UpstreamChange(
            "state-made",
            Impact.BEHAVIORAL,
            subject,
            message,
            file.current.spot(_found(was), was.what.node),
            file.target.spot(_found(now), now.what.node),
            consumers,
        )


def _defined(file: LocalFile, read: _Read, first: _Set, after: list[_Set]) -> UpstreamChange | None:
    """What was set on ``self`` and is a method or a property of a class now."""
    hierarchy = file.after.hierarchy
    if any(one.what.method for one in after):
        return None
    for dotted in hierarchy.order(read.cls):
        node = hierarchy.find_class(dotted)
        members = definitions_in(node.body) if node is not None else {}
        found = members.get(read.name)
        if isinstance(found, Function) and file.after.holds(dotted):
            sort = sort_of(found, member=True)
            given = "" if sort is Sort.PROPERTY else ", which our code reads and does not call"
            impact = Impact.MECHANICAL if sort is Sort.PROPERTY else Impact.BEHAVIORAL
            module, _, cls = dotted.rpartition(".")
            return UpstreamChange(
                "state-kind",
                impact,
                f"{first.owner}.{read.name}",
                f"is {sort.value} of {cls} now (was set on self){given}",
                file.current.spot(_found(first), first.what.node),
                file.target.spot(Found(found, module, f"{cls}.{read.name}")),
                read.consumers,
            )
    return None


def _made(found: list[_Set]) -> _Set | None:
    """The one assignment in an ``__init__`` that counts: that of the first class that has any."""
    made = [one for one in found if one.what.method == "__init__"]
    own = [one for one in made if one.owner == made[0].owner]
    return own[0] if len(own) == 1 and own[0].what.value else None


def _plain(code: str) -> str:
    """The code without ``self.``: what ``__init__`` is given and what it keeps are the same."""
    return code.replace("self.", "")


def _found(one: _Set) -> Found:
    module, _, cls = one.owner.rpartition(".")
    return Found(one.what.node, module, cls)


def _assigned(subject: Subject, cls: str, *, ours: bool = False) -> dict[str, list[_Set]]:
    """What the classes of *cls* set on ``self``: those of the upstreams, or the local ones."""
    found: dict[str, list[_Set]] = {}
    for dotted in subject.hierarchy.order(cls):
        node = subject.hierarchy.find_class(dotted)
        if node is None or subject.holds(dotted) is ours:
            continue
        for name, assignments in read_selves(node).assigned.items():
            found.setdefault(name, []).extend(_Set(dotted, one) for one in assignments)
    return found


def _read(code: ast.AST, file: LocalFile) -> dict[str, list[int]]:
    """The attributes of ``self`` that our own lines of *code* read, with the lines."""
    found: dict[str, list[int]] = {}
    for node in ast.walk(code):
        if not (isinstance(node, ast.Attribute) and is_own(node)):
            continue
        if isinstance(node.ctx, ast.Load) and file.is_ours(node.lineno):
            found.setdefault(node.attr, []).append(node.lineno)
    return found


def _set_in(tree: ast.AST) -> set[str]:
    """The attributes of ``self`` that the local file sets anywhere."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_own(node) and isinstance(node.ctx, ast.Store)
    }


def _is_gone(subject: Subject, cls: str, name: str) -> bool:
    """Whether nothing in the classes of *cls* has *name*; not where one is in no tree."""
    order = subject.hierarchy.order(cls)
    known = all(subject.hierarchy.find_class(one) is not None or one in _PLAIN for one in order)
    return known and subject.hierarchy.find_member(cls, name).node is None
