"""All comparisons of all ports, each change once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from omni_codemods.impact.ancestry import compare_classes
from omni_codemods.impact.calls import compare_calls
from omni_codemods.impact.copies import compare_copies
from omni_codemods.impact.elsewhere import Where
from omni_codemods.impact.end import End
from omni_codemods.impact.growth import compare_growth
from omni_codemods.impact.imports import compare_imports
from omni_codemods.impact.local import Copy, LocalFile, PortText
from omni_codemods.impact.model import Consumer, UpstreamChange
from omni_codemods.impact.overrides import compare_overrides
from omni_codemods.impact.pairs import compare_pair
from omni_codemods.impact.state import compare_state
from omni_codemods.impact.taken import Taken, find_taken
from omni_codemods.sources.modules import Sources
from omni_codemods.text.dotted import first_part


@dataclass(frozen=True, slots=True)
class Impacts:
    """What an upgrade meets: the copies, and every upstream change that touches a port.

    Changes come with those that weigh most first. *unseen* are the root packages that the
    classes behind the ports inherit from, and that the sources do not hold, *unread* the modules
    that this Python cannot parse, *taken* how much of the changes the copies have already.
    """

    copies: tuple[Copy, ...]
    changes: tuple[UpstreamChange, ...]
    unseen: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()


def find_impact(
    ports: Sequence[PortText],
    current: Sources | Mapping[str, Sources],
    target: Sources,
    where: Where | None = None,
) -> Impacts:
    """Compare the upstreams of *ports* at both ends.

    *current* are the sources that the copies were made from (by the key of the port, where they
    are not the same for all), *target* those to move to; both hold the packages of the upstreams
    and of the local files. *where* tells the modules of the target that define a name, at any
    level: without it, what moved to another module is gone.

    Raises SourceError (*side* ``local``) for a local file that is not Python, and MethodNotFound
    for a port or a listed method that is not there (*side* ``local`` or ``base``).
    """
    files = list(_files(ports, current, target))
    found = [change for file in files for change in _compare(file, where or _nowhere)]
    found += _pairs(files)
    copies = tuple(copy for file in files for copy in file.copies)
    taken = tuple(one for file in files for one in find_taken(file))
    unseen = tuple(sorted(_unseen(files)))
    return Impacts(copies, merge_changes(found), unseen, _unread(files), taken)


def _unread(files: Sequence[LocalFile]) -> tuple[str, ...]:
    sources = [end.sources for file in files for end in (file.current, file.target)]
    return tuple(sorted({name for one in sources for name in one.unread()}))


def _unseen(files: Sequence[LocalFile]) -> set[str]:
    classes = {(file, port.aim) for file in files for port in file.ports}
    orders = (file.target.hierarchy.order(cls) for file, cls in classes)
    roots = {first_part(dotted) for order in orders for dotted in order if "." in dotted}
    held = {root for file in files for root in file.target.sources.readers}
    # Of other packages, such as torch, nobody wants to hear.
    kin = {root.partition("_")[0] for root in held}
    return {root for root in roots - held if root.partition("_")[0] in kin}


def merge_changes(changes: Iterable[UpstreamChange]) -> tuple[UpstreamChange, ...]:
    """Return each change once, with the consumers of all that say the same, the worst first."""
    merged: dict[tuple[str, str, str], UpstreamChange] = {}
    for change in changes:
        key = (change.kind, change.subject, change.message)
        known = merged.get(key)
        every = (*(known.consumers if known else ()), *change.consumers)
        merged[key] = replace(known or change, consumers=tuple(_joined(every)))
    return tuple(sorted(merged.values(), key=lambda one: -one.impact.weight))


def _joined(consumers: Iterable[Consumer]) -> Iterator[Consumer]:
    lines: dict[tuple[str, str, str], set[int]] = {}
    for one in consumers:
        lines.setdefault((one.port, one.path, one.method), set()).update(one.lines)
    for key, found in lines.items():
        yield Consumer(*key, tuple(sorted(found)))


def _files(
    ports: Sequence[PortText], current: Sources | Mapping[str, Sources], target: Sources
) -> Iterator[LocalFile]:
    """The local files, each with its ports."""
    after = End(target)
    ends: dict[int, End] = {}
    groups: dict[str, list[tuple[PortText, End]]] = {}
    for port in ports:
        sources = current if isinstance(current, Sources) else current[port.key]
        end = ends.setdefault(id(sources), End(sources))
        groups.setdefault(port.path, []).append((port, end))
    for together in groups.values():
        yield LocalFile([p for p, _ in together], [end for _, end in together], after)


def _compare(file: LocalFile, where: Where) -> Iterator[UpstreamChange]:
    yield from compare_classes(file, where)
    yield from compare_copies(file, where)
    yield from compare_overrides(file)
    yield from compare_calls(file)
    yield from compare_state(file)
    yield from compare_imports(file, where)
    yield from compare_growth(file)


def _pairs(files: Sequence[LocalFile]) -> Iterator[UpstreamChange]:
    """The modules of the target that the ports rest on: do they fit the other targets?"""
    modules: dict[tuple[str, End], list[Consumer]] = {}
    for file in files:
        for port in file.ports:
            found = file.target.find(port.aim)
            if found is not None:
                key = found.module, file.current
                modules.setdefault(key, []).append(Consumer(port.name, file.path, ""))
    target = files[0].target if files else None
    for (module, current), consumers in modules.items():
        if target is not None:
            yield from compare_pair(module, current, target, consumers)


def _nowhere(name: str) -> Sequence[str]:
    del name
    return ()
