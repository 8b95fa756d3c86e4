"""The upstream classes behind a port: gone, moved, with other bases, with more to implement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.impact.elsewhere import Where, find_named, share_of_members
from omni_codemods.impact.end import Found
from omni_codemods.impact.local import LocalFile, PortText
from omni_codemods.impact.model import Consumer, Impact, Spot, UpstreamChange
from omni_codemods.impact.sorts import say_arms, say_origin, say_sort
from omni_codemods.impact.wording import other_places
from omni_codemods.sources.modules import Answer, definitions_in, resolve
from omni_codemods.sources.self_use import read_selves
from omni_codemods.sources.shapes import Shape, find_shape
from omni_codemods.sources.subject import Function
from omni_codemods.text.dotted import last_part, owner_of

# From this share of common members on, a class may have taken over from another.
_KIN = 0.3
# Bases that bring nothing.
_EMPTY = frozenset({"object", "ABC", "Generic", "Protocol"})


def compare_classes(file: LocalFile, where: Where) -> Iterator[UpstreamChange]:
    """Yield what became of the upstream classes that the ports of *file* copy or inherit from."""
    for port in file.ports:
        line = _line(file, port)
        consumers = (Consumer(port.name, file.path, "", (line,) if line else ()),)
        yield from _unread(file, port, consumers)
        for dotted in _classes(file, port):
            names = _names(file, port, dotted)
            yield from _compare_class(file, dotted, *names, consumers, where)
        yield from _abstract(file, port, consumers)


def _unread(
    file: LocalFile, port: PortText, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    ends = ((file.current, port.upstream, "current"), (file.target, port.aim, "target"))
    for end, dotted, name in ends:
        module = end.module_of(dotted)
        if module and end.is_unread(module):
            message = f"this Python cannot parse {end.path(module)} at the {name} end"
            yield UpstreamChange(
                "module-unread", Impact.ARCHITECTURAL, module, message, consumers=consumers
            )


def _classes(file: LocalFile, port: PortText) -> list[str]:
    """The upstream classes: the port's own, and those that the local class inherits from.

    Not that of a function whose place in the target is named.
    """
    if port.target and not file.is_class(port):
        return []
    owner = port.upstream if file.is_class(port) else owner_of(port.upstream)
    found = file.current.find(owner)
    own = [found.dotted] if found is not None and isinstance(found.node, ast.ClassDef) else []
    order = file.before.hierarchy.order(file.dotted(port)) if file.is_class(port) else []
    bases = [one for one in order[1:] if file.before.holds(one)]
    above = file.current.hierarchy.order(own[0])[1:] if own and not bases else []
    return list(dict.fromkeys([*own, *bases, *above]))


def _names(file: LocalFile, port: PortText, dotted: str) -> tuple[str, str]:
    """The names by which the class *dotted* is had at both ends: those that the port says."""
    found = file.current.find(port.upstream)
    own = found is not None and found.dotted == dotted
    return (port.upstream, port.aim) if own else (dotted, dotted)


def _compare_class(
    file: LocalFile, dotted: str, was: str, aim: str, consumers: tuple[Consumer, ...], where: Where
) -> Iterator[UpstreamChange]:
    base = file.current.find(dotted)
    if base is None or not isinstance(base.node, ast.ClassDef):
        return
    old = file.current.spot(base)
    target = file.target.find(aim)
    if target is None and file.target.is_unread(base.module):
        return
    changed = _sort(file, was, aim, consumers, old)
    yield from changed
    if target is not None and not isinstance(target.node, ast.ClassDef):
        return
    if target is None and any(one.kind == "class-kind" for one in changed):
        return
    if target is None:
        same, others = find_named(base, file.current, file.target, where)
        if not same:
            message = _gone(file, aim) or f"gone{other_places(others)}"
            details = tuple(_lost_with(file, base, None))
            yield UpstreamChange(
                "class-gone", Impact.ARCHITECTURAL, dotted, message, old, None, consumers, details
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


def _gone(file: LocalFile, aim: str) -> str:
    """What to say of a class that is not seen, where its module may have it all the same."""
    if resolve(aim, file.target.sources) is not Answer.UNKNOWN:
        return ""
    module = owner_of(aim)
    return f"not seen: {module} gives names that no source shows (`__getattr__`, a star import)"


def _sort(
    file: LocalFile, dotted: str, aim: str, consumers: tuple[Consumer, ...], old: Spot
) -> tuple[UpstreamChange, ...]:
    """What the class is now: no class, one that comes from elsewhere, or one of several."""
    was = find_shape(dotted, file.current.sources)
    now = find_shape(aim, file.target.sources)
    if was is None or now is None:
        return ()
    found = file.target.find(aim)
    spot = None if found is None else file.target.spot(found)

    def change(kind: str, impact: Impact, message: str, *details: str) -> UpstreamChange:
        return UpstreamChange(kind, impact, dotted, message, old, spot, consumers, details)

    if message := say_sort(was, now):
        details = list(_successors(file, dotted, now))
        return (change("class-kind", Impact.ARCHITECTURAL, message, *details),)
    told = []
    if message := say_arms(was, now):
        told.append(change("class-kind", Impact.BEHAVIORAL, message))
    named = {dotted, aim} & {*file.named, *(port.aim for port in file.ports)}
    if named and (message := say_origin(aim, was, now)):
        told.append(change("class-moved", Impact.MECHANICAL, message))
    return tuple(told)


def _successors(file: LocalFile, dotted: str, now: Shape) -> Iterator[str]:
    """The classes that a function which took the place of a class gives, or its module has."""
    base = file.current.find(dotted)
    module = owner_of(now.origin)
    names = _given(now.node) if isinstance(now.node, Function) else []
    names += [name for name, _ in file.target.classes(module) if name not in names]
    for name in names:
        found = file.target.find(f"{module}.{name}")
        if base is None or found is None or not isinstance(found.node, ast.ClassDef):
            continue
        share = share_of_members(base.node, found.node)
        if share >= _KIN or name in _given(now.node):
            shared = f"; it has {share:.0%} of the members" if share else ""
            yield f"{found.dotted} is a class that may have taken over{shared}"


def _given(node: ast.AST | None) -> list[str]:
    """The names of what a function gives, by its annotation and its ``return``."""
    if not isinstance(node, Function):
        return []
    values = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
    called = [value.func for value in values if isinstance(value, ast.Call)]
    nodes = [one for one in (node.returns, *called) if one is not None]
    names = [n.id for one in nodes for n in ast.walk(one) if isinstance(n, ast.Name)]
    return list(dict.fromkeys(names))


def _compare_bases(
    file: LocalFile, base: Found, target: Found, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    before, after = _bases(base), _bases(target)
    inherited = {last_part(one) for one in file.target.hierarchy.order(target.dotted)}
    spots = (file.current.spot(base), file.target.spot(target))

    def change(kind: str, impact: Impact, message: str, *details: str) -> UpstreamChange:
        return UpstreamChange(kind, impact, base.dotted, message, *spots, consumers, details)

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
            lost = _lost_with(file, _ancestor(file, base, name), target)
            yield change("base-removed", Impact.ARCHITECTURAL, message, *lost)
    for name in after:
        if name not in before:
            yield change("base-added", Impact.BEHAVIORAL, f"inherits from {name} too")


def _bases(found: Found) -> list[str]:
    """The last names of the bases of a class, as they are written, but for those that are empty."""
    assert isinstance(found.node, ast.ClassDef)
    names = (last_part(ast.unparse(one).partition("[")[0]) for one in found.node.bases)
    return [name for name in names if name not in _EMPTY]


def _ancestor(file: LocalFile, base: Found, name: str) -> Found | None:
    order = file.current.hierarchy.order(base.dotted)
    dotted = next((one for one in order if last_part(one) == name), "")
    return file.current.find(dotted) if dotted else None


def _lost_with(file: LocalFile, gone: Found | None, target: Found | None) -> Iterator[str]:
    """Say what ours uses of the class *gone*, and the class *target* has not."""
    if gone is None or not isinstance(gone.node, ast.ClassDef):
        return
    brought = {*definitions_in(gone.node.body), *read_selves(gone.node).assigned}
    if target is not None:
        hierarchy = file.target.hierarchy
        classes = map(hierarchy.find_class, hierarchy.order(target.dotted))
        kept = [read_selves(one).assigned for one in classes if one is not None]
        found = {name for one in kept for name in one}
        found |= {n for n in brought if hierarchy.find_member(target.dotted, n).node is not None}
        brought -= found
    names = sorted(brought & _used(file))
    if names:
        yield f"ours uses {', '.join(names)} of {gone.qualname}"
    elif target is not None:
        yield f"ours uses nothing of {gone.qualname} by its name"


def _used(file: LocalFile) -> set[str]:
    """What the classes of the ports define, and use on ``self``."""
    found: set[str] = set()
    for node, _ in file.scopes():
        if isinstance(node, ast.ClassDef):
            found |= {*definitions_in(node.body), *read_selves(node).used}
    return found


def _abstract(
    file: LocalFile, port: PortText, consumers: tuple[Consumer, ...]
) -> Iterator[UpstreamChange]:
    """Abstract methods that the local class inherits, and nothing implements."""
    if not file.is_class(port):
        return
    cls = file.dotted(port)
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


def _line(file: LocalFile, port: PortText) -> int:
    node = next((n for c, n in file.before.classes() if c == file.dotted(port)), None)
    return 0 if node is None else node.lineno
