"""Freezing the identity of an upgrade: every revision resolved once, all evidence compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omni_port import revisions
from omni_port.base.pins import Weight
from omni_port.identity import evidence
from omni_port.identity.claims import Claim, packages_of, resolve_claim
from omni_port.identity.ends import (
    Checkouts,
    Said,
    freeze_end,
    freeze_working_tree,
    look_up,
)
from omni_port.identity.model import BASE, SIBLINGS, Disagreement, End, How, Identity
from omni_port.project.project import CURRENT, TARGET, Project


def freeze_identity(project: Project) -> Identity:
    """Return which revisions the upgrade of *project* is about, and what evidence disagrees.

    Reads alone. Raises RevisionError for a revision that is not there, ConfigurationError for a
    folder.
    """
    with revisions.session():
        ends: list[End] = []
        known: Checkouts = {}
        written = evidence.read_notes(project)
        said: list[Disagreement | str] = []
        for name in project.settings.upstream:
            notes = evidence.note_claims(project, name, written)
            pins = evidence.pin_claims(project, name)
            held = list(_upstream_ends(project, name, notes, pins, known))
            said += evidence.check_notes(notes, held)
            said += evidence.check_pins(pins, held)
            said += evidence.check_order(held)
            ends += held
        siblings = list(_sibling_ends(project, known))
        said += [*evidence.check_order(siblings), *evidence.check_locks(project, ends)]
        ends += siblings
        said += [f"{end.name} {end.end}: {end.note}" for end in ends if end.note]
        said += dict.fromkeys(_about_shallow(end) for end in ends if _is_shallow(end))
        checkout = look_up(project.root, known)
    return Identity(
        str(project.root),
        checkout,
        tuple(ends),
        tuple(one for one in said if isinstance(one, Disagreement)),
        tuple(one for one in said if isinstance(one, str)),
    )


def _is_shallow(end: End) -> bool:
    return end.repository is not None and end.checkout is not None and end.checkout.shallow


def _about_shallow(end: End) -> str:
    fetch = f"git -C {end.repository} fetch --unshallow"
    return f"{end.repository} is a shallow clone, and its history is cut off: {fetch}"


def _upstream_ends(
    project: Project,
    name: str,
    notes: Iterable[Claim],
    pins: Iterable[Claim],
    known: Checkouts,
) -> Iterator[End]:
    settings = project.settings.upstream[name]
    packages = sorted(packages_of(project, name))
    repository = settings.repository
    aim = Said(name, TARGET, settings.target, repository=repository)
    target = freeze_end(project, aim, packages, known)
    if settings.current is None:
        yield _found_current(project, target, notes, pins, known)
    else:
        said = Said(name, CURRENT, settings.current, repository=repository)
        yield freeze_end(project, said, packages, known)
    yield target
    for port in project.ports:
        if port.base is not None and port.source == name:
            own = Said(name, BASE, port.base, repository=repository, port=port.name)
            yield freeze_end(project, own, packages, known)


def _found_current(
    project: Project,
    target: End,
    notes: Iterable[Claim],
    pins: Iterable[Claim],
    known: Checkouts,
) -> End:
    """Return the current end as notes say it, else as pins do; else methods have their own."""
    pins = list(pins)
    for how, claims in (
        (How.NOTES, notes),
        *((How.PINNED, [p for p in pins if p.weight is weight]) for weight in reversed(Weight)),
    ):
        found = {resolve_claim(claim.revisions, target): claim for claim in claims}
        found.pop(None, None)
        # Pins move first: one that names the target says nothing about the copies.
        if len(found) == 1 and target.revision not in found:
            ((sha, claim),) = found.items()
            said = Said(
                target.name, CURRENT, str(sha), how, _repository(project, target), claim.place
            )
            return freeze_end(project, said, sorted(packages_of(project, target.name)), known)
    checkout = target.checkout if target.repository else None
    return End(target.name, CURRENT, "", How.PROVENANCE, target.repository, checkout=checkout)


def _repository(project: Project, end: End) -> str | None:
    return project.settings.upstream[end.name].repository


def _sibling_ends(project: Project, known: Checkouts) -> Iterator[End]:
    settings = project.settings.siblings
    if settings is None:
        return
    repository = settings.repository
    current = Said(SIBLINGS, CURRENT, settings.current, repository=repository)
    yield freeze_end(project, current, checkouts=known)
    if settings.target is not None:
        target = Said(SIBLINGS, TARGET, settings.target, repository=repository)
        yield freeze_end(project, target, checkouts=known)
    else:
        paths = [port.sibling.path for port in project.ports if port.sibling is not None]
        yield freeze_working_tree(project, SIBLINGS, TARGET, paths, known)
