"""What :mod:`collect` finds in a module: references, calls, strings and members of interest.

Spans are character offsets into the text. A *fuzzy* fact stands in an f-string where this Python
does not say exactly where; it is reported, never edited.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from omni_codemods.names.scopes import Guard, Scope, Variable, imported_path


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a string.

    *kind* is ``keyword``, ``argument``, ``method``, ``positional``, ``subscript``, ``assigned``,
    ``returned``, ``compared``, ``contained`` or ``other``; *name* the keyword, method, variable or
    function; *callee* the function called, or the object subscripted or searched. An argument
    after the first is ``positional``, with its *position* counted from 0. What is ``assigned`` is
    given to *variables*.
    """

    kind: str
    name: str = ""
    callee: Reference | None = None
    position: int = 0
    variables: tuple[Variable, ...] = ()


OTHER = Place("other")


@dataclass(slots=True, eq=False)
class Choosers:
    """The tests that a piece of code stands behind: *references* in the inmost, and *outer*."""

    outer: Choosers | None
    references: tuple[Reference, ...]


@dataclass(slots=True, eq=False)
class Reference:
    """A name with the attributes read from it, as far as they are a plain dotted chain.

    *spans* has one span for the name and one for each attribute in *chain*. *declares* is set for
    the name in a ``global`` or ``nonlocal``. *stored* is set where
    the whole chain is assigned or deleted; *base_of* names the
    class that it is a base of; *call* is the call
    whose callee the whole chain is; *choosers* are the tests it stands behind; *place* is where
    its value goes. *mixed* says that it is part of an answer with a test for the GPU in it. A
    *name* that begins with a dot is an attribute of any object.
    """

    name: str
    chain: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    scope: Scope
    guard: Guard
    offset: int
    stored: bool = False
    declares: bool = False
    placeholder: bool = False
    base_of: str = ""
    fuzzy: bool = False
    quoted: bool = False
    choosers: Choosers | None = None
    call: ast.Call | None = None
    place: Place = OTHER
    mixed: bool = False

    @property
    def path(self) -> str | None:
        """The dotted path that it stands for, None where its root is not one import."""
        root = imported_path(self.scope, self.name)
        return ".".join((root, *self.chain)) if root else None

    @property
    def text(self) -> str:
        """How it is spelt, without layout."""
        return ".".join((self.name, *self.chain))


@dataclass(frozen=True, slots=True, eq=False)
class CallFact:
    """A call. *tail* are the last attribute names of the callee (``*`` if its root is no name)."""

    node: ast.Call
    callee: Reference | None
    tail: tuple[str, ...]
    scope: Scope
    guard: Guard
    offset: int
    fuzzy: bool


@dataclass(frozen=True, slots=True, eq=False)
class StringFact:
    """A string constant, or the constant head of an f-string (*formatted*).

    *pieces* is all that a *formatted* one says, with ``{}`` for each expression; its *value* is
    empty if it begins with one. *choosers* are the tests that this string is chosen by;
    *direct* where the inmost is a conditional expression.
    """

    value: str
    span: tuple[int, int]
    place: Place
    scope: Scope
    guard: Guard
    formatted: bool
    fuzzy: bool
    choosers: Choosers | None = None
    direct: bool = False
    pieces: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What *variables* are given, or a function gives back: the *references* in it, and in the test
    that chooses it.

    *answer* is what it says of the device (:mod:`guards`), None for nothing.
    """

    variables: tuple[Variable, ...]
    references: tuple[Reference, ...]
    answer: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MemberFact:
    """An attribute of an object of unknown type."""

    name: str
    called: bool
    offset: int
    guard: Guard


@dataclass(frozen=True, slots=True, eq=False)
class StarImport:
    """``from module import *``."""

    module: str
    offset: int
    scope: Scope


@dataclass(slots=True, eq=False)
class Facts:
    """All that was found, in the order of the text."""

    module: Scope
    references: list[Reference] = field(default_factory=list)
    calls: list[CallFact] = field(default_factory=list)
    strings: list[StringFact] = field(default_factory=list)
    members: list[MemberFact] = field(default_factory=list)
    stars: list[StarImport] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    exports: list[StringFact] = field(default_factory=list)
    from_imports: dict[str, list[ast.ImportFrom]] = field(default_factory=dict)
