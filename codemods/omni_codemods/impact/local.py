"""The local side: files with their ports, what of them is a copy, and who uses which line."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from omni_codemods.checks.calls import Call, iter_calls
from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.findings.model import Block, Span
from omni_codemods.findings.suggest import suggest
from omni_codemods.impact.end import End, Found
from omni_codemods.impact.inventory import Drift, Holding, find_holding
from omni_codemods.impact.model import Consumer
from omni_codemods.impact.signatures import render_signature
from omni_codemods.impact.uses import Use, iter_uses
from omni_codemods.provenance.provenance import COPY
from omni_codemods.sources.classes import own_methods
from omni_codemods.sources.subject import Function, Subject, make_subject
from omni_codemods.text.dotted import last_part, owner_of
from omni_codemods.text.outline import Located, definitions, locate


@dataclass(frozen=True, slots=True)
class PortText:
    """A port, as text: *qualname* is the local class or function, *upstream* dotted.

    *module* is the dotted name of the local file (any unique one where it stands in no package;
    *package*: it is an ``__init__.py``). *methods* are the copied ones of a class, by default
    those that are copies. *target* is the dotted name in the target, where that is another.
    """

    name: str
    path: str
    text: str
    module: str
    qualname: str
    upstream: str
    methods: tuple[str, ...] | None = None
    package: bool = False
    target: str = ""

    @property
    def aim(self) -> str:
        """The dotted name in the target."""
        return self.target or self.upstream

    @property
    def key(self) -> str:
        """What tells the port from others: file and qualified name."""
        return f"{self.path}::{self.qualname}"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copied function: where it stands here, and in the upstream (dotted) at both ends.

    *span*, *blocks* and *drift* are lines of the local file. *before* and *after* are the
    upstream's signatures, ``None`` where the function is not there. *uses* are the upstream
    names that it uses and the upstream methods that it calls, *copied* is the share of the
    upstream's code that it has.
    """

    port: PortText
    method: str
    span: Span
    upstream: str
    before: str
    after: str | None
    blocks: tuple[Block, ...]
    drift: tuple[Drift, ...]
    uses: tuple[str, ...]
    copied: float

    @property
    def aim(self) -> str:
        """The dotted name in the target."""
        if not self.port.target:
            return self.upstream
        alone = self.method == self.port.qualname
        return self.port.target if alone else f"{self.port.target}.{last_part(self.method)}"


@dataclass(frozen=True, slots=True)
class Held:
    """A copy with the upstream function *base* that it was made from, at the end *current*."""

    copy: Copy
    base: Found
    holding: Holding
    current: End


class LocalFile:
    """One local file, its ports, and its copies.

    *ends* are the current ends of the ports, in their order; *current* is the one that most of
    them have.

    Raises SourceError (*side* ``local``) where it is not Python, MethodNotFound for a port that
    is not in it, or a listed method that the upstream does not have.
    """

    def __init__(self, ports: Sequence[PortText], ends: Sequence[End], target: End) -> None:
        first = ports[0]
        self.ports = tuple(ports)
        self.path, self.text = first.path, first.text
        self.current = max(ends, key=ends.count)
        self.target = target
        self.before = _subject(first, self.current)
        self.after = _subject(first, target)
        self.uses: tuple[Use, ...] = tuple(iter_uses(self.before.tree, self.before.parent))
        self.named = frozenset(use.imported for use in self.uses)
        ported = {self.dotted(port) for port in ports}
        classes = (node for dotted, node in self.before.classes() if dotted in ported)
        self._bases = {base.lineno for node in classes for base in node.bases}
        self.owners = dict(_owners(ports, self.current))
        self.calls: tuple[Call, ...] = tuple(iter_calls(self.before, self.owners))
        # What stands in a class comes after it: the last that holds a line is the innermost.
        self._definitions = definitions(self.text, "local")[::-1]
        self.held: dict[str, Held] = {}
        alone = {port.qualname for port in ports}
        for port, current in zip(ports, ends, strict=True):
            for method, found in _candidates(port, current):
                if method == port.qualname or method not in alone:
                    self._hold(port, method, found, current)

    @property
    def copies(self) -> tuple[Copy, ...]:
        """The copies of all ports, in the order of the file."""
        found = (one.copy for one in self.held.values())
        return tuple(sorted(found, key=lambda copy: copy.span.start))

    def dotted(self, port: PortText) -> str:
        """Return the dotted path of the local class or function."""
        return f"{self.before.module}.{port.qualname}"

    def is_class(self, port: PortText) -> bool:
        """Whether the port is a class."""
        return _is_class(port)

    def scopes(self) -> Iterator[tuple[ast.AST, str]]:
        """Yield the code of each port, with the dotted class whose ``self`` it has."""
        classes = dict(self.before.classes())
        for port in self.ports:
            dotted = self.dotted(port)
            owner, _, name = dotted.rpartition(".")
            if dotted in classes:
                yield classes[dotted], dotted
            elif owner in classes:
                yield from ((n, owner) for n in _named(classes[owner].body, name))
            elif name in self.owners:
                yield from ((n, self.owners[name]) for n in _named(self.before.tree.body, name))

    def is_ours(self, line: int) -> bool:
        """Whether a rebase keeps the line: it is in no copy, or in a block, or drift."""
        for one in self.held.values():
            if one.copy.span.start <= line <= one.copy.span.end:
                return line in one.holding.lines
        return True

    def is_base(self, line: int) -> bool:
        """Whether the class of a port names a base on *line*: what becomes of it is told there."""
        return line in self._bases

    def is_copy(self, qualname: str) -> bool:
        """Whether the function is one of the copies."""
        return qualname in self.held

    def consumers(self, lines: Iterable[int]) -> tuple[Consumer, ...]:
        """Return who stands on *lines*: each function or class with its port and lines."""
        found: dict[tuple[str, str], list[int]] = {}
        for line in sorted(set(lines)):
            method = next((d.qualname for d in self._definitions if d.start <= line <= d.end), "")
            found.setdefault((self._port(method), method), []).append(line)
        return tuple(
            Consumer(port, self.path, method, tuple(lines))
            for (port, method), lines in found.items()
        )

    def _port(self, method: str) -> str:
        """The port that a function belongs to: its own, or the first of the file."""
        for port in self.ports:
            if method == port.qualname or method.startswith(f"{port.qualname}."):
                return port.name
        return self.ports[0].name

    def _hold(self, port: PortText, method: str, base: Found, current: End) -> None:
        cls, _, name = method.rpartition(".")
        where = locate(self.text, name, cls or None, side="local")
        text = current.text(base)
        theirs = Located(base.qualname, 1, text.count("\n") + 1, text)
        holding = find_holding(where, theirs)
        if port.methods is None and "." in method and holding.copied < COPY:
            return
        upstream = f"{port.upstream}.{name}" if self.is_class(port) else port.upstream
        aim = f"{port.aim}.{name}" if self.is_class(port) else port.aim
        new = self.target.find(aim)
        assert isinstance(base.node, Function)
        after = render_signature(new.node) if new and isinstance(new.node, Function) else None
        copy = Copy(
            port,
            method,
            Span(where.start, where.end),
            upstream,
            render_signature(base.node),
            after,
            holding.blocks,
            holding.drift,
            self._used(where),
            holding.copied,
        )
        self.held[method] = Held(copy, base, holding, current)

    def _used(self, where: Located) -> tuple[str, ...]:
        called = ((c.callee.path, c.node.lineno) for c in self.calls if c.callee is not None)
        named = ((use.path, use.line) for use in self.uses)
        inside = {path for path, line in (*named, *called) if where.start <= line <= where.end}
        return tuple(sorted(path for path in inside if self.before.holds(path)))


def _owners(ports: Sequence[PortText], current: End) -> Iterator[tuple[str, str]]:
    """The upstream classes that functions at the top of the file are assigned to, by name."""
    for port in ports:
        owner = owner_of(port.upstream)
        if "." not in port.qualname and isinstance(_node(current.find(owner)), ast.ClassDef):
            yield port.qualname, owner


def _node(found: Found | None) -> ast.AST | None:
    return None if found is None else found.node


def _subject(port: PortText, end: End) -> Subject:
    try:
        return make_subject(port.text, end.sources, module=port.module, package=port.package)
    except SourceError as error:
        error.side = "local"
        raise


def _candidates(port: PortText, current: End) -> list[tuple[str, Found]]:
    """The local functions that may be copies, each with its upstream function."""
    found = definitions(port.text, "local")
    if not any(d.qualname == port.qualname for d in found):
        cls, _, name = port.qualname.rpartition(".")
        locate(port.text, name, cls or None, side="local")  # raises, with close names
    if current.is_unread(current.module_of(port.upstream)):
        return []
    upstream = _require_upstream(port, current)
    if not _is_class(port):
        return [(port.qualname, upstream)]
    names = (
        port.methods if port.methods is not None else tuple(own_methods(port.text, port.qualname))
    )
    out = []
    for name in names:
        there = current.find(f"{port.upstream}.{name}")
        if there is None and port.methods is not None:
            message = f"the upstream {port.upstream} has no method {name}"
            raise MethodNotFound(message, hint=f"take {name} out of methods", side="base")
        inherited = there is not None and owner_of(there.dotted) != upstream.dotted
        if there is not None and (port.methods is not None or not inherited):
            out.append((f"{port.qualname}.{name}", there))
    return out


def _require_upstream(port: PortText, current: End) -> Found:
    """Return the class or function that the port is a copy of; raises MethodNotFound."""
    found = current.find(port.upstream)
    wanted = ast.ClassDef if _is_class(port) else Function
    if found is not None and isinstance(found.node, wanted):
        return found
    module = current.module_of(port.upstream)
    known = current.sources.module(module) if module else None
    names = list(known.definitions) if known is not None else []
    hint = suggest(last_part(port.upstream), names, otherwise="mend the port's upstream")
    kind = "class" if wanted is ast.ClassDef else "function"
    raise MethodNotFound(f"the upstream has no {kind} {port.upstream}", hint=hint, side="base")


def _is_class(port: PortText) -> bool:
    return any(d.qualname == port.qualname and d.is_class for d in definitions(port.text, "local"))


def _named(body: Iterable[ast.stmt], name: str) -> list[Function]:
    return [node for node in body if isinstance(node, Function) and node.name == name]


def bases_of(node: ast.ClassDef) -> tuple[str, ...]:
    """Return the bases of a class as they are written, without subscripts."""
    return tuple(ast.unparse(base).partition("[")[0] for base in node.bases)
