"""What may be taken or left: code of the GPU sibling that was not brought over, and what is only to
be looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

# What may be put in; other kinds are only looked at.
TAKEABLE = ("proposal", "backlog")
# A cause that is a thing of the class, wherever it is needed; others are a variable of one method.
_OF_CLASS = "it needs "


@dataclass(frozen=True, slots=True)
class Part:
    """One piece: its *key* and *code*, the file (*path*) and method it is for, *line* (1-based, 0
    for none) there, and *source*, where it stands with its sibling (``gpu.py:10-12``).

    *cause* is what it hangs together with. *where* are the source's first and last line. *ours* is
    what stands in the local file instead, where it is about that.
    """

    key: str
    path: str
    method: str
    line: int
    source: str
    where: tuple[int, int]
    code: str
    summary: str
    reason: str
    cause: str = ""
    ours: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is taken or left as one: every part of one *cause*, at every place.

    *kind* is ``proposal`` for code that may be taken, else what is to be looked at.
    """

    number: int
    key: str
    kind: str
    cause: str
    parts: tuple[Part, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its parts, each once."""
        return tuple(dict.fromkeys(part.key for part in self.parts))

    @property
    def places(self) -> tuple[str, ...]:
        """Where it is for: ``file::method``, each once."""
        return tuple(dict.fromkeys(f"{part.path}::{part.method}" for part in self.parts))


def group(parts: Iterable[Part], kind: str = "proposal") -> list[Proposal]:
    """Return *parts* put together by their cause, unnumbered, in their order.

    What stands inside another one of the same source is a part of that, and not said again. The
    same code in several methods is one proposal with several places.
    """
    every = _outermost(list(parts))
    groups: dict[tuple[str, ...], list[Part]] = {}
    for part in every:
        groups.setdefault(_group_of(part), []).append(part)
    merged: dict[frozenset[str], list[Part]] = {}
    for members in groups.values():
        merged.setdefault(frozenset(part.key for part in members), []).extend(members)
    return [
        Proposal(
            0, _key(keys), kind, next((p.cause for p in members if p.cause), ""), tuple(members)
        )
        for keys, members in merged.items()
    ]


def _group_of(part: Part) -> tuple[str, ...]:
    if part.cause.startswith(_OF_CLASS):
        return (part.cause,)
    return (part.path, part.method, part.cause) if part.cause else (part.key,)


def _outermost(parts: list[Part]) -> list[Part]:
    return [one for one in parts if not any(_inside(one, other) for other in parts)]


def _inside(one: Part, other: Part) -> bool:
    if (one.path, one.source.rpartition(":")[0]) != (other.path, other.source.rpartition(":")[0]):
        return False
    (first, last), (start, end) = one.where, other.where
    return one.where != other.where and 0 < start <= first and last <= end


def _key(keys: frozenset[str]) -> str:
    if len(keys) == 1:
        return next(iter(keys))
    return hashlib.sha256("\0".join(sorted(keys)).encode()).hexdigest()[:12]


def numbered(found: Iterable[Proposal], numbers: Mapping[str, int]) -> list[Proposal]:
    """Return *found* with their numbers."""
    return [replace(one, number=numbers.get(one.key, 0)) for one in found]
