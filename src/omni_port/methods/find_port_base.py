"""The base of a whole port that nobody named: the version that most of its copies come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.findings.errors import OmniCodemodsError
from omni_codemods.sources.classes import own_methods
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import definitions
from omni_port.base.errors import InputError
from omni_port.methods.requests import upstream_method
from omni_port.project.project import CURRENT, TARGET, Port, Project
from omni_port.sources.file_at import Located, read_address
from omni_port.sources.find_base import Base, find_base


@dataclass(frozen=True, slots=True)
class PortBase:
    """Where the copies of *port* come from: *revision*, of *fitting* of its *copies*."""

    port: str
    revision: str
    fitting: int
    copies: int


def find_port_base(project: Project, port: Port) -> PortBase:
    """Return the version of the upstream that most copies of *port* come from.

    Looks through the history of the upstream, as far as its target. Raises ConfigurationError
    where that is a folder, InputError where nothing of the port is a copy, and RevisionError.
    """
    if project.settings.upstream[port.source].repository is None:
        raise project.lacks(port.source, CURRENT)
    local = read_address(project.local(port.local))
    found = [base.address.revision for base in _bases(project, port, local)]
    counts = Counter(revision for revision in found if revision is not None)
    if not counts:
        message = f"nothing of {port.name} is a copy of any version of {port.upstream}"
        raise InputError(message, hint="write base = ... in its [[port]]", path=str(project.path))
    ((revision, fitting),) = counts.most_common(1)
    return PortBase(port.name, revision, fitting, len(found))


def _bases(project: Project, port: Port, local: Located) -> Iterator[Base]:
    target = project.at(port.upstream, TARGET)
    methods = _methods(port, local)
    for method in methods:
        name = upstream_method(port, method)
        try:
            yield find_base(local, method, target, base_method=name if name != method else None)
        except InputError:
            if len(methods) == 1:
                raise  # says of this one why


def _methods(port: Port, local: Located) -> tuple[str, ...]:
    """The methods of a class that may be copies, or the one function."""
    qualname = port.local.qualname
    try:
        known = definitions(local.source.text, "local")
        is_class = any(d.is_class and d.qualname == qualname for d in known)
        own = tuple(own_methods(local.source.text, qualname)) if is_class else ()
    except OmniCodemodsError:
        own, is_class = (), False  # whoever reads the copies says what is wrong with the file
    if port.methods is not None:
        return port.methods
    return own if is_class else (last_part(qualname),)
