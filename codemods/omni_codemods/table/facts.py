"""What the names of a table are in each release: the data beside ``ascend.toml``.

Made from trees of sources by ``omni-port table signatures`` (:mod:`omni_codemods.table.gather`),
never by hand. It holds names, releases and parameter names: so the table can be verified, and
calls can be checked, where no tree is at hand.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from packaging.version import Version

from omni_codemods.findings.errors import TableError
from omni_codemods.sources.parameters import Parameters, parse_parameters
from omni_codemods.text.dotted import first_part


class NameFact(msgspec.Struct, frozen=True, omit_defaults=True, rename="kebab"):
    """What a name is from release *since* to *until* of its package, both included.

    *sort* is a word of :class:`~omni_codemods.sources.shapes.Sort`, or ``unknown`` where the
    sources cannot tell. *origin* is where it is imported from, if from elsewhere. *takes* are the
    parameters as Python writes them (``a, b=..., *, c=...``), None where they are not known.
    *lacks* are what the GPU class or module that it stands for has and this one has not, *shares*
    what both have, with blanks between: of a class what is read from it without an instance.
    """

    since: str
    until: str
    sort: str
    origin: str = ""
    takes: str | None = None
    lacks: str = ""
    shares: str = ""


class Facts(msgspec.Struct, frozen=True, rename="kebab"):
    """The names by dotted path, and the releases of each package that were looked at, in order.

    *modules* says in which module of the sources a namespace stands: ``torch.npu`` is
    ``torch_npu.npu``.
    """

    releases: dict[str, tuple[str, ...]]
    names: dict[str, tuple[NameFact, ...]]
    modules: dict[str, str] = {}

    def package_of(self, name: str) -> str:
        """Return the package whose sources have the dotted *name*."""
        return first_part(source_name(name, self.modules))

    def find(self, name: str, release: str) -> NameFact | None:
        """Return what *name* is in *release* of its package, None where it is not there."""
        order = self.releases.get(self.package_of(name), ())
        at = order.index(release) if release in order else -1
        for fact in self.names.get(name, ()):
            if order.index(fact.since) <= at <= order.index(fact.until):
                return fact
        return None

    def view(self, releases: Mapping[str, Sequence[str]]) -> View:
        """Return what the names are in these *releases*, by package: in the first that has one."""
        known: dict[str, NameFact | None] = {}
        for name in self.names:
            some = releases.get(self.package_of(name), ())
            found = [self.find(name, release) for release in some]
            if found:
                known[name] = next((fact for fact in found if fact is not None), None)
        return View(known, self.modules, frozenset(releases))

    def beside(self, package: str, release: str) -> dict[str, tuple[str, ...]]:
        """Return the releases of each package that go with *release* of *package*.

        Of *package* it is that one. Of the others it is the nearest that is not after it, and the
        one that follows: not all of them are released at the same time.
        """
        found: dict[str, tuple[str, ...]] = {}
        for name, every in self.releases.items():
            at = every.index(nearest(every, release))
            found[name] = (release,) if name == package else every[at : at + 2]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What names are in one release of each of *packages*; None for one that is not there."""

    names: Mapping[str, NameFact | None]
    modules: Mapping[str, str]
    packages: frozenset[str]

    def holds(self, name: str) -> bool:
        """Whether *name* is below one of the packages."""
        return first_part(source_name(name, self.modules)) in self.packages


def source_name(name: str, modules: Mapping[str, str]) -> str:
    """Return *name* as the sources have it: ``torch_npu.npu.Event`` for ``torch.npu.Event``."""
    for namespace, module in modules.items():
        if name == namespace or name.startswith(f"{namespace}."):
            return module + name[len(namespace) :]
    return name


def nearest(releases: tuple[str, ...], to: str) -> str:
    """Return the newest of *releases* (oldest first) that is not after *to*, or the oldest.

    Packages that follow each other share their numbers, so it is the one that fits best.
    """
    bound = Version(Version(to).base_version)
    before = [one for one in releases if Version(Version(one).base_version) <= bound]
    return before[-1] if before else releases[0]


def parse_facts(text: bytes, *, name: str) -> Facts:
    """Read facts from JSON; raises :class:`TableError`, with *name* (a path), where it is none."""
    try:
        return msgspec.json.decode(text, type=Facts)
    except (msgspec.DecodeError, ValueError) as error:
        raise TableError(
            f"{name} holds no facts about a table: {error}",
            hint="Make it again with `omni-port table signatures`.",
            side="table",
        ) from error


def render_facts(facts: Facts) -> str:
    """Return *facts* as JSON with one line for each name and range, for people to compare."""
    releases = [f"  {_json(k)}: {_json(v)}" for k, v in facts.releases.items()]
    names = []
    for name, ranges in facts.names.items():
        rows = ",\n".join(f"   {_json(one)}" for one in ranges)
        names.append(f"  {_json(name)}: [\n{rows}\n  ]" if rows else f"  {_json(name)}: []")
    modules = [f"  {_json(k)}: {_json(v)}" for k, v in facts.modules.items()]
    parts = [
        f' "{key}": {{\n{body}\n }}'
        for key, lines in (("releases", releases), ("modules", modules), ("names", names))
        if (body := ",\n".join(lines)) or key != "modules"
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@functools.lru_cache(maxsize=4)
def load_packaged(table: str) -> Facts | None:
    """The facts that come with the packaged *table*, None where it has none."""
    file = importlib.resources.files("omni_codemods.table") / f"{table}-facts.json"
    return parse_facts(file.read_bytes(), name=file.name) if file.is_file() else None


@functools.lru_cache(maxsize=1024)
def parameters_of(takes: str) -> Parameters:
    """The parameters that :attr:`NameFact.takes` spells."""
    return parse_parameters(takes)
