"""What can be decided about a node, as values: no libcst here, so that finding never loads it.

A change says what becomes of one node; a :class:`Site` says of which one. Offsets count the
characters of the module.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Target(Enum):
    """Which node of those at an offset is meant; the value says which offset names it."""

    NAME = "the start of a name"
    ATTRIBUTE = "the end of an attribute's name"
    ARGUMENT = "the start of an argument's keyword, or of its value"
    CALL = "the end of a call"
    STRING = "the start of a string literal"
    IMPORT = "the start of an import statement"


class NodeChange:
    """The base of all changes: frozen values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Respelled(NodeChange):
    """A name, or a dotted chain with all its attributes, becomes the expression *text*."""

    text: str


@dataclass(frozen=True, slots=True)
class RenamedAttributes(NodeChange):
    """The last *count* attributes of a dotted chain become *names*."""

    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedArgument(NodeChange):
    """An argument is passed by the keyword *name*, whatever it was passed by."""

    name: str


@dataclass(frozen=True, slots=True)
class DroppedArguments(NodeChange):
    """The arguments of a call at *positions*, counted from 0 in the order of the text, go."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplacedText(NodeChange):
    """In a string literal *old*, which stands right behind the opening quote, becomes *new*."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class NewImport:
    """``from module import name [as asname]``, or ``import module [as asname]``."""

    module: str
    name: str = ""
    asname: str = ""


@dataclass(frozen=True, slots=True)
class ChangedImport(NodeChange):
    """An import statement loses names, by their position from 0, and others come.

    *replaced* names have a new import each, *removed* ones none. *merged* are imported by the
    same statement, *added* by new ones after it.
    """

    replaced: tuple[tuple[int, NewImport], ...] = ()
    removed: tuple[int, ...] = ()
    merged: tuple[NewImport, ...] = ()
    added: tuple[NewImport, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """One decision: the node that *target* and *offset* name, in the expression at *extent*."""

    target: Target
    offset: int
    extent: tuple[int, int]
    change: NodeChange

    def moved(self, by: int) -> Site:
        """The same decision in a text where everything stands *by* characters further left."""
        start, end = self.extent
        return replace(self, offset=self.offset - by, extent=(start - by, end - by))
