"""The values that the comparisons give."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Impact(enum.Enum):
    """What a change asks of the local code.

    *Mechanical*: another place or spelling, the same meaning. *Behavioral*: defaults, order,
    state or results differ, and what was there still is. *Architectural*: what local code holds
    on to is gone.
    """

    MECHANICAL = "mechanical"
    BEHAVIORAL = "behavioral"
    ARCHITECTURAL = "architectural"

    @property
    def weight(self) -> int:
        """0, 1 or 2: how much it asks."""
        return list(Impact).index(self)


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file (1-based; *path* as ``package/module.py``), and the code on it."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Consumer:
    """Local code that uses what changed: a port, the function in its file, and the lines.

    *method* is the qualified name, of the class where it is in no function; it is empty at the
    top of the file *path*.
    """

    port: str
    path: str
    method: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UpstreamChange:
    """One change of an upstream that touches a port.

    *kind* is one of :data:`omni_codemods.impact.kinds.KINDS`, *subject* the dotted name that
    changed. *old* and *new* are where it stands at both ends, ``None`` where it does not.
    *details* are further facts, a line each.
    """

    kind: str
    impact: Impact
    subject: str
    message: str
    old: Spot | None = None
    new: Spot | None = None
    consumers: tuple[Consumer, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports that use it, each once."""
        return tuple(dict.fromkeys(consumer.port for consumer in self.consumers))

    @property
    def paths(self) -> tuple[str, ...]:
        """The local files that use it, each once."""
        return tuple(dict.fromkeys(consumer.path for consumer in self.consumers))


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two versions of a contract, in words.

    *annotation* says that nothing but an annotation differs, *order* that it matters only to who
    goes by position.
    """

    impact: Impact
    message: str
    annotation: bool = False
    order: bool = False


def worst(differences: tuple[Difference, ...]) -> Impact:
    """Return the impact that weighs most; *differences* are not empty."""
    return max((one.impact for one in differences), key=lambda impact: impact.weight)


def describe(differences: Sequence[Difference]) -> tuple[str, tuple[str, ...]]:
    """Return the difference that weighs most in words, and the others."""
    ranked = sorted(differences, key=lambda one: -one.impact.weight)
    first, *rest = (one.message for one in ranked)
    return first, tuple(rest)
