"""State of the upstream classes that local code reads: is it set, and made the same way?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from omni_codemods.checks.subject import Subject
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile
from omni_codemods.impact.model import Impact, UpstreamChange
from omni_codemods.impact.selves import Assignment, is_own, read_selves
from omni_codemods.impact.wording import shorten

# Bases outside of the trees that set nothing which matters here.
_PLAIN = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol"})


@dataclass(frozen=True, slots=True)
class _Set:
    """One assignment, with the class (dotted) that makes it."""

    owner: str
    what: Assignment


def compare_state(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield what became of the attributes of ``self`` that our own lines of *file* read.

    Only of the port's classes, and only of what an upstream class sets at the current end and no
    local class does.
    """
    for port in file.ports:
        cls = f"{file.before.module}.{port.qualname}"
        node = next((n for c, n in file.before.classes() if c == cls), None)
        if node is None:
            continue
        before = _assigned(file.before, cls, ours=False)
        after = _assigned(file.after, cls, ours=False)
        local = _assigned(file.before, cls, ours=True)
        known = not _unknown(file.after, cls)
        for name, lines in _read(node, file).items():
            if name in before and name not in local:
                yield from _compare(file, name, lines, before[name], after.get(name), cls, known)


def _compare(
    file: LocalFile,
    name: str,
    lines: list[int],
    before: list[_Set],
    after: list[_Set] | None,
    cls: str,
    known: bool,
) -> Iterator[UpstreamChange]:
    first = before[0]
    subject = f"{first.owner}.{name}"
    old = file.current.spot(_found(first), first.what.node)
    if after is None:
        member = file.after.hierarchy.find_member(cls, name)
        if known and member.node is None:
            message = f"no class of the target sets self.{name}, which our code reads"
            yield UpstreamChange(
                "state-gone",
                Impact.BEHAVIORAL,
                subject,
                message,
                old,
                None,
                file.consumers(lines),
            )
        return
    was, now = _made(before), _made(after)
    if was and now and _plain(was.what.value) != _plain(now.what.value):
        shown = shorten(now.what.value, was.what.value)
        message = f"made as {shown[0]} (was {shown[1]})"
        yield UpstreamChange(
            "state-made",
            Impact.BEHAVIORAL,
            subject,
            message,
            file.current.spot(_found(was), was.what.node),
            file.target.spot(_found(now), now.what.node),
            file.consumers(lines),
        )


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


def _assigned(subject: Subject, cls: str, *, ours: bool) -> Mapping[str, list[_Set]]:
    """What the classes of *cls* set on ``self``: the local ones, or those of the upstreams."""
    found: dict[str, list[_Set]] = {}
    for dotted in subject.hierarchy.order(cls):
        node = subject.hierarchy.find_class(dotted)
        if node is None or subject.holds(dotted) is ours:
            continue
        for name, assignments in read_selves(node).assigned.items():
            found.setdefault(name, []).extend(_Set(dotted, one) for one in assignments)
    return found


def _read(cls: ast.ClassDef, file: LocalFile) -> dict[str, list[int]]:
    """The attributes of ``self`` that our own lines of the class read, with the lines."""
    found: dict[str, list[int]] = {}
    for node in ast.walk(cls):
        if not (isinstance(node, ast.Attribute) and is_own(node)):
            continue
        if isinstance(node.ctx, ast.Load) and file.is_ours(node.lineno):
            found.setdefault(node.attr, []).append(node.lineno)
    return found


def _unknown(subject: Subject, cls: str) -> bool:
    """Whether a base of the class is in no tree, so that it may set anything."""
    order = subject.hierarchy.order(cls)
    return any(
        subject.hierarchy.find_class(dotted) is None and dotted not in _PLAIN for dotted in order
    )
