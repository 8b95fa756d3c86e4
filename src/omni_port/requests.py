"""What the project says of a method, as the request of a rebase or a sync."""

from __future__ import annotations

from pathlib import Path

from omni_port.address import Address
from omni_port.bases import Base, find_base
from omni_port.gpu import GpuRequest
from omni_port.located import read_address
from omni_port.project import CURRENT, TARGET, Place, Port, Project
from omni_port.rebasing import RebaseRequest


def rebase_request(
    project: Project,
    port: Port,
    method: str,
    *,
    base: Address | None = None,
    policy: str = "replay",
    sync: bool = True,
) -> RebaseRequest:
    """Return the request that rebases *method* of *port*, by the revisions of *project*.

    *method* is the local name. *base* replaces the base that the configuration says; where that
    says none, it is found in the history of the upstream. Without *sync* the GPU sibling is left
    out. Raises ConfigurationError for a revision that is not configured, and what finding the base
    raises.
    """
    upstream = upstream_method(port, method)
    found = None if base is not None else _base(project, port, method)
    return RebaseRequest(
        method,
        project.local(port.local),
        base or (found.address if found else project.at(port.upstream, CURRENT, port.base)),
        project.at(port.upstream, TARGET),
        policy=policy,
        gpu=gpu_request(project, port) if sync else None,
        base_method=upstream if upstream != method else None,
        base_how=found.how if found else "",
    )


def _base(project: Project, port: Port, method: str) -> Base | None:
    """The base from the history of the upstream, ``None`` where the configuration says one."""
    upstream = project.settings.upstream[port.source]
    known = port.base is not None or upstream.current is not None
    if known or upstream.repository is None or not method:
        return None
    local = read_address(project.local(port.local))
    name = upstream_method(port, method)
    return find_base(
        local,
        method,
        project.at(port.upstream, TARGET),
        base_method=name if name != method else None,
    )


def gpu_request(project: Project, port: Port) -> GpuRequest | None:
    """Return the sibling of *port* at both ends, with its upstream where that is configured."""
    if port.sibling is None or project.settings.siblings is None:
        return None
    upstream = port.sibling_upstream
    ends = upstream is not None and upstream.upstream is not None
    known = ends and project.settings.upstream[str(upstream and upstream.upstream)].current
    settings = project.settings
    return GpuRequest(
        project.at(port.sibling, CURRENT),
        project.at(port.sibling, TARGET),
        project.at(upstream, CURRENT) if upstream and known else None,
        project.at(upstream, TARGET) if upstream and known else None,
        tuple(map(Path, settings.tables)),
        settings.target,
    )


def upstream_method(port: Port, method: str) -> str:
    """Return the name that the local *method* of *port* has upstream.

    A port is one function where its last name is *method*; else it is a class, whose methods have
    the names of upstream's.
    """
    return _last(port.upstream) if _last(port.local) == method else method


def _last(place: Place) -> str:
    return place.qualname.rpartition(".")[2]
