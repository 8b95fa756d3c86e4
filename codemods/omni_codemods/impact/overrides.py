"""The upstream methods that local methods override without being copies of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.calls import count_returned
from omni_codemods.impact.elsewhere import find_renamed
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile, PortText
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange, describe, worst
from omni_codemods.impact.signatures import compare_signatures
from omni_codemods.impact.sorts import say_arms
from omni_codemods.sources.hierarchy import Member
from omni_codemods.sources.modules import Answer
from omni_codemods.sources.self_use import Assignment, read_selves
from omni_codemods.sources.shapes import Sort, find_shape, sort_of
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import last_part, owner_of

_CALLED = (Sort.METHOD, Sort.CLASS_METHOD, Sort.STATIC_METHOD)
# Methods that Python calls, and that a class has of its own.
_OWN = frozenset({"__init__", "__new__", "__init_subclass__", "__class_getitem__"})


def compare_overrides(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield what became of the upstream methods that local methods override without a copy."""
    for port in file.ports:
        for method, base in _overrides(file, port):
            yield from _compare_override(file, port, method, base)


def _overrides(file: LocalFile, port: PortText) -> Iterator[tuple[Function, Found]]:
    """The local methods that are no copies, with the upstream method that each overrides."""
    node = next((n for c, n in file.before.classes() if c == file.dotted(port)), None)
    if node is None or not file.is_class(port):
        return
    for method in node.body:
        if not isinstance(method, Function) or method.name in _OWN:
            continue
        if file.is_copy(f"{port.qualname}.{method.name}"):
            continue
        found = file.before.hierarchy.find_member(file.dotted(port), method.name, inherited=True)
        if found.answer is Answer.FOUND and isinstance(found.node, Function):
            module, _, owner = found.owner.rpartition(".")
            if file.before.holds(found.owner):
                yield method, Found(found.node, module, f"{owner}.{method.name}")


def _compare_override(
    file: LocalFile, port: PortText, method: Function, base: Found
) -> Iterator[UpstreamChange]:
    cls, name = file.dotted(port), method.name
    consumers = (Consumer(port.name, file.path, f"{port.qualname}.{name}", (method.lineno,)),)
    member = file.after.hierarchy.find_member(cls, name, inherited=True)
    old = file.current.spot(base)
    if member.answer is Answer.MISSING:
        yield _lost(file, base, consumers)
    yield from _sort(file, method, base, member, consumers)
    if member.answer is not Answer.FOUND or not isinstance(member.node, Function):
        return
    module, _, owner = member.owner.rpartition(".")
    target = Found(member.node, module, f"{owner}.{name}")
    if not file.after.holds(member.owner) or not isinstance(base.node, Function):
        return
    new = file.target.spot(target)
    for kind, impact, message, details in _contract(base.node, member.node):
        yield UpstreamChange(kind, impact, base.dotted, message, old, new, consumers, details)
    callers = _callers(file, cls, name, target=False)
    if callers and not _callers(file, cls, name, target=True):
        message = f"the upstream's own code no longer calls it ({callers[0]} did)"
        yield UpstreamChange(
            "seam-uncalled", Impact.BEHAVIORAL, base.dotted, message, old, new, consumers
        )


def _sort(
    file: LocalFile, method: Function, base: Found, member: Member, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    """What is overridden is no method any more, another kind of one, or set on ``self``."""
    old = file.current.spot(base)

    def change(impact: Impact, message: str, new: Spot | None) -> UpstreamChange:
        return UpstreamChange("seam-kind", impact, base.dotted, message, old, new, consumers)

    if member.answer is Answer.UNKNOWN:
        owner = owner_of(base.dotted)
        for dotted, one in _stored(file, owner, method.name):
            module, _, name = dotted.rpartition(".")
            spot = file.target.spot(Found(one.node, module, name))
            message = f"{name}.{one.method} sets it on self now: the override is called no more"
            yield change(Impact.ARCHITECTURAL, message, spot)
            return
    if member.answer is not Answer.FOUND or member.node is None:
        return
    aim = f"{member.owner}.{method.name}"
    if message := _condition(file, base.dotted, aim):
        yield change(Impact.BEHAVIORAL, message, file.target.spot_of(aim))
    was, now = sort_of(base.node, member=True), sort_of(member.node, member=True)
    if was is not now:
        module, _, name = member.owner.rpartition(".")
        spot = file.target.spot(Found(member.node, module, f"{name}.{method.name}"))
        message = f"is {now.value} now (was {was.value})"
        # An attribute may be a place for a method, and a subclass's fills it.
        kept = {was, now} <= {*_CALLED, Sort.ATTRIBUTE}
        impact = Impact.BEHAVIORAL if kept else Impact.ARCHITECTURAL
        if sort_of(method, member=True) is now:
            impact, message = Impact.MECHANICAL, f"{message}, as ours is"
        yield change(impact, message, spot)


def _condition(file: LocalFile, old: str, new: str) -> str:
    """What to say of a method that is there only under a test now."""
    was = find_shape(old, file.current.sources)
    now = find_shape(new, file.target.sources)
    return say_arms(was, now) if was is not None and now is not None else ""


def _stored(file: LocalFile, owner: str, name: str) -> Iterator[tuple[str, Assignment]]:
    """The assignments to ``self.name`` in the target's classes of *owner* that are new."""
    before = file.current.hierarchy
    classes = map(before.find_class, before.order(owner))
    if any(name in read_selves(one).stored for one in classes if one is not None):
        return
    after = file.target.hierarchy
    for dotted in after.order(owner):
        node = after.find_class(dotted)
        for one in read_selves(node).assigned.get(name, ()) if node is not None else ():
            if one.method:
                yield dotted, one


def _contract(old: Function, new: Function) -> Iterator[tuple[str, Impact, str, tuple[str, ...]]]:
    differences = compare_signatures(old, new)
    if differences:
        yield "seam-signature", worst(differences), *describe(differences)
    counts = [count_returned(node) for node in (old, new)]
    if None not in counts and counts[0] != counts[1]:
        message = f"returns {counts[1]} values (was {counts[0]})"
        yield "seam-result", Impact.BEHAVIORAL, message, ()
    if type(old) is not type(new):
        word = "async now" if isinstance(new, ast.AsyncFunctionDef) else "not async any more"
        yield "seam-async", Impact.BEHAVIORAL, f"is {word}", ()


def _lost(file: LocalFile, base: Found, consumers: tuple[Consumer, ...]) -> UpstreamChange:
    old = file.current.spot(base)
    owner = owner_of(base.dotted)
    renamed = find_renamed(file.current, base, file.target, owner)
    if renamed is not None:
        new, share = renamed
        said = f"{new.dotted} now ({share:.0%} of the code is the same): rename the override"
        spot = file.target.spot(new)
        return UpstreamChange(
            "seam-renamed", Impact.MECHANICAL, base.dotted, said, old, spot, consumers
        )
    message = "gone, and nothing like it is in its class: nothing calls the override"
    return UpstreamChange(
        "seam-gone", Impact.ARCHITECTURAL, base.dotted, message, old, None, consumers
    )


def _callers(file: LocalFile, cls: str, name: str, *, target: bool) -> list[str]:
    """The upstream methods of the class's bases that call or hand on ``self.name``."""
    subject = file.after if target else file.before
    found = []
    for dotted in subject.hierarchy.order(cls)[1:]:
        node = subject.hierarchy.find_class(dotted) if subject.holds(dotted) else None
        users = read_selves(node).used.get(name, ()) if node is not None else ()
        found += [f"{last_part(dotted)}.{method}" for method in users if method != name]
    return found
