"""The plan of an upgrade: identity, inventory, impact, history and gate. Writes nothing, ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.impact.local import Copy
from omni_codemods.impact.model import UpstreamChange
from omni_codemods.impact.run import Impacts, find_impact
from omni_codemods.text.parsing import parse_module
from omni_port import revisions
from omni_port.base.errors import from_library
from omni_port.base.gc_pause import paused_collector
from omni_port.base.progress import step
from omni_port.identity import Identity, freeze_identity
from omni_port.methods.backlog import Lack, find_backlog
from omni_port.methods.find_port_base import PortBase
from omni_port.methods.requests import require_sibling
from omni_port.plan.again import find_upgraded
from omni_port.plan.both_ends import Ends, open_ends
from omni_port.plan.followed import Followed
from omni_port.plan.gate import Gate, judge, load_rules, read_overrides
from omni_port.plan.history import Commits, read_history
from omni_port.project.project import Port, Project, choose_ports


@dataclass(frozen=True, slots=True)
class Plan:
    """What an upgrade of *ports* meets.

    *copies* is the inventory, *changes* are all upstream changes that touch a port, the worst
    first. *unseen* are root packages that the classes behind the ports inherit from and that no
    upstream holds, *unread* modules that this Python cannot parse: no change of theirs is known.
    *since* is what the history was asked for, beside the default, *found* are the bases of ports
    that nobody named, *followed* ports whose copies are made anew from another place. *backlog* is
    what the siblings have had since before ``current`` and the ports lack.
    """

    project: Project
    ports: tuple[Port, ...]
    identity: Identity
    copies: tuple[Copy, ...]
    changes: tuple[UpstreamChange, ...]
    history: tuple[Commits, ...]
    gate: Gate
    unseen: tuple[str, ...] = ()
    since: str | None = None
    found: tuple[PortBase, ...] = ()
    unread: tuple[str, ...] = ()
    followed: tuple[Followed, ...] = ()
    backlog: tuple[Lack, ...] = ()


def make_plan(
    project: Project,
    *,
    names: Sequence[str] = (),
    overrides: Sequence[tuple[str, str]] = (),
    since: str | None = None,
    texts: Mapping[str, str] | None = None,
) -> Plan:
    """Return the plan of *project*, for the ports called as one of *names* (default: all).

    *overrides* are rules with the reasons why they do not stop this upgrade, *since* a date or a
    revision from which on the history is wanted. *texts* are texts of local files by their path,
    to be planned instead of what they say. Reads alone.

    Raises UsageError for a port or an override that is not there, ConfigurationError for a rule,
    RevisionError and InputError for what cannot be read, a sibling that is not there among it.
    """
    ports = tuple(choose_ports(project, names=names))
    rules = load_rules(project)
    allowed = read_overrides(project, rules, overrides)
    with paused_collector(), revisions.session():
        for port in ports:
            require_sibling(project, port)
        step("looking which revisions it is about")
        identity = freeze_identity(project)
        with open_ends(project, _beside(project, ports), identity, texts) as ends:
            step("comparing the upstreams at both ends")
            found = _only(_impacts(project, ends), ports)
            held, bases = ends.upstreams_by_package, ends.found
            followed = tuple(one for one in ends.followed if one.port in ports)
            again = find_upgraded(found.taken, ports, identity)
            identity = replace(identity, conflicts=(*identity.conflicts, *again))
        step("comparing the ports with their siblings")
        backlog = tuple(lack for port in ports for lack in find_backlog(project, port))
        step("reading the history of what is followed")
        history = tuple(read_history(project, ports, identity, since, bases))
    gate = judge(rules, found.changes, identity.conflicts, allowed, held)
    return Plan(
        project,
        ports,
        identity,
        found.copies,
        found.changes,
        history,
        gate,
        found.unseen,
        since,
        bases,
        found.unread,
        followed,
        backlog,
    )


def _beside(project: Project, ports: Sequence[Port]) -> tuple[Port, ...]:
    """All ports of the files of *ports*: what is a copy there, whoever's, is not ours."""
    paths = {port.local.path for port in ports}
    return tuple(port for port in project.ports if port.local.path in paths)


def _only(found: Impacts, ports: Sequence[Port]) -> Impacts:
    """Leave out what does not touch *ports*."""
    keys = {(port.local.path, port.name) for port in ports}
    copies = (copy for copy in found.copies if (copy.port.path, copy.port.name) in keys)
    changes = (
        replace(change, consumers=tuple(c for c in change.consumers if (c.path, c.port) in keys))
        for change in found.changes
    )
    return replace(
        found,
        copies=tuple(copies),
        changes=tuple(one for one in changes if one.consumers),
        taken=tuple(one for one in found.taken if (one.port.path, one.port.name) in keys),
    )


def _impacts(project: Project, ends: Ends) -> Impacts:
    for port in ends.ports:
        try:
            parse_module(port.text, "local")
        except OmniCodemodsError as error:
            raise from_library(error, path=port.path, text=port.text) from error
    try:
        return find_impact(ends.ports, ends.current, ends.target, ends.where)
    except OmniCodemodsError as error:
        raise from_library(error, path=str(project.path)) from error
