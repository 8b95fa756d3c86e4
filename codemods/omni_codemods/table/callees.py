"""What the callees of a table take, in the releases that go with the one aimed at."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from omni_codemods.sources.parameters import Parameters
from omni_codemods.table.facts import Facts, NameFact, load_packaged, nearest, parameters_of
from omni_codemods.table.table import Table


@dataclass(frozen=True, slots=True)
class Taken:
    """The parameters of a callee, and the release in which it has them, for people."""

    parameters: Parameters
    where: str


@dataclass(frozen=True, slots=True, eq=False)
class Callees:
    """The callees by dotted name. *npu* and *gpu* are the releases aimed at, of *package* and of
    the GPU's; what else there is goes with them by its number, and of torch every release counts.
    """

    facts: Facts
    package: str
    npu: str
    gpu_package: str
    gpu: str

    def find(self, name: str) -> tuple[Taken, ...]:
        """Return what calls of *name* may pass, one for each way in which it is known."""
        taken = [
            Taken(parameters_of(fact.takes), f"{package} {release}")
            for package, release, fact in self._facts(name)
            if fact.takes is not None
        ]
        return tuple({one.parameters: one for one in taken}.values())

    def find_lacking(self, name: str, member: str) -> str:
        """Return the release in which the class *name* lacks *member*, else an empty string."""
        for package, release, fact in self._facts(name):
            if member in fact.lacks.split():
                return f"{package} {release}"
        return ""

    def _facts(self, name: str) -> Iterator[tuple[str, str, NameFact]]:
        package = self.facts.package_of(name)
        for release in self._releases(package):
            fact = self.facts.find(name, release)
            if fact is not None:
                yield package, release, fact

    def _releases(self, package: str) -> tuple[str, ...]:
        every = self.facts.releases.get(package, ())
        if package == self.package:
            return (self.npu,)
        if not every or package.startswith("torch"):
            return every
        to = self.gpu if package == self.gpu_package and self.gpu else self.npu
        return (nearest(every, to),)


@functools.lru_cache(maxsize=16)
def callees_of(table: Table) -> Callees | None:
    """Return what is known about the callees of *table*, None where it has no facts."""
    facts = load_packaged(table.facts) if table.facts else None
    npu, _, gpu = table.target.partition(",")
    package, _, _ = npu.rpartition("==")
    gpu_package, _, release = gpu.rpartition("==")
    if facts is None or not table.release:
        return None
    name = package.replace("-", "_")
    return Callees(facts, name, table.release, gpu_package.replace("-", "_"), release)
