"""Names that the rebuilt function works out and nothing reads: half a feature came over.

The upstream computes a new value and hands it on in a call that a block of ours replaced; or local
computes one, and its reader was not carried. The result runs, and the feature is dead.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from omni_codemods.findings.model import Finding, Severity
from omni_codemods.names.reads import as_module
from omni_codemods.rebuild.settle_imports import Rebuilt
from omni_codemods.text.parsing import shared_tree
from omni_codemods.text.walks import children, walk


def check_dead_names(
    rebuilt: Rebuilt, local: str = "", target: str = "", side: str = "upstream"
) -> tuple[Finding, ...]:
    """Find the names that a side binds and reads, and the result binds and does not read.

    A read counts only where it leads out of the function's own book-keeping: ``y = y.cpu()`` under
    ``if y:`` keeps no *y* alive. *local* and *target* are the texts of the whole files: an
    attribute of ``self`` is dead only if neither names it anywhere else. Where conflicts are left,
    a name is dead only if it is so whichever way they are resolved. *side* says whose the target
    is.

    Lines are those of the function as it is written, from ``rebuilt.line`` on.
    """
    results = [_read(text) for text in rebuilt.shown]
    dead = frozenset.intersection(*(r.dead if r else frozenset() for r in results))
    # Most functions have no such name, and their other versions need not be read.
    old, new = (_read(text) if dead else None for text in (rebuilt.old, rebuilt.upstream))
    if old is None or new is None:
        return ()
    # What is dead already in local, or in the upstream's own version, is none of our making.
    dead -= old.dead | new.dead
    base = _read(rebuilt.base) if any("." in name for name in dead) else None
    found: list[Finding] = []
    for name, line, column in _places(results):
        if name not in dead:
            continue
        if "." in name and not _is_new_attribute(name, base, old, rebuilt, (local, target)):
            continue
        reader = new.readers.get(name) or old.readers.get(name)
        if reader is not None:
            of = f"the {side}'s" if name in new.readers else "local"
            found.append(_finding(name, of, reader, rebuilt.line + line - 1, column))
    return tuple(found)


def _finding(name: str, of: str, reader: str, line: int, column: int) -> Finding:
    return Finding(
        "OP421",
        line,
        column,
        f"nothing reads {name}: {of} code that does is not in the result: {reader}",
        f"pass {name} on in what stands in its place, or take out what works it out",
        Severity.ERROR,
    )


def _is_new_attribute(
    name: str, base: _Uses | None, old: _Uses, rebuilt: Rebuilt, files: tuple[str, str]
) -> bool:
    """Whether only the target's function knows the attribute: others may read any other."""
    if base is None or name in base.bound or name in old.bound:
        return False
    pattern = re.compile(rf"\.{re.escape(name.partition('.')[2])}\b")
    functions = (rebuilt.old, rebuilt.upstream)
    return all(
        len(pattern.findall(text)) == len(pattern.findall(function))
        for text, function in zip(files, functions, strict=True)
    )


def _places(results: list[_Uses | None]) -> Iterator[tuple[str, int, int]]:
    """The names that the results bind, each once, with line and column in the function."""
    places: dict[str, tuple[int, int]] = {}
    for one in results:
        for name, place in (one.bound if one is not None else {}).items():
            places.setdefault(name, place)
    for name, (line, column) in sorted(places.items(), key=lambda x: x[1]):
        yield name, line, column


@dataclass(slots=True)
class _Uses:
    """Which names a function binds, and what reads them.

    *bound* has the place of the first binding, *readers* the line of code that reads the name for
    something else than another name, *feeds* the names that are worked out from it. *fresh* are
    the containers that the function made: to fill one is no read of it. *statement* is the line of
    the statement that is being read, *above* how many lines stand above the function, *walrus*
    whether an expression may bind a name.
    """

    lines: list[str]
    above: int
    walrus: bool
    statement: int = 0
    bound: dict[str, tuple[int, int]] = field(default_factory=dict)
    readers: dict[str, str] = field(default_factory=dict)
    feeds: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    fresh: set[str] = field(default_factory=set)

    @property
    def dead(self) -> frozenset[str]:
        """The names that are bound and that nothing reads, or only what is dead itself."""
        alive = set(self.readers)
        while more := {n for n, fed in self.feeds.items() if fed & alive} - alive:
            alive |= more
        return frozenset(self.bound.keys() - alive)

    def bind(self, name: str, node: ast.expr | ast.arg | ast.stmt | ast.alias) -> None:
        line = node.lineno - self.above
        text = self.lines[line - 1].encode()[: node.col_offset].decode()
        self.bound.setdefault(name, (line, len(text)))

    def _shown(self, line: int) -> str:
        """The first line of the statement that is read now, and the *line* of it that reads."""
        first, own = (self.lines[n - self.above - 1].strip() for n in (self.statement, line))
        return first if first == own else f"{first} … {own}"

    def read(self, node: ast.AST | None, fed: frozenset[str] = frozenset()) -> None:
        """Take in the names in *node*; what only works out the names *fed* is no reader."""
        # An attribute outlives the function, and a call may keep what it is given.
        kept = bool(fed) and (_calls(node) or any("." in other for other in fed))
        for expression in walk(node) if node is not None else ():
            if not isinstance(expression, (ast.Name, ast.Attribute)):
                continue
            name = _name(expression)
            if name is None or not isinstance(expression.ctx, ast.Load):
                continue
            if fed and not (kept and fed != {name}):
                self.feeds[name] |= fed
            elif name not in self.readers:
                self.readers[name] = self._shown(expression.lineno)


def _read(text: str) -> _Uses | None:
    """Read the uses of one function; nothing where it cannot be parsed or hides its names."""
    module = as_module(text)
    tree = shared_tree(module)
    if tree is None:
        return None
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    root = next((n for n in walk(tree) if isinstance(n, functions)), None)
    if root is None or re.search(r"\b(?:locals|eval|exec|vars)\(", text):
        return None
    uses = _Uses(text.split("\n"), module.count("\n") - text.count("\n"), ":=" in text)
    every = [*root.args.posonlyargs, *root.args.args, *root.args.kwonlyargs]
    for argument in every[1:] if every and every[0].arg in ("self", "cls") else every:
        uses.bind(argument.arg, argument)
    _suite(root.body, uses)
    if "global " in text or "nonlocal " in text:
        for outside in (n for n in walk(root) if isinstance(n, (ast.Global, ast.Nonlocal))):
            for name in outside.names:
                uses.bound.pop(name, None)
    return uses


def _suite(body: list[ast.stmt], uses: _Uses) -> None:
    for statement in body:
        _statement(statement, uses)


def _statement(node: ast.stmt, uses: _Uses) -> None:
    uses.statement = node.lineno
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        _assign(_assigned(node), node.value, uses)
    elif isinstance(node, (ast.If, ast.While)):
        fed = _only_binds([*node.body, *node.orelse])
        _bind_walruses(node.test, uses)
        uses.read(node.test, fed or frozenset())
        _suite([*node.body, *node.orelse], uses)
    elif (filled := _filled(node, uses)) is not None:
        name, given = filled
        for one in given:
            uses.read(one, frozenset([name]))
    else:
        _bind_named(node, uses)
        for child in children(node):
            _child(child, uses)


def _bind_named(node: ast.stmt, uses: _Uses) -> None:
    """Bind what a definition or an import gives a name to."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        uses.bind(node.name, node)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            uses.bind(alias.asname or alias.name.partition(".")[0], alias)


def _filled(node: ast.stmt, uses: _Uses) -> tuple[str, list[ast.expr]] | None:
    """The container that a statement only puts something into, and what (``found.append(x)``)."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    name = _name(call.func.value)
    if name not in uses.fresh or call.func.attr not in _FILLS:
        return None
    return name or "", [*call.args, *(keyword.value for keyword in call.keywords)]


_FILLS = frozenset(("append", "extend", "insert", "add", "update", "appendleft", "setdefault"))
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset(("list", "dict", "set", "defaultdict", "deque"))


def _is_fresh(value: ast.expr | None) -> bool:
    """Whether *value* is a container that nothing else knows."""
    made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return isinstance(value, _DISPLAYS) or (made and value.func.id in _MAKERS)  # type: ignore[union-attr]


def _child(child: ast.AST, uses: _Uses) -> None:
    if isinstance(child, ast.stmt):
        _statement(child, uses)
    elif isinstance(child, (ast.ExceptHandler, ast.match_case, ast.withitem)):
        for inner in children(child):
            _child(inner, uses)
    else:
        for target in walk(child):
            if _is_target(target):
                uses.bind(_name(target) or "", target)  # type: ignore[arg-type]
        uses.read(child)


def _assign(targets: list[ast.expr], value: ast.expr | None, uses: _Uses) -> None:
    only = targets[0] if len(targets) == 1 else None
    if isinstance(only, ast.Subscript) and (name := _name(only.value)) in uses.fresh:
        for part in (only.slice, value):
            uses.read(part, frozenset([name or ""]))
        return
    for plain_name in (target.id for target in targets if isinstance(target, ast.Name)):
        made = _is_fresh(value) and (plain_name in uses.fresh or plain_name not in uses.bound)
        (uses.fresh.add if made else uses.fresh.discard)(plain_name)
    names = [n for t in targets for n in _targets(t)]
    plain = all(name is not None for name in names)
    for target in (n for t in targets for n in walk(t)):
        if _is_target(target):
            uses.bind(_name(target) or "", target)  # type: ignore[arg-type]
        elif not isinstance(target, (ast.Tuple, ast.List, ast.Starred)):
            uses.read(target)
    if value is not None:
        _bind_walruses(value, uses)
    uses.read(value, frozenset(n for n in names if n) if plain else frozenset())


def _bind_walruses(node: ast.expr, uses: _Uses) -> None:
    for walrus in (n for n in walk(node) if isinstance(n, ast.NamedExpr)) if uses.walrus else ():
        uses.bind(walrus.target.id, walrus.target)


def _assigned(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _targets(node: ast.expr) -> Iterator[str | None]:
    """The names that an assignment binds; None for what is no name."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _targets(part)
    elif isinstance(node, ast.Starred):
        yield from _targets(node.value)
    else:
        yield _name(node)


def _name(node: ast.AST) -> str | None:
    """A variable, or an attribute of ``self``."""
    if isinstance(node, ast.Name):
        return None if node.id == "self" else node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"self.{node.attr}" if node.value.id == "self" else None
    return None


def _is_target(node: ast.AST) -> bool:
    return _name(node) is not None and isinstance(getattr(node, "ctx", None), ast.Store)


def _calls(node: ast.AST | None) -> bool:
    """Whether something runs in an expression, whatever becomes of its value."""
    return node is not None and any(
        isinstance(n, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)) for n in walk(node)
    )


def _only_binds(body: list[ast.stmt]) -> frozenset[str] | None:
    """The names that *body* binds, if it does nothing else."""
    out: set[str] = set()
    for node in body:
        if isinstance(node, ast.Pass):
            continue
        if isinstance(node, (ast.If, ast.While)):
            inner = _only_binds([*node.body, *node.orelse])
            names: list[str | None] = [*inner] if inner is not None else [None]
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            names = [n for t in _assigned(node) for n in _targets(t)]
        else:
            names = [None]
        if None in names:
            return None
        out |= {name for name in names if name}
    return frozenset(out)
