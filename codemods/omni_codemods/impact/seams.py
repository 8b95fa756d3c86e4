"""Seams: the upstream classes behind a port, and the methods that local code overrides."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.calls import count_returned
from omni_codemods.checks.subject import Function
from omni_codemods.impact.copies import describe
from omni_codemods.impact.elsewhere import Where, find_named, find_renamed
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile, PortText
from omni_codemods.impact.model import Consumer, Impact, UpstreamChange, worst
from omni_codemods.impact.selves import read_selves
from omni_codemods.impact.signatures import compare_signatures
from omni_codemods.impact.wording import other_places
from omni_codemods.resolve import Answer

# Methods that Python calls, and that a class has of its own.
_OWN = frozenset({"__init__", "__new__", "__init_subclass__", "__class_getitem__"})


def compare_classes(file: LocalFile, where: Where) -> Iterator[UpstreamChange]:
    """Yield what became of the upstream classes that the ports of *file* copy or inherit from."""
    for port in file.ports:
        line = _line(file, port)
        consumers = (Consumer(port.name, file.path, "", (line,) if line else ()),)
        for dotted in _classes(file, port):
            yield from _compare_class(file, dotted, consumers, where)
        yield from _abstract(file, port, consumers)


def compare_overrides(file: LocalFile) -> Iterator[UpstreamChange]:
    """Yield what became of the upstream methods that local methods override without a copy."""
    for port in file.ports:
        for method, base in _overrides(file, port):
            yield from _compare_override(file, port, method, base)


def _classes(file: LocalFile, port: PortText) -> list[str]:
    """The upstream classes: the port's own, and those that the local class inherits from."""
    owner = port.upstream if file.is_class(port) else port.upstream.rpartition(".")[0]
    found = file.current.find(owner)
    own = [found.dotted] if found is not None and isinstance(found.node, ast.ClassDef) else []
    order = file.before.hierarchy.order(_dotted(file, port)) if file.is_class(port) else []
    bases = [one for one in order[1:] if file.before.holds(one)]
    above = file.current.hierarchy.order(own[0])[1:] if own and not bases else []
    return list(dict.fromkeys([*own, *bases, *above]))


def _compare_class(
    file: LocalFile, dotted: str, consumers: tuple[Consumer, ...], where: Where
) -> Iterator[UpstreamChange]:
    base = file.current.find(dotted)
    if base is None or not isinstance(base.node, ast.ClassDef):
        return
    old = file.current.spot(base)
    target = file.target.find(dotted)
    if target is None:
        same, others = find_named(base, file.current, file.target, where)
        if not same:
            message = f"gone{other_places(others)}"
            yield UpstreamChange(
                "class-gone", Impact.ARCHITECTURAL, dotted, message, old, None, consumers
            )
            return
        places = ", ".join(one.module for one in same[:3])
        message = f"defined in {places} now"
        spot = file.target.spot(same[0])
        yield UpstreamChange(
            "class-moved", Impact.MECHANICAL, dotted, message, old, spot, consumers
        )
        target = same[0]
    yield from _compare_bases(file, base, target, consumers)


def _compare_bases(
    file: LocalFile, base: Found, target: Found, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    before, after = _bases(base), _bases(target)
    inherited = {_last(one) for one in file.target.hierarchy.order(target.dotted)}
    spots = (file.current.spot(base), file.target.spot(target))

    def change(kind: str, impact: Impact, message: str) -> UpstreamChange:
        return UpstreamChange(kind, impact, base.dotted, message, *spots, consumers)

    for name in before:
        if name in after:
            continue
        if name in inherited:
            message = f"inherits from {name} through another base now"
            yield change("base-indirect", Impact.MECHANICAL, message)
        else:
            instead = [one for one in after if one not in before]
            tail = f"; {', '.join(instead)} is new" if instead else ""
            message = f"no longer inherits from {name}{tail}"
            yield change("base-removed", Impact.ARCHITECTURAL, message)
    for name in after:
        if name not in before:
            yield change("base-added", Impact.BEHAVIORAL, f"inherits from {name} too")


def _bases(found: Found) -> list[str]:
    """The last names of the bases of a class, as they are written."""
    assert isinstance(found.node, ast.ClassDef)
    return [_last(ast.unparse(one).partition("[")[0]) for one in found.node.bases]


def _abstract(
    file: LocalFile, port: PortText, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    """Abstract methods that the local class inherits, and nothing implements."""
    if not file.is_class(port):
        return
    cls = _dotted(file, port)
    before = _unimplemented(file, cls, target=False)
    for name, owner in _unimplemented(file, cls, target=True).items():
        found = file.target.find(f"{owner}.{name}")
        if name not in before and found is not None:
            message = f"{owner} wants {name}, and no class of {port.qualname} implements it"
            yield UpstreamChange(
                "abstract-added",
                Impact.ARCHITECTURAL,
                f"{owner}.{name}",
                message,
                None,
                file.target.spot(found),
                consumers,
            )


def _unimplemented(file: LocalFile, cls: str, *, target: bool) -> dict[str, str]:
    hierarchy = (file.after if target else file.before).hierarchy
    left: dict[str, str] = {}
    for dotted in reversed(hierarchy.order(cls)):
        node = hierarchy.find_class(dotted)
        for member in node.body if node is not None else ():
            if isinstance(member, Function):
                if any(ast.unparse(d).endswith("abstractmethod") for d in member.decorator_list):
                    left[member.name] = dotted
                else:
                    left.pop(member.name, None)
    return left


def _overrides(file: LocalFile, port: PortText) -> Iterator[tuple[Function, Found]]:
    """The local methods that are no copies, with the upstream method that each overrides."""
    node = next((n for c, n in file.before.classes() if c == _dotted(file, port)), None)
    if node is None or not file.is_class(port):
        return
    for method in node.body:
        if not isinstance(method, Function) or method.name in _OWN:
            continue
        if file.is_copy(f"{port.qualname}.{method.name}"):
            continue
        found = file.before.hierarchy.find_member(_dotted(file, port), method.name, inherited=True)
        if found.answer is Answer.FOUND and isinstance(found.node, Function):
            module, _, owner = found.owner.rpartition(".")
            if file.before.holds(found.owner):
                yield method, Found(found.node, module, f"{owner}.{method.name}")


def _compare_override(
    file: LocalFile, port: PortText, method: Function, base: Found
) -> Iterator[UpstreamChange]:
    cls, name = _dotted(file, port), method.name
    consumers = (Consumer(port.name, file.path, f"{port.qualname}.{name}", (method.lineno,)),)
    member = file.after.hierarchy.find_member(cls, name, inherited=True)
    old = file.current.spot(base)
    if member.answer is Answer.MISSING:
        yield _lost(file, base, consumers)
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
    owner = base.dotted.rpartition(".")[0]
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
        found += [f"{_last(dotted)}.{method}" for method in users if method != name]
    return found


def _dotted(file: LocalFile, port: PortText) -> str:
    return f"{file.before.module}.{port.qualname}"


def _line(file: LocalFile, port: PortText) -> int:
    node = next((n for c, n in file.before.classes() if c == _dotted(file, port)), None)
    return 0 if node is None else node.lineno


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]
