"""The checks of a project's ports: against the targets of their upstreams, and their siblings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omni_port.base.address import Address
from omni_port.base.errors import ConfigurationError
from omni_port.methods.check import Beside, Checker, Upstream, open_upstreams
from omni_port.methods.translate_files import Translation
from omni_port.project.project import TARGET, Port, Project, by_file, shown_path

# Folders above a package that are no part of its name.
_ROOTS = ("src", "python")


@dataclass(frozen=True, slots=True)
class ProjectChecks:
    """What was found in each local file, and the trees that it was compared with."""

    files: tuple[Translation, ...]
    upstreams: tuple[Upstream, ...]
    alone: tuple[str, ...] = ()


def check_ports(
    project: Project,
    ports: tuple[Port, ...],
    *,
    texts: Mapping[str, str] | None = None,
    old: Path | None = None,
) -> ProjectChecks:
    """Check the local files of *ports*; writes nothing.

    *texts* are texts by the file's path in the project, to be checked instead of the files. *old*
    is the folder of the copies before the upgrade. Raises OmniPortError for a tree that cannot be
    read; what is wrong with one file is in what is returned.
    """
    from omni_port.sources.tables import load_merged, load_selected

    settings = project.settings
    tables = tuple(map(Path, settings.tables))
    table = load_selected(tables, settings.target)
    gpu_package = load_merged(tables).gpu_distribution.replace("-", "_")
    with open_upstreams(package_trees(project, ports)) as upstreams:
        checker = Checker(
            upstreams,
            table,
            None if old is None else Beside(Address(str(old))),
            ignored=frozenset(settings.check.ignore),
        )
        found = tuple(
            _check(checker, project, path, own, (texts or {}).get(path), gpu_package)
            for path, own in by_file(ports).items()
        )
    return ProjectChecks(found, upstreams, tuple(checker.alone))


def require_table(project: Project) -> None:
    """Raise OmniPortError where the table that the ports are checked by is not there."""
    from omni_port.sources.tables import load_selected

    try:
        load_selected(tuple(map(Path, project.settings.tables)), project.settings.target)
    except ConfigurationError as error:
        path = error.path or str(project.path)
        raise ConfigurationError(error.message, hint=error.hint, path=path) from error


def require_trees(project: Project, ports: tuple[Port, ...]) -> None:
    """Raise OmniPortError where a tree that *ports* are checked against is not there."""
    with open_upstreams(package_trees(project, ports)):
        pass


def _check(
    checker: Checker,
    project: Project,
    path: str,
    ports: Sequence[Port],
    text: str | None,
    gpu_package: str,
) -> Translation:
    siblings = [port.sibling for port in ports if port.sibling is not None]
    known = project.settings.siblings is not None
    checker.gpu = Beside(project.at(siblings[0], TARGET)) if siblings and known else None
    # Copies of the GPU upstream are GPU code.
    checker.npu = any(package_of(port.upstream.path)[0] != gpu_package for port in ports)
    return checker.check_file(Path(shown_path(project.root / path)), Path(path), text=text)


def package_trees(project: Project, ports: tuple[Port, ...]) -> dict[str, Address]:
    """Return the trees of the upstreams of *ports* at their targets, by package."""
    found: dict[str, Address] = {}
    for port in ports:
        for place in (port.aim, port.sibling_upstream):
            if place is not None and "/" in place.path:
                package, above = package_of(place.path)
                tree = project.tree(place.upstream, TARGET)
                found[package] = _below(tree, above)
    return found


def package_of(path: str) -> tuple[str, str]:
    """Return the top-level package of the module *path*, and the folder that it stands in.

    ``src/vllm/x.py`` gives ``("vllm", "src")``.
    """
    first, _, rest = path.partition("/")
    if first in _ROOTS and "/" in rest:
        return rest.partition("/")[0], first
    return first, ""


def _below(tree: Address, folder: str) -> Address:
    if not folder:
        return tree
    inside = folder if tree.path == "." and tree.revision else f"{tree.path}/{folder}"
    return Address(inside, tree.repository, tree.revision)
