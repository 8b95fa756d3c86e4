"""The project: where its configuration stands, what that says, and the ports it names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from omni_codemods.findings.suggest import suggest
from omni_codemods.text.dotted import owner_of
from omni_port.base.address import Address, parse_address
from omni_port.base.errors import AddressError, ConfigurationError, UsageError
from omni_port.project.settings import PortSettings, Settings, hint_for, named

__all__ = [
    "Place",
    "Port",
    "Project",
    "Settings",
    "find_project",
    "load_settings",
    "require_project",
]

NAMES = ("omni-port.toml", "pyproject.toml")
CURRENT, TARGET = "current", "target"


@dataclass(frozen=True, slots=True)
class Place:
    """A class or function of a followed project, or, without *upstream*, of this one.

    *path* is relative to the root of that project.
    """

    path: str
    qualname: str
    upstream: str | None = None

    def __str__(self) -> str:
        prefix = "" if self.upstream is None else f"{self.upstream}:"
        return f"{prefix}{self.path}::{self.qualname}"


@dataclass(frozen=True, slots=True)
class Port:
    """What a local class or function is a copy of; see :class:`.PortSettings`."""

    local: Place
    upstream: Place
    sibling: Place | None = None
    sibling_upstream: Place | None = None
    methods: tuple[str, ...] | None = None
    base: str | None = None
    upstream_target: Place | None = None

    @property
    def aim(self) -> Place:
        """What it is to be a copy of: the upstream's place in the target."""
        return self.upstream_target or self.upstream

    @property
    def name(self) -> str:
        """The local qualified name."""
        return self.local.qualname

    @property
    def source(self) -> str:
        """The name of the upstream that it is copied from."""
        return self.upstream.upstream or ""


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration, the folder that its paths are relative to, and its ports."""

    root: Path
    settings: Settings
    path: Path
    ports: tuple[Port, ...] = ()

    def local(self, place: Place) -> Address:
        """Return the address of a place of this project, in the working tree.

        The path is relative to the current folder where it stands below that.
        """
        return Address(shown_path(self.root / place.path), qualname=place.qualname)

    def at(self, place: Place, end: str, revision: str | None = None) -> Address:
        """Return the address of *place* at *end* (``current`` or ``target``).

        *revision* (a port's own base) replaces what the configuration says of that end. A place
        of this project is a sibling's. Raises ConfigurationError where that end is not known.
        """
        repository, said = self._end(place.upstream, end)
        wanted = revision or said
        if wanted is None:
            if place.upstream is None and end == TARGET:
                return self.local(place)
            raise self.lacks(place.upstream, end)
        if repository is None:
            folder = self.root / Path(wanted).expanduser()
            return Address(shown_path(folder / place.path), qualname=place.qualname)
        path = place.path if place.upstream is not None else self._inside(repository, place.path)
        return Address(path, self.folder(repository), wanted, place.qualname)

    def tree(self, upstream: str | None, end: str) -> Address:
        """Return the address of the whole tree of an upstream (or of the siblings) at *end*."""
        repository, wanted = self._end(upstream, end)
        if wanted is None:
            if upstream is None and end == TARGET:
                return Address(shown_path(self.root))
            raise self.lacks(upstream, end)
        if repository is None:
            return Address(shown_path(self.root / Path(wanted).expanduser()))
        return Address(".", self.folder(repository), wanted)

    def folder(self, repository: str) -> str:
        """Return the path of *repository*, as the configuration spells it, from here."""
        return shown_path(self.root / Path(repository).expanduser())

    def _inside(self, repository: str, path: str) -> str:
        """Return the *path* of a file of this project as the root of *repository* has it.

        The project may be a folder of its repository. That of another one is taken as it is.
        """
        folder = Path(os.path.realpath(self.root / Path(repository).expanduser()))
        top = next((p for p in (folder, *folder.parents) if (p / ".git").exists()), None)
        file = Path(os.path.realpath(self.root)) / path
        if top is None or not file.is_relative_to(top):
            return path
        return file.relative_to(top).as_posix()

    def _end(self, upstream: str | None, end: str) -> tuple[str | None, str | None]:
        """Return the repository (``None``: folders), and what the configuration says of *end*."""
        if upstream is None:
            siblings = self.settings.siblings
            return (
                (None, None) if siblings is None else (siblings.repository, getattr(siblings, end))
            )
        settings = self.settings.upstream[upstream]
        return settings.repository, getattr(settings, end)

    def lacks(self, upstream: str | None, end: str) -> ConfigurationError:
        """Return the error that says that *end* of an upstream, or of the siblings, is missing."""
        table = "siblings" if upstream is None else f"upstream.{upstream}"
        message = f"[{table}] says no {end!r} revision"
        hint = f'write {end} = "..." in [{table}]'
        return ConfigurationError(message, hint=hint, path=str(self.path))


def find_project(folder: Path) -> Project | None:
    """Return the project of *folder*: the nearest configuration upward, ``None`` without one.

    Raises ConfigurationError, naming the file and the key.
    """
    for parent in (folder, *folder.parents):
        own = parent / NAMES[0]
        if own.is_file():
            return _make(_load(own), own)
        shared = parent / NAMES[1]
        if shared.is_file():
            tools = _load(shared).get("tool")
            if isinstance(tools, dict) and "omni-port" in tools:
                return _make(tools["omni-port"], shared)
        if (parent / ".git").exists():
            break
    return None


def require_project(folder: Path) -> Project:
    """Return the project of *folder*, with at least one port; raises ConfigurationError."""
    project = find_project(folder)
    if project is None:
        hint = "write one with `omni-port init`"
        raise ConfigurationError(f"no {NAMES[0]} here, nor above", hint=hint)
    if not project.ports:
        hint = "`omni-port init` looks for them; or write a [[port]] table"
        raise ConfigurationError("the project names no port", hint=hint, path=str(project.path))
    return project


def load_settings(folder: Path) -> Settings:
    """Return the settings that hold in *folder*: those of the nearest configuration upward.

    Raises ConfigurationError, naming the file and the key. Without a configuration every setting
    has its default.
    """
    project = find_project(folder)
    return Settings() if project is None else project.settings


def choose_ports(
    project: Project, *, method: str | None = None, names: Sequence[str] = ()
) -> Iterator[Port]:
    """Yield the ports called as one of *names* (default: all), with *method* if they list theirs.

    A name is a class or a function; that of a class stands for ports of its methods as well.
    Raises UsageError for a name that no port has, with the nearest.
    """
    known = list(dict.fromkeys(name for port in project.ports for name in _names(port)))
    for name in names:
        if name not in known:
            hint = suggest(name, list(known))
            raise UsageError(f"the project has no port {name!r}", hint=hint)
    for port in project.ports:
        listed = method is None or port.methods is None or method in port.methods
        if listed and (not names or set(_names(port)) & set(names)):
            yield port


def _names(port: Port) -> Iterator[str]:
    yield port.name
    if owner := owner_of(port.name):
        yield owner


def by_file(ports: Sequence[Port]) -> dict[str, tuple[Port, ...]]:
    """Return *ports* by the path of their local file, in the order of the first of each."""
    found: dict[str, list[Port]] = {}
    for port in ports:
        found.setdefault(port.local.path, []).append(port)
    return {path: tuple(own) for path, own in found.items()}


def shown_path(path: Path) -> str:
    """Return *path* relative to the current folder, unless that climbs out of the home tree."""
    absolute = os.path.normpath(path.absolute())
    relative = os.path.relpath(absolute)
    return absolute if relative.count("..") > 3 else relative


def _load(path: Path) -> dict[str, object]:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, object])
    except RecursionError as error:
        message = "not a configuration: values are nested too deeply to read"
        raise ConfigurationError(message, hint="mend the TOML", path=str(path)) from error
    except (OSError, ValueError, msgspec.DecodeError) as error:
        is_text = "codec can't decode" not in str(error)
        hint = "mend the TOML at that place" if is_text else "save it as UTF-8"
        raise ConfigurationError(str(error), hint=hint, path=str(path)) from error


def _make(section: object, path: Path) -> Project:
    try:
        settings = msgspec.convert(section, Settings)
    except msgspec.ValidationError as error:
        message, hint = named(str(error), section), hint_for(str(error))
        raise ConfigurationError(message, hint=hint, path=str(path)) from error
    _require_codes(settings.check.ignore, path)
    tables = tuple(str(path.parent / table) for table in settings.tables)
    settings = msgspec.structs.replace(settings, tables=tables)
    ports = tuple(_port(one, number, settings, path) for number, one in enumerate(settings.port))
    _require_distinct(ports, path)
    return Project(path.parent, settings, path, ports)


def _require_codes(ignored: Sequence[str], path: Path) -> None:
    """A code that is misspelt would ignore nothing, without a word."""
    if not ignored:
        return
    from omni_codemods.findings.codes import CODES

    for number, code in enumerate(ignored):
        if code not in CODES:
            message = f"no finding has the code {code!r} - at `$.check.ignore[{number}]`"
            hint = "`omni-port check` prints the codes: such as OP612"
            raise ConfigurationError(message, hint=hint, path=str(path))


def _require_distinct(ports: Sequence[Port], path: Path) -> None:
    seen: dict[Place, int] = {}
    for number, port in enumerate(ports):
        first = seen.setdefault(port.local, number)
        if first != number:
            message = (
                f"{port.local} is a port already, $.port[{first}] - at `$.port[{number}].local`"
            )
            hint = "what is a copy of something else is a port of its own: PATH::CLASS.METHOD"
            raise ConfigurationError(message, hint=hint, path=str(path))


def _port(port: PortSettings, number: int, settings: Settings, path: Path) -> Port:
    def place(key: str, text: str | None, *, followed: bool) -> Place | None:
        if text is None:
            return None
        try:
            return _place(text, settings, followed=followed)
        except AddressError as error:
            message = f"{error.message} - at `$.port[{number}].{key}`"
            raise ConfigurationError(message, hint=error.hint, path=str(path)) from error

    local = place("local", port.local, followed=False)
    upstream = place("upstream", port.upstream, followed=True)
    assert local is not None
    assert upstream is not None
    return Port(
        local,
        upstream,
        place("sibling", port.sibling, followed=False),
        place("sibling-upstream", port.sibling_upstream, followed=True),
        port.methods,
        port.base,
        place("upstream-target", port.upstream_target, followed=True),
    )


_FOLLOWED = re.compile(r"([\w-]+):(.*)", re.DOTALL)


def _place(text: str, settings: Settings, *, followed: bool) -> Place:
    name = None
    if followed:
        match = _FOLLOWED.fullmatch(text)
        if match is None or match[1] not in settings.upstream:
            known = ", ".join(settings.upstream) or "none: write an [upstream.NAME] table"
            message = f"{text!r} does not start with the name of an upstream"
            raise AddressError(message, hint=f"write NAME:PATH::QUALNAME; upstreams: {known}")
        name, text = match[1], match[2]
    address = parse_address(text)
    if address.revision is not None or address.qualname is None:
        message = f"{text!r} is not PATH::QUALNAME"
        raise AddressError(message, hint="name the class or the function after the path")
    if Path(address.path).is_absolute() or ".." in Path(address.path).parts:
        root = "this file" if name is None else f"the root of {name}"
        message = f"{text!r} does not stand in the project"
        raise AddressError(message, hint=f"write the path from {root} on, without ..")
    return Place(Path(address.path).as_posix(), address.qualname, name)
