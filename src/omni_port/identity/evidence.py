"""What else says which revisions are meant: notes at the copies, pins, locks of the target."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from packaging.utils import canonicalize_name

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.provenance.source_notes import NEEDLE, SourceNote, find_source_notes
from omni_port import revisions
from omni_port.base import files
from omni_port.base.errors import InputError
from omni_port.base.pins import Weight, find_pins
from omni_port.base.words import count
from omni_port.identity.claims import Claim, Match, compare, lacking, names_of, packages_of
from omni_port.identity.locks import read_locks
from omni_port.identity.model import BASE, SIBLINGS, Disagreement, End
from omni_port.project.project import CURRENT, TARGET, Port, Project, by_file

_OVERRIDE = 'or override the rule "identity-conflict" with the reason'
_SHOWN = 3


def read_notes(project: Project) -> list[tuple[str, SourceNote]]:
    """Return what notes in the files of the ports say of their sources, with the paths."""
    return [(path, note) for path in by_file(project.ports) for note in _notes(project, path)]


def _notes(project: Project, path: str) -> tuple[SourceNote, ...]:
    try:
        data = files.read_bytes(project.root / path)
        return find_source_notes(files.decode(data, path=path).text) if NEEDLE.search(data) else ()
    except (InputError, OmniCodemodsError):
        return ()  # whoever reads the copy itself says what is wrong with it


def note_claims(
    project: Project, upstream: str, notes: Iterable[tuple[str, SourceNote]]
) -> list[Claim]:
    """Return what those of *notes* that are about copies of an upstream name."""
    names, packages = names_of(project, upstream), packages_of(project, upstream)
    found = []
    for path, note in notes:
        if not _is_about(note, names, packages):
            continue
        ports = (port for port in project.ports if port.local.path == path)
        port = _port_of(note, ports)
        if port is not None or not note.scope:
            name = "" if port is None else port.name
            found.append(Claim(note.revisions, f"{path}:{note.line}", name))
    return found


def _is_about(note: SourceNote, names: frozenset[str], packages: frozenset[str]) -> bool:
    if not note.revisions:
        return False
    if note.path and note.path.partition("/")[0] in packages:
        return True
    return bool(note.project) and canonicalize_name(note.project) in names


def _port_of(note: SourceNote, ports: Iterable[Port]) -> Port | None:
    fitting = [p for p in ports if f"{note.scope}.".startswith(f"{p.local.qualname}.")]
    return max(fitting, key=lambda port: len(port.local.qualname), default=None)


def pin_claims(project: Project, upstream: str) -> list[Claim]:
    """Return what the project says that it runs on: exact pins, variables of builds, locks."""
    pins = find_pins(project.root, names_of(project, upstream))
    return [Claim((pin.version,), f"{pin.path}:{pin.line}", weight=pin.weight) for pin in pins]


def check_notes(claims: Iterable[Claim], ends: Iterable[End]) -> Iterator[Disagreement | str]:
    """Yield where notes name another revision than the base of their copies; *ends* of one name.

    One disagreement for all notes that say the same; where nothing can be compared, a remark.
    """
    bases = {end.port: end for end in ends if end.end in (CURRENT, BASE) and end.is_frozen}
    grouped: dict[tuple[Match, tuple[str, ...], str], list[Claim]] = defaultdict(list)
    for claim in claims:
        port = claim.port if claim.port in bases else ""
        if port in bases:
            grouped[compare(claim, bases[port]), claim.revisions, port].append(claim)
    for (match, _, port), held in grouped.items():
        if match is not Match.SAME:
            yield _about_notes(match, held, bases[port])
        elif lost := lacking(held, bases[port]):
            yield f"{held[0].spelling} in {_shown(held)}: {lost}"


def _about_notes(match: Match, held: list[Claim], end: End) -> Disagreement | str:
    verb = "names" if len(held) == 1 else "name"
    said = f"{count(len(held), 'note')} at copies {verb} {end.name} {held[0].spelling}"
    if match is Match.UNKNOWN:
        return f"{said} ({_shown(held)}), which nothing here can compare with {end.label}"
    ports = {claim.port for claim in held}
    hint = f"set it, or the base of those ports, to what the notes name; {_OVERRIDE}"
    return Disagreement(
        end.name,
        end.end,
        f"{said}; {_called(end)} is {end.label}",
        "; ".join(filter(None, (lacking(held, end), hint))),
        tuple(claim.place for claim in held),
        ports.pop() if len(ports) == 1 else "",
    )


def check_pins(claims: Iterable[Claim], ends: Iterable[End]) -> Iterator[Disagreement | str]:
    """Yield where requirements pin another revision than *ends*, the two of one upstream."""
    known = {end.end: end for end in ends if not end.port and end.is_frozen}
    current = known.get(CURRENT)
    claims = list(claims)
    jobs: set[tuple[str, ...]] = set()
    fits = any(_fits(claim, known.values()) for claim in claims if claim.weight > Weight.JOB)
    for claim in claims:
        if claim.weight == Weight.JOB:
            # One job after the other says the same.
            if claim.revisions in jobs:
                continue
            jobs.add(claim.revisions)
        matches = {name: compare(claim, end) for name, end in known.items()}
        said = f"{claim.place} pins {claim.spelling}"
        if matches.get(CURRENT) is Match.SAME:
            continue
        if matches[TARGET] is Match.SAME:
            yield f"{said}, which is {_called(known[TARGET])} already"
        elif Match.OTHER not in matches.values():
            yield f"{said}, which nothing here can compare with {_called(known[TARGET])}"
        elif current is not None:
            told = " and ".join(f"{_called(end)} is {end.label}" for end in known.values())
            if claim.weight < Weight.REQUIRED and (lost := lacking((claim,), current)):
                yield f"{said}: {lost}"
                continue
            if claim.weight == Weight.JOB or (fits and claim.weight < Weight.REQUIRED):
                yield f"{said}; {told}"
                continue
            hint = f"mend the pin or the project file; {_OVERRIDE}"
            yield Disagreement(current.name, CURRENT, f"{said}; {told}", hint, (claim.place,))


def _fits(claim: Claim, ends: Iterable[End]) -> bool:
    return any(compare(claim, end) is Match.SAME for end in ends)


def check_locks(project: Project, ends: Iterable[End]) -> Iterator[Disagreement | str]:
    """Yield where the target of one upstream is made for another vLLM than the configured one."""
    targets = [end for end in ends if end.end == TARGET and end.name != SIBLINGS]
    followed = [end for end in targets if "vllm" in names_of(project, end.name)]
    for end in targets:
        for vllm in followed:
            locks = read_locks(functools.partial(_read, project, end))
            if end.name != vllm.name and locks:
                yield from _about_locks(end, vllm, locks)


def _about_locks(end: End, vllm: End, locks: Iterable[Claim]) -> Iterator[Disagreement | str]:
    matches = {lock: compare(lock, vllm) for lock in locks}
    if Match.SAME in matches.values():
        return
    told = ", ".join(f"{lock.spelling} ({lock.place})" for lock in matches)
    said = f"{_called(end)}, {end.label}, is made for vllm {told}"
    if Match.OTHER not in matches.values():
        yield f"{said}, which nothing here can compare with {vllm.label}"
        return
    hint = f"set target of [upstream.{vllm.name}] to that; {_OVERRIDE}"
    hint = "; ".join(filter(None, (lacking(locks, vllm), hint)))
    message = f"{said}; {_called(vllm)} is {vllm.label}"
    places = tuple(f"{end.name}:{lock.place}" for lock in matches)
    yield Disagreement(vllm.name, TARGET, message, hint, places)


def _read(project: Project, end: End, path: str) -> str | None:
    if end.repository is None or end.revision is None:
        file = project.root / Path(end.spelling).expanduser() / path
        return file.read_text("utf-8", errors="replace") if file.is_file() else None
    with revisions.open_tree(end.repository, end.revision) as tree:
        data = tree.read(path)
    return None if data is None else data.decode("utf-8", errors="replace")


def check_order(ends: Iterable[End]) -> Iterator[Disagreement | str]:
    """Yield where the *ends* of one upstream are the same, or go back."""
    known = {end.end: end for end in ends if not end.port}
    current, target = known.get(CURRENT), known.get(TARGET)
    if current is None or target is None:
        return
    if current.same_as(target):
        yield f"{current.name}: current and target are the same, {target.label}"
    elif current.revision and target.revision and current.repository == target.repository:
        with revisions.open_tree(str(current.repository), current.revision) as tree:
            if tree.contains(target.revision):
                message = (
                    f"{_called(target)}, {target.label}, is older than current, {current.label}"
                )
                hint = f"exchange them; {_OVERRIDE}"
                yield Disagreement(target.name, TARGET, message, hint)


def _called(end: End) -> str:
    return f"the base of {end.port}" if end.port else f"{end.end} of {end.name}"


def _shown(claims: list[Claim]) -> str:
    places = [claim.place for claim in claims]
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(places[:_SHOWN]) + more
