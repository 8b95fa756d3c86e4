"""What local code calls of the upstreams: does it take and give what it did?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.checks.calls import Call, Callee, count_returned, iter_calls
from omni_codemods.impact.elsewhere import find_renamed
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile
from omni_codemods.impact.model import Difference, Impact, UpstreamChange, describe
from omni_codemods.impact.signatures import compare_signatures, read_defaults
from omni_codemods.sources.modules import Answer
from omni_codemods.sources.parameters import Parameters, is_plain, read_parameters
from omni_codemods.sources.shapes import Sort, sort_of
from omni_codemods.text.dotted import owner_of


@dataclass(frozen=True, slots=True)
class _Calls:
    """All calls of one upstream function, at both ends; the *after* of each may be unknown."""

    path: str
    before: tuple[Call, ...]
    after: tuple[Call, ...]


def compare_calls(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield what changed in the functions and methods of the upstreams that *file* calls.

    Only calls that a rebase keeps count; what copied code alone calls is one mechanical change.
    """
    for calls in _grouped(file):
        yield from _compare(file, calls)


def _grouped(file: LocalFile) -> Iterator[_Calls]:
    after = {_key(call): call for call in iter_calls(file.after, file.owners)}
    found: dict[str, list[Call]] = {}
    for call in file.calls:
        if call.callee is not None and file.before.holds(call.callee.path) and _key(call) in after:
            found.setdefault(call.callee.path, []).append(call)
    for path, calls in found.items():
        yield _Calls(path, tuple(calls), tuple(after[_key(call)] for call in calls))


def _key(call: Call) -> tuple[int, int, int | None, int | None]:
    node = call.node
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _compare(file: LocalFile, calls: _Calls) -> Iterator[UpstreamChange]:
    pairs = list(zip(calls.before, calls.after, strict=True))
    gone = [b for b, a in pairs if a.member is not None and a.member.answer is Answer.MISSING]
    ours = [b for b in gone if file.is_ours(b.node.lineno)]
    if ours:
        yield _gone(file, calls.path, ours)
    changed = [(b, a) for b, a in pairs if file.is_ours(b.node.lineno) and _sort(b, a)]
    if changed:
        yield _other_sort(file, calls.path, changed)
    kept = [(b, a) for b, a in pairs if a.callee is not None and (b, a) not in changed]
    own = [pair for pair in kept if file.is_ours(pair[0].node.lineno)]
    if own:
        yield from _contract(file, calls.path, own)
    elif kept:
        yield from _copied(file, calls.path, kept)


_Pairs = Sequence[tuple[Call, Call]]
# A bound method is called the same way, whichever of these it is.
_CALLED = (Sort.METHOD, Sort.CLASS_METHOD, Sort.STATIC_METHOD)


def _sort(before: Call, after: Call) -> str:
    """What a method that is called through ``self`` is now, where that is no method."""
    members = (before.member, after.member)
    nodes = [m.node for m in members if m is not None and m.node is not None]
    if len(nodes) < 2:
        return ""
    was, now = (sort_of(node, member=True) for node in nodes)
    # An attribute may hold what can be called; a property may give it, and hardly does.
    if was not in _CALLED or now in (*_CALLED, Sort.CLASS):
        return ""
    return f"is {now.value} now (was {was.value})"


def _other_sort(file: LocalFile, path: str, pairs: _Pairs) -> UpstreamChange:
    before, after = pairs[0]
    assert before.callee is not None
    assert after.member is not None
    current, target = file.current, file.target
    new = after.member.node
    owner, _, name = after.member.owner.rpartition(".")
    spot = target.spot(Found(new, owner, name)) if new is not None and owner else None
    old = current.spot(current.place(before.callee.path, before.callee.node))
    consumers = file.consumers(b.node.lineno for b, _ in pairs)
    message = f"{_sort(before, after)}: the call calls what it gives"
    return UpstreamChange("call-kind", Impact.BEHAVIORAL, path, message, old, spot, consumers)


def _contract(file: LocalFile, path: str, pairs: _Pairs) -> Iterator[UpstreamChange]:
    old, new = _callees(pairs)
    make = _Maker(file, path, old, new)
    misfits = {before.node.lineno: _misfits(before, after) for before, after in pairs}
    broken = [line for line, said in misfits.items() if said]
    if broken:
        said = dict.fromkeys(one for line in broken for one in misfits[line])
        first, *rest = said
        yield make("call-misfit", Impact.BEHAVIORAL, first, broken, rest)
    fitting = [pair for pair in pairs if pair[0].node.lineno not in broken]
    differences = _differences(old, new)
    if differences and fitting:
        message, details = describe(differences)
        if all(list(_unfit(before)) and not list(_unfit(after)) for before, after in fitting):
            impact, details = Impact.MECHANICAL, (*details, "our calls fit the target already")
        else:
            told = any(one.impact is not Impact.MECHANICAL for one in differences)
            behaves = told and any(_behaves(before, after) for before, after in fitting)
            impact = Impact.BEHAVIORAL if behaves else Impact.MECHANICAL
        at = [before.node.lineno for before, _ in fitting]
        yield make("call-signature", impact, message, at, details)
    lines = [before.node.lineno for before, _ in pairs]
    counts = [count_returned(callee.node) for callee in (old, new)]
    if None not in counts and counts[0] != counts[1]:
        taken = [b.node.lineno for b, _ in pairs if b.taken is not None and b.taken != counts[1]]
        message = f"returns {counts[1]} values (was {counts[0]})"
        yield make("call-result", Impact.BEHAVIORAL, message, taken or lines, ())
    if type(old.node) is not type(new.node):
        word = "async now" if isinstance(new.node, ast.AsyncFunctionDef) else "not async any more"
        yield make("call-async", Impact.BEHAVIORAL, f"is {word}", lines, ())


def _copied(file: LocalFile, path: str, pairs: _Pairs) -> Iterator[UpstreamChange]:
    old, new = _callees(pairs)
    differences = _differences(old, new)
    counts = [count_returned(callee.node) for callee in (old, new)]
    message, details = describe(differences) if differences else ("", ())
    if None not in counts and counts[0] != counts[1]:
        message, details = f"returns {counts[1]} values (was {counts[0]})", (message, *details)
    if message:
        lines = [before.node.lineno for before, _ in pairs]
        make = _Maker(file, path, old, new)
        yield make("call-copied", Impact.MECHANICAL, message, lines, [d for d in details if d])


def _differences(old: Callee, new: Callee) -> tuple[Difference, ...]:
    """How the parameters differ, for callers: annotations ask nothing of them."""
    found = compare_signatures(old.node, new.node)
    return tuple(one for one in found if not one.annotation)


def _callees(pairs: _Pairs) -> tuple[Callee, Callee]:
    before, after = pairs[0]
    assert before.callee is not None
    assert after.callee is not None
    return before.callee, after.callee


def _misfits(before: Call, after: Call) -> list[str]:
    """What does not fit at the target that did before, without the callee's name."""
    known = list(_unfit(before))
    found = [one for one in _unfit(after) if one not in known]
    # A call that did not fit before was made for another version already.
    return found if known else [*found, *_shifted(before, after)]


def _shifted(before: Call, after: Call) -> Iterator[str]:
    """Positional arguments that go to another parameter: not to one that has a new name."""
    old, new = (_parameters(call) for call in (before, after))
    for place, (was, now) in enumerate(zip(old.positional, new.positional, strict=False)):
        unpacked = any(isinstance(one, ast.Starred) for one in before.node.args[: place + 1])
        if place >= len(before.node.args) or unpacked or was == now:
            continue
        if now in old.names or was in new.names:
            yield f"argument {place + 1} is {now} now (was {was})"


def _unfit(call: Call) -> Iterator[str]:
    callee = call.callee
    if callee is not None and is_plain(callee.node):
        yield from read_parameters(callee.node, bound=callee.bound).misfits(call.node)


def _behaves(before: Call, after: Call) -> bool:
    """Whether a call that fits gives other parameters, or leaves one to another default."""
    sides = [_given(call) for call in (before, after)]
    unpacks = any(isinstance(one, ast.Starred) for one in before.node.args) or "**" in sides[0]
    if sides[0] != sides[1] or unpacks:
        return True
    assert before.callee is not None
    assert after.callee is not None
    old, new = read_defaults(before.callee.node), read_defaults(after.callee.node)
    left = [name for name in new if name in old and name not in sides[1]]
    return any(old[name] != new[name] for name in left)


def _parameters(call: Call) -> Parameters:
    assert call.callee is not None
    return read_parameters(call.callee.node, bound=call.callee.bound)


def _given(call: Call) -> list[str]:
    """The parameters that a call gives, in its order."""
    takes = _parameters(call)
    names = [*takes.positional[: len(call.node.args)]]
    return [*names, *(keyword.arg or "**" for keyword in call.node.keywords)]


@dataclass(frozen=True, slots=True)
class _Maker:
    file: LocalFile
    path: str
    old: Callee
    new: Callee

    def __call__(
        self, kind: str, impact: Impact, message: str, lines: Sequence[int], details: Sequence[str]
    ) -> UpstreamChange:
        current, target = self.file.current, self.file.target
        return UpstreamChange(
            kind,
            impact,
            self.path,
            message,
            current.spot(current.place(self.old.path, self.old.node)),
            target.spot(target.place(self.new.path, self.new.node)),
            self.file.consumers(lines),
            tuple(details),
        )


def _gone(file: LocalFile, path: str, calls: Sequence[Call]) -> UpstreamChange:
    callee = calls[0].callee
    assert callee is not None
    base = file.current.place(path, callee.node)
    renamed = find_renamed(file.current, base, file.target, owner_of(path))
    old = file.current.spot(base)
    consumers = file.consumers(call.node.lineno for call in calls)
    if renamed is not None:
        new, share = renamed
        said = f"perhaps {new.dotted} now ({share:.0%} of the code is the same)"
        spot = file.target.spot(new)
        return UpstreamChange("call-gone", Impact.BEHAVIORAL, path, said, old, spot, consumers)
    message = "gone: no class of the target has it"
    return UpstreamChange("call-gone", Impact.ARCHITECTURAL, path, message, old, None, consumers)
