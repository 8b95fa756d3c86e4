"""Base and target in local's spelling of imported names: ``util.prep`` where local says ``prep``.

Names are compared by what they mean. What two modules import from one place is one thing, however
each of them spells it; the engine compares text, so it is given one spelling.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from omni_codemods.findings.errors import SourceError
from omni_codemods.names.imports import Import
from omni_codemods.names.reads import as_module, collect
from omni_codemods.names.scopes import import_bindings
from omni_codemods.rebuild.settle_imports import absolute_module, module_names
from omni_codemods.text.dotted import first_part
from omni_codemods.text.outline import Located
from omni_codemods.text.parsing import shared_tree
from omni_codemods.text.walks import children, walk

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Chain:
    """A dotted name that an import binds, as it stands in a function: its *line* from 0."""

    parts: tuple[str, ...]
    path: str
    line: int
    column: int

    @property
    def text(self) -> str:
        return ".".join(self.parts)

    @property
    def home(self) -> str:
        """What the first part is bound to."""
        return self.path.removesuffix(".".join(("", *self.parts[1:])))


@dataclass(frozen=True, slots=True)
class _Spelled:
    """The imported names in one function; *taken* are the other names that it binds."""

    chains: tuple[_Chain, ...]
    imported: Mapping[str, str]
    taken: frozenset[str]


def respell(
    side: Located, file: str, local: Located, local_file: str, module: str | None
) -> Located:
    """Return *side*, a function of *file*, with the names spelt as *local* spells them.

    Only what local spells in one way, and nowhere as *side* does. *module* is the dotted name of
    the upstream file. Lines stay; a function that is not Python stays as it is.
    """
    ours, theirs = _imported(local_file, None), _imported(file, module)
    words = _spelt_otherwise(theirs, ours)
    if not words or not ("import" in local.text or words.intersection(_WORD.findall(side.text))):
        return side
    mine, others = (
        _read(text, tuple(sorted(known.items())), home)
        for text, known, home in ((local.text, ours, None), (side.text, theirs, module))
    )
    if mine is None or others is None:
        return side
    spelt = _spellings(mine)
    lines = side.text.split("\n")
    for chain in sorted(others.chains, key=lambda c: (c.line, c.column), reverse=True):
        found = _local_spelling(chain, spelt, mine, others)
        if found is None:
            continue
        old, new = found
        line, at = lines[chain.line], chain.column
        if line.startswith(old, at):
            lines[chain.line] = line[:at] + new + line[at + len(old) :]
    return replace(side, text="\n".join(lines))


def _imported(file: str, module: str | None) -> dict[str, str]:
    """What a module's imports bind: a name → the dotted path that it stands for."""
    try:
        names = module_names(file)
    except SourceError:
        return {}
    out: dict[str, str] = {}
    for found in names.imports:
        path = _path(found.value, module)
        if path and found.bound not in names.defined and found.block in ("", "type-checking"):
            out[found.bound] = path if out.get(found.bound, path) == path else ""
    return {name: path for name, path in out.items() if path}


def _path(value: Import, module: str | None) -> str:
    home = value.module
    if home.startswith("."):
        home = absolute_module(home, module) or ""
    if value.name is None:
        return home if value.asname else value.bound
    return f"{home}.{value.name}" if home else ""


def _spelt_otherwise(theirs: Mapping[str, str], ours: Mapping[str, str]) -> set[str]:
    """The names of *theirs* for what local binds under another name, or as a part of another's."""
    mine = {name: path for name, path in ours.items() if theirs.get(name) != path}
    others = {name: path for name, path in theirs.items() if ours.get(name) != path}
    return {
        name
        for some, rest in ((others, ours), (theirs, mine))
        for name, path in some.items()
        for other in rest.values()
        if path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")
    }


@functools.lru_cache(maxsize=8)
def _read(text: str, imported: tuple[tuple[str, str], ...], module: str | None) -> _Spelled | None:
    source = as_module(text)
    tree = shared_tree(source)
    if tree is None:
        return None
    above = source.count("\n") - text.count("\n")
    bound = set(collect(tree).binds)
    known = dict(imported)
    for node in walk(tree):
        if isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, path, _ in import_bindings(node):
                home = absolute_module(path, module) if path.startswith(".") else path
                known[name] = home or ""
                bound.discard(name)
    known = {name: path for name, path in known.items() if path and name not in bound}
    lines = source.split("\n")
    chains = tuple(_chains(tree, known, lines, above))
    return _Spelled(chains, known, frozenset(bound))


def _characters(line: str, column: int) -> int:
    """A column in characters; :mod:`ast` counts bytes."""
    if line.isascii():
        return column
    return len(line.encode()[:column].decode())


def _chains(
    tree: ast.AST, known: Mapping[str, str], lines: Sequence[str], above: int
) -> Iterator[_Chain]:
    """The longest dotted names that start with an imported one, outside of f-strings."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            continue  # an older Python does not say where the names in it stand
        parts = _dotted(node)
        if parts and parts[0] in known and isinstance(node, (ast.Name, ast.Attribute)):
            path = ".".join((known[parts[0]], *parts[1:]))
            column = _characters(lines[node.lineno - 1], node.col_offset)
            yield _Chain(parts, path, node.lineno - 1 - above, column)
        elif not parts:
            waiting += children(node)


def _dotted(node: ast.AST) -> tuple[str, ...]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *parts[::-1]) if isinstance(node, ast.Name) else ()


def _spellings(mine: _Spelled) -> dict[str, str]:
    """Path → how local spells it; what it spells in two ways is left out."""
    out: dict[str, set[str]] = {}
    for chain in mine.chains:
        out.setdefault(chain.path, set()).add(chain.text)
        out.setdefault(chain.home, set()).add(chain.parts[0])
    return {path: texts.pop() for path, texts in out.items() if len(texts) == 1}


def _local_spelling(
    chain: _Chain, spelt: Mapping[str, str], mine: _Spelled, others: _Spelled
) -> tuple[str, str] | None:
    """The longest beginning of *chain* that local spells otherwise, and how it does."""
    for count in range(len(chain.parts), 0, -1):
        old = ".".join(chain.parts[:count])
        path = ".".join((chain.home, *chain.parts[1:count]))
        new = spelt.get(path)
        if new is None:
            continue
        root = first_part(new)
        free = root not in others.taken and others.imported.get(root) in (None, mine.imported[root])
        return (old, new) if free and new != old else None
    return None
