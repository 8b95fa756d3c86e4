"""The names that a rebuilt function needs from its module: bound, imported, dropped or missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from omni_codemods.findings.errors import SourceError
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.functions.conflict_markers import HUNK, blank_hunks
from omni_codemods.names.function_names import Function, function_names
from omni_codemods.names.headers import class_names, header_names
from omni_codemods.names.imports import (
    BoundImport,
    Import,
    add_imports,
    module_imports,
    remove_imports,
)
from omni_codemods.names.reads import as_module
from omni_codemods.names.type_checking import GUARD, add_guarded_imports, only_annotates, postpones
from omni_codemods.rebuild.unread_imports import edit_above_hunks, unread
from omni_codemods.text.outline import outline
from omni_codemods.text.parsing import find_tree
from omni_codemods.text.walks import shape, walk


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """What a module binds at its top level."""

    imports: tuple[BoundImport, ...]
    defined: frozenset[str]
    stars: tuple[str, ...]

    @property
    def bound(self) -> frozenset[str]:
        """All names bound, but for those that a star import may bring."""
        return self.defined | {i.bound for i in self.imports}

    def find(self, name: str) -> BoundImport | None:
        """The import that binds *name*, one in the module's own suite first."""
        found = [i for i in self.imports if i.bound == name]
        return next((i for i in found if not i.block), found[0] if found else None)


def module_names(text: str) -> ModuleNames:
    """Read the top level of a module. Raises :class:`SourceError`."""
    imports = module_imports(text)
    stars = tuple(i.value.module for i in imports if i.value.name == "*")
    return ModuleNames(
        tuple(i for i in imports if i.value.name != "*"),
        outline(text).bound,
        stars,
    )


@dataclass(frozen=True, slots=True)
class Needs:
    """What :func:`settle_imports` did: the new text, and what it added, removed and found."""

    text: str
    added: tuple[Import, ...] = ()
    removed: tuple[Import, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The function before and after: texts of the old and the new version.

    *new* holds each way that its conflicts can be resolved. *line* is where it starts in the
    new file. *base* and *upstream* are the upstream function before and after. *written* is the
    new version as the file has it, with its hunks. *owner* is the class that the function is in.
    """

    old: str
    new: tuple[str, ...]
    line: int
    base: str
    upstream: str
    written: str = ""
    owner: str = ""

    @property
    def shown(self) -> tuple[str, ...]:
        """The ways to resolve the conflicts, each line where the file has it."""
        if not HUNK.search(self.written):
            return self.new
        return tuple(blank_hunks(self.written, side) for side in ("local", "target"))


def settle_imports(text: str, rebuilt: Rebuilt, target: str, target_module: str | None) -> Needs:
    """Give *text*, the file with the rebuilt function in it, the imports that it now needs.

    A missing name comes from the target file's own imports, or from the target module
    itself (*target_module*, dotted; without it such a name is a finding). An import that the old
    function used goes when nothing in the file uses it any longer, on whichever side of a conflict
    in *text*.
    """
    new = [function_names(t) for t in rebuilt.new]
    old = function_names(rebuilt.old)
    free = frozenset().union(*(f.free for f in new))
    added: list[Import] = []
    findings: list[Finding] = []
    try:
        here = module_names(blank_hunks(text))
        missing = free - here.bound
        header = header_names(rebuilt.new[-1]) if missing else frozenset()
        beside = class_names(blank_hunks(text), rebuilt.owner) if header & missing else frozenset()
        there = module_names(target) if missing else here
    except SourceError:
        return Needs(text)
    if missing - there.bound and not there.stars:
        # What the upstream module leaves unbound itself is none of our making.
        missing -= function_names(rebuilt.upstream).free - there.bound - header
    missing -= header & beside
    guarded: list[Import] = []
    for name in sorted(missing):
        wanted = _source_of(name, there, target_module)
        if wanted is None:
            if not here.stars and not (name in old.free and name not in old.own):
                findings.append(_unbound(name, rebuilt, old, there))
        elif _is_guarded(name, there) and _only_annotates(name, text, rebuilt):
            guarded.append(wanted)
        else:
            added.append(wanted)
    unused = _unused(text, old, new, here)
    result = text
    if added or guarded:
        result = _with_imports(text, added, guarded)
    if unused:
        result = edit_above_hunks(result, lambda plain: remove_imports(plain, unused))
    if guarded and GUARD.bound in module_names(blank_hunks(result)).bound - here.bound:
        added.append(GUARD)
    return Needs(result, (*added, *guarded), tuple(unused), tuple(findings))


def _is_guarded(name: str, there: ModuleNames) -> bool:
    found = there.find(name)
    return found is not None and found.block == "type-checking"


def _only_annotates(name: str, text: str, rebuilt: Rebuilt) -> bool:
    postponed = postpones(blank_hunks(text))
    return all(only_annotates(name, side, postponed=postponed) for side in rebuilt.new)


def _source_of(name: str, there: ModuleNames, target_module: str | None) -> Import | None:
    found = there.find(name)
    if found is not None and found.block in ("", "type-checking"):
        if not found.value.module.startswith("."):
            return found.value
        absolute = absolute_module(found.value.module, target_module)
        return Import(absolute, found.value.name, found.value.asname) if absolute else None
    if name in there.defined and target_module:
        return Import(target_module, name)
    return None


def absolute_module(module: str, target_module: str | None) -> str | None:
    """The relative *module*, as the file of *target_module* means it; ``None`` if not known."""
    if target_module is None:
        return None
    dots = len(module) - len(module.lstrip("."))
    parent = target_module.split(".")[:-dots]
    rest = module[dots:]
    return ".".join([*parent, *([rest] if rest else [])]) or None


def _unbound(name: str, rebuilt: Rebuilt, old: Function, there: ModuleNames) -> Finding:
    offset, column = _first_place(name, rebuilt.shown)
    line = rebuilt.line + offset
    if name in old.own:
        twin = find_renamed(name, rebuilt.base, rebuilt.upstream)
        proposal = (
            f"the upstream now binds {twin} where it bound {name}; if the local code means the "
            f"same, write {twin}"
            if twin
            else "look at what the upstream does instead, and adapt the local code"
        )
        return Finding(
            "OP402",
            line,
            column,
            f"local code reads {name}, which the new function no longer binds",
            proposal,
            Severity.ERROR,
        )
    where = "the upstream module defines it" if name in there.bound else "nothing here binds it"
    return Finding(
        "OP401",
        line,
        column,
        f"{name} is not bound: {where}",
        "import or define it",
        Severity.ERROR,
    )


def _first_place(name: str, texts: Sequence[str]) -> tuple[int, int]:
    """The line (0-based) and column of the first *name* that is read and no attribute."""
    pattern = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    for text in texts:
        if read := _first_read(name, text):
            return read
        for number, line in enumerate(text.split("\n")):  # in a quoted annotation
            found = pattern.search(line.split("#")[0])
            if found:
                return number, found.start()
    return 0, 0


def _first_read(name: str, text: str) -> tuple[int, int] | None:
    source = as_module(text)
    above = 1 + source.count("\n") - text.count("\n")
    tree = find_tree(source)
    if tree is None:
        return None
    reads = (n for n in walk(tree) if isinstance(n, ast.Name) and n.id == name)
    places = [(n.lineno - above, n.col_offset) for n in reads if isinstance(n.ctx, ast.Load)]
    return min(places, default=None)


def find_renamed(name: str, base: str, target: str) -> str | None:
    """The variable that *target* binds from the expression from which *base* bound *name*."""
    before, after = _assignments(base), _assignments(target)
    sources = {value for value, names in before.items() if names == {name}}
    twins = {n for value in sources for n in after.get(value, set()) if n != name}
    return twins.pop() if len(twins) == 1 else None


def _assignments(text: str) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    tree = find_tree(as_module(text))
    if tree is None:
        return out
    for node in walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Name):
                out.setdefault(shape(value), set()).add(target.id)
            elif isinstance(target, ast.Tuple):
                for i, part in enumerate(target.elts):
                    if isinstance(part, ast.Name):
                        out.setdefault(f"{i} of {shape(value)}", set()).add(part.id)
    return out


def _unused(text: str, old: Function, new: Sequence[Function], here: ModuleNames) -> list[Import]:
    """Imports for which the old function was the last use."""
    gone = old.free - frozenset().union(*(f.free for f in new))
    candidates = [i for i in here.imports if i.bound in gone and not i.kept and not i.block]
    if not candidates:
        return []
    return unread(text, candidates)


def _with_imports(text: str, added: Sequence[Import], guarded: Sequence[Import]) -> str:
    """Add imports to a file that may have hunks in it, all of which stand below its imports."""
    return edit_above_hunks(
        text, lambda plain: add_guarded_imports(add_imports(plain, added), guarded)
    )
