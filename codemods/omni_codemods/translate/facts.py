"""What :mod:`collect` finds in a module: references, calls, strings and members of interest.

Spans are character offsets into the text. A *fuzzy* fact stands in an f-string where this Python
does not say exactly where; it is reported, never edited.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from omni_codemods.names.scopes import Guard, Scope, imported_path


@dataclass(slots=True, eq=False)
class Reference:
    """A name with the attributes read from it, as far as they are a plain dotted chain.

    *spans* has one span for the name and one for each attribute in *chain*. *declares* is set for
    the name in a ``global`` or ``nonlocal``. *stored* is set where
    the whole chain is assigned or deleted; *base_of* names the
    class that it is a base of; *call* is the call
    whose callee the whole chain is; *choosers* are the references in the tests it stands behind.
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
    choosers: tuple[Reference, ...] = ()
    call: ast.Call | None = None

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


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a string.

    *kind* is ``keyword``, ``argument``, ``method``, ``positional``, ``subscript``, ``assigned``,
    ``returned``, ``compared``, ``contained`` or ``other``; *name* the keyword, method, variable or
    function; *callee* the function called, or the object subscripted or searched. An argument
    after the first is ``positional``, with its *position* counted from 0.
    """

    kind: str
    name: str = ""
    callee: Reference | None = None
    position: int = 0


OTHER = Place("other")


@dataclass(frozen=True, slots=True, eq=False)
class StringFact:
    """A string constant, or the constant head of an f-string (*formatted*).

    *pieces* is all that a *formatted* one says, with ``{}`` for each expression; its *value* is
    empty if it begins with one. *choosers* are the references in the test that this string is
    chosen by; *direct* where that is a conditional expression.
    """

    value: str
    span: tuple[int, int]
    place: Place
    scope: Scope
    guard: Guard
    formatted: bool
    fuzzy: bool
    choosers: tuple[Reference, ...] = ()
    direct: bool = False
    pieces: str = ""


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
    exports: list[StringFact] = field(default_factory=list)
    from_imports: dict[str, list[ast.ImportFrom]] = field(default_factory=dict)
