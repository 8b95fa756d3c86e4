"""Copied functions: signature, result, decorators, body, and where they went."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omni_codemods.checks.calls import count_returned
from omni_codemods.impact.bodies import Version, compare_bodies
from omni_codemods.impact.elsewhere import Where, find_inside, find_moved, find_renamed
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import Copy, Held, LocalFile
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange, describe, worst
from omni_codemods.impact.signatures import compare_signatures
from omni_codemods.impact.sorts import say_arms, say_sort
from omni_codemods.sources.shapes import Shape, find_shape
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import owner_of

# From this share of common code on, another name is the only change that matters.
_SAME = 0.9


def compare_copies(file: LocalFile, where: Where) -> Iterator[UpstreamChange]:
    """Yield what changed in the functions that *file* has copies of.

    Nothing for those whose class is gone: that is told of the class.
    """
    for held in file.held.values():
        copy = held.copy
        consumers = (Consumer(copy.port.name, file.path, copy.method, (copy.span.start,)),)
        target = file.target.find(copy.aim)
        if target is not None and isinstance(target.node, Function):
            pair = _Pair(file, held, target, consumers)
            yield from pair.compare()
            yield from _condition(file, held, consumers)
        elif _has_owner(file, copy):
            yield _lost(file, held, consumers, where)


class _Pair:
    """A copied function at both ends."""

    def __init__(
        self,
        file: LocalFile,
        held: Held,
        target: Found,
        consumers: tuple[Consumer, ...],
    ) -> None:
        assert isinstance(held.base.node, Function)
        assert isinstance(target.node, Function)
        self._old, self._new = held.base.node, target.node
        self._file, self._copy, self._current = file, held.copy, held.current
        self._base, self._target = held.base, target
        self._consumers = consumers

    def compare(self) -> Iterator[UpstreamChange]:
        """Yield all changes."""
        if self._base.dotted != self._target.dotted and not self._copy.port.target:
            message = f"moved to {self._target.dotted}"
            yield self._change("copied-moved", Impact.MECHANICAL, message)
        differences = compare_signatures(self._old, self._new)
        if differences:
            message, details = describe(differences)
            yield self._change("copied-signature", worst(differences), message, *details)
        yield from self._kind()
        yield from self._body()

    def _kind(self) -> Iterator[UpstreamChange]:
        counts = [count_returned(node) for node in (self._old, self._new)]
        if None not in counts and counts[0] != counts[1]:
            message = f"returns {counts[1]} values (was {counts[0]})"
            yield self._change("copied-result", Impact.BEHAVIORAL, message)
        if type(self._old) is not type(self._new):
            is_async = isinstance(self._new, ast.AsyncFunctionDef)
            message = "is async now" if is_async else "is not async any more"
            yield self._change("copied-async", Impact.BEHAVIORAL, message)
        before, after = (
            [ast.unparse(d).removesuffix("()") for d in node.decorator_list]
            for node in (self._old, self._new)
        )
        if before != after:
            message = f"decorators: {_listed(after)} (were {_listed(before)})"
            yield self._change("copied-decorators", Impact.BEHAVIORAL, message)

    def _body(self) -> Iterator[UpstreamChange]:
        old, new = self._current.text(self._base), self._file.target.text(self._target)
        change = compare_bodies(Version(self._old, old), Version(self._new, new))
        if change is None:
            return
        kind = "copied-names" if change.impact is Impact.MECHANICAL else "copied-body"
        made = self._change(kind, change.impact, change.message, *change.details)
        old_spot = _shifted(made.old, old, change.old_line, self._old)
        new_spot = _shifted(made.new, new, change.new_line, self._new)
        yield replace(made, old=old_spot, new=new_spot)

    def _change(self, kind: str, impact: Impact, message: str, *details: str) -> UpstreamChange:
        return UpstreamChange(
            kind,
            impact,
            self._copy.upstream,
            message,
            self._current.spot(self._base),
            self._file.target.spot(self._target),
            self._consumers,
            details,
        )


def _condition(
    file: LocalFile, held: Held, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    """The function is there under a test, or several are, and but one is its skeleton."""
    copy = held.copy
    was, now = _shapes(held, file)
    if was is None or now is None or not (message := say_arms(was, now)):
        return
    spots = held.current.spot(held.base), file.target.spot_of(copy.aim)
    yield UpstreamChange(
        "copied-kind", Impact.BEHAVIORAL, copy.upstream, message, *spots, consumers
    )


def _shapes(held: Held, file: LocalFile) -> tuple[Shape | None, Shape | None]:
    old = find_shape(held.copy.upstream, held.current.sources)
    return old, find_shape(held.copy.aim, file.target.sources)


def _shifted(spot: Spot | None, text: str, line: int, node: Function) -> Spot | None:
    """Return the spot of *line* of a function's text (0: its header)."""
    if spot is None or not line:
        return spot
    start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = text.splitlines()
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    return Spot(spot.path, start + line - 1, shown)


def _lost(
    file: LocalFile,
    held: Held,
    consumers: tuple[Consumer, ...],
    where: Where,
) -> UpstreamChange:
    """The function is not where it was: renamed, elsewhere, or gone."""
    copy, base = held.copy, held.base
    old = held.current.spot(base)
    owner = owner_of(copy.aim)
    ends = (held.current, base, file.target)
    for kind, found in (
        ("copied-renamed", find_renamed(*ends, owner)),
        ("copied-moved", find_moved(*ends, where)),
    ):
        if found is not None:
            new, share = found
            said = f"{new.dotted} now ({share:.0%} of the code is the same)"
            impact = Impact.MECHANICAL if share >= _SAME else Impact.BEHAVIORAL
            spot = file.target.spot(new)
            return UpstreamChange(kind, impact, copy.upstream, said, old, spot, consumers)
    if (changed := _other_sort(file, held, consumers)) is not None:
        return changed
    message = "gone, and nothing like it is in the target"
    return UpstreamChange(
        "copied-gone", Impact.ARCHITECTURAL, copy.upstream, message, old, None, consumers
    )


def _other_sort(
    file: LocalFile, held: Held, consumers: tuple[Consumer, ...]
) -> UpstreamChange | None:
    """The name is there, and is no function any more."""
    was, now = _shapes(held, file)
    message = say_sort(was, now) if was is not None and now is not None else ""
    if now is None or not message:
        return None
    inside = find_inside(held.current, held.base, file.target, now.origin)
    details = () if inside is None else (f"{inside[0].dotted} has {inside[1]:.0%} of its code",)
    spots = held.current.spot(held.base), file.target.spot_of(now.origin)
    kind, subject = "copied-kind", held.copy.upstream
    return UpstreamChange(kind, Impact.ARCHITECTURAL, subject, message, *spots, consumers, details)


def _has_owner(file: LocalFile, copy: Copy) -> bool:
    """Whether the class, or the module, of the function is in the target."""
    owner = owner_of(copy.aim)
    found = file.target.find(owner)
    if found is not None:
        return isinstance(found.node, ast.ClassDef)
    return file.target.sources.module(owner) is not None


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"@{name}" for name in names) or "none"
