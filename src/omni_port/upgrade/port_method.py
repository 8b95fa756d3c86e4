"""Which ports of a project have a method: what ``rebase-method`` and ``sync-method`` take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from omni_codemods.findings.suggest import suggest
from omni_codemods.text.dotted import last_part
from omni_codemods.text.outline import Definition, definitions
from omni_port.base.errors import OmniPortError, UsageError
from omni_port.project.project import CURRENT, Port, Project, choose_ports
from omni_port.sources.file_at import Located, read_address, require_definitions
from omni_port.upgrade.port_files import CarriedFile, Carrier, Job


@dataclass(frozen=True, slots=True)
class Ported:
    """A method of a port, and the line (1-based) that it stands on in the local file."""

    port: Port
    method: str
    line: int


def find_ported(
    project: Project, method: str, classes: Sequence[str] = (), *, mirrored: bool = False
) -> list[Ported]:
    """Return the *method* of each port that has it, of those called as *classes* (default: all).

    A class has it where it is one of its listed methods, or where it lists none and defines it;
    with *mirrored*, where it defines it and has a GPU sibling. Raises UsageError where no port has
    it, with the nearest names; InputError for a port that is not where the project says.
    """
    if mirrored and project.settings.siblings is None:
        raise project.lacks(None, CURRENT)
    chosen = list(choose_ports(project, names=classes))
    every = [one for port in chosen for one in _methods(project, port, mirrored=mirrored)]
    alone = {one.port.name for one in every if one.port.name.endswith(f".{one.method}")}
    found = [
        one
        for one in every
        if one.method == method
        and (one.port.name in alone or f"{one.port.name}.{method}" not in alone)
    ]
    if not found:
        raise _no_port(method, sorted({one.method for one in every}), mirrored=mirrored)
    return found


def _no_port(method: str, known: Sequence[str], *, mirrored: bool) -> UsageError:
    what = "with a GPU sibling " if mirrored else ""
    return UsageError(f"no port {what}has a method {method!r}", hint=suggest(method, known))


def _methods(project: Project, port: Port, *, mirrored: bool) -> Iterator[Ported]:
    if mirrored and port.sibling is None:
        return
    found = _definitions(project, port)
    here = found[-1]
    if not here.is_class:
        yield Ported(port, last_part(port.name), here.start)
        return
    lines = {d.qualname: d.start for d in found[:-1]}
    for name, line in lines.items():
        owner, _, last = name.rpartition(".")
        if owner == here.qualname and (mirrored or port.methods is None or last in port.methods):
            yield Ported(port, last, line)


def _definitions(project: Project, port: Port) -> list[Definition]:
    """The functions of the port's file, and last the class or function that it is."""
    local = _read(project, port)
    note, mend = f", which {project.path} names as a port", f"mend it in {project.path}"
    here = require_definitions(local, port.name, note=note, otherwise=mend)
    functions = (d for d in definitions(local.source.text, "local") if not d.is_class)
    return [*functions, here[-1]]


def _read(project: Project, port: Port) -> Located:
    try:
        return read_address(project.local(port.local))
    except OmniPortError as error:
        if error.line is not None:  # it is there, and what is in it is at fault
            raise
        hint = f"{project.path} names it as the place of a port"
        raise type(error)(error.message, hint=hint, path=error.path) from error


@dataclass(slots=True)
class OneMethod(Carrier):
    """Carries chosen methods and no others: rebased where *rebase*, else only synced."""

    chosen: Sequence[Ported] = ()
    rebase: bool = True
    sync: bool = field(default=True)

    def carry_chosen(self) -> Iterator[CarriedFile]:
        """Yield each file with its chosen methods carried; raises OmniPortError for any of them."""
        for file in self.carry([one.port for one in self.chosen]):
            for one in file.methods:
                if one.error is not None:
                    raise one.error
            yield file

    def jobs(self, ports: Sequence[Port], local: Located) -> Iterator[Job]:  # noqa: ARG002
        """Yield the chosen methods of *ports*."""
        for one in self.chosen:
            if one.port in ports:
                port = one.port if self.sync else replace(one.port, sibling=None)
                yield Job(port, one.method, one.line, is_copy=self.rebase)
