"""What the project says of a method, as the request of a rebase or a sync."""

from __future__ import annotations

from pathlib import Path

from omni_codemods.text.dotted import last_part
from omni_port.base.address import Address
from omni_port.base.errors import InputError, OmniPortError
from omni_port.methods.rebase import RebaseRequest
from omni_port.project.project import CURRENT, TARGET, Place, Port, Project
from omni_port.sources.file_at import read_address, require_definitions
from omni_port.sources.find_base import Base, find_base
from omni_port.sources.sibling import GpuRequest


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

    *method* is the local name; an empty one stands for the port's class. *base* replaces the base
    that the configuration says; where that says none, it is found in the history of the upstream.
    Without *sync* the GPU sibling is left out. Raises ConfigurationError for a revision that is
    not configured, and what finding the base raises.
    """
    upstream = upstream_method(port, method)
    target, taken_over = project.at(port.aim, TARGET), upstream_method(port, method, port.aim)
    found = None
    if base is None and _is_open(project, port):
        # Of no method in particular: what the class of a port is a copy of, as it is now.
        found = _base(project, port, method) if method else None
        base = found.address if found else target
    return RebaseRequest(
        method,
        project.local(port.local),
        base or project.at(port.upstream, CURRENT, port.base),
        target,
        policy=policy,
        gpu=gpu_request(project, port) if sync else None,
        target_method=taken_over if taken_over != upstream else None,
        base_method=upstream if upstream != method else None,
        base_how=found.how if found else "",
    )


def _is_open(project: Project, port: Port) -> bool:
    """Whether the configuration says no base, and the upstream has a history to find it in."""
    upstream = project.settings.upstream[port.source]
    return port.base is None and upstream.current is None and upstream.repository is not None


def _base(project: Project, port: Port, method: str) -> Base:
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


def require_sibling(project: Project, port: Port) -> None:
    """Raise InputError, naming the project file, where the sibling of *port* is not there."""
    request = gpu_request(project, port)
    for end in () if request is None else (request.base, request.target):
        try:
            located = read_address(end)
            note = f" in {located.label}"
            require_definitions(located, end.qualname or "", side="gpu", note=note, otherwise="")
        except OmniPortError as error:
            hint = error.hint or "mend it there"
            hint += "; a port without `sibling` is rebased, and not synced"
            message = f"the sibling of port {port.name}: {error.message}"
            raise InputError(message, hint=hint, path=str(project.path)) from error


def upstream_method(port: Port, method: str, place: Place | None = None) -> str:
    """Return the name that the local *method* of *port* has upstream, at *place* if that is given.

    A port is one function where its last name is *method*; else it is a class, whose methods have
    the names of upstream's.
    """
    return _last(place or port.upstream) if _last(port.local) == method else method


def _last(place: Place) -> str:
    return last_part(place.qualname)
