"""What a local file imports from the upstreams: is it there, and is it what it was?"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from omni_codemods.impact.elsewhere import Where, find_named
from omni_codemods.impact.end import Found
from omni_codemods.impact.import_sorts import CHANGED, ImportedName, compare_sorts
from omni_codemods.impact.layouts import compare_layouts, is_enumeration
from omni_codemods.impact.local import LocalFile
from omni_codemods.impact.model import Difference, Impact, Spot, UpstreamChange, describe, worst
from omni_codemods.impact.uses import iter_imports
from omni_codemods.impact.wording import other_places, shorten
from omni_codemods.sources.modules import (
    Answer,
    definitions_in,
    find_definition,
    find_origin,
    resolve,
)


def compare_imports(file: LocalFile, where: Where) -> Iterator[UpstreamChange]:
    """Yield what became of the names that *file* imports from the upstreams and uses."""
    told: set[str] = set()
    for path, name in _names(file).items():
        subject = _lost(file, path)
        if subject is None:
            changes = list(compare_sorts(file, path, name))
            yield from (one for one in changes if one.subject not in told)
            told.update(one.subject for one in changes)
            if name.run and not any(one.kind in CHANGED for one in changes):
                yield from _compare(file, path, name)
        elif subject not in told:
            told.add(subject)
            yield _gone(file, subject, name, where)


def _names(file: LocalFile) -> dict[str, ImportedName]:
    """The dotted names of the upstreams that the file uses, or imports and uses nowhere."""
    found: dict[str, ImportedName] = {}
    used: set[str] = set()
    for use in file.uses:
        if file.before.holds(use.path):
            used.add(use.imported)
            name = found.setdefault(use.path, ImportedName())
            ours = file.is_ours(use.line)
            (name.ours if ours else name.copied).append(use.line)
            if ours and not use.passive:
                name.run.append(use.line)
            if ours and use.made:
                name.made.append(use.line)
                name.placed |= use.placed
            for said, lines in ((use.inherited, name.inherited), (use.patched, name.patched)):
                if ours and said and not file.is_base(use.line):
                    lines.append(use.line)
    for one in iter_imports(file.before.tree, file.before.parent):
        if not file.before.holds(one.path):
            continue
        if one.path not in used:
            found.setdefault(one.path, ImportedName()).ours.append(one.line)
        if not one.sure:
            for path, name in found.items():
                if path == one.path or path.startswith(f"{one.path}."):
                    name.sure = False
    return found


def _lost(file: LocalFile, path: str) -> str | None:
    """The shortest part of *path* that the current end has and the target lacks."""
    parts = path.split(".")
    for cut in range(1, len(parts) + 1):
        name = ".".join(parts[:cut])
        if resolve(name, file.current.sources) is not Answer.FOUND:
            return None
        if _is_missing(file, name):
            # A module that is gone is told by what is imported from it.
            while cut < len(parts) and _is_module(file, name):
                cut += 1
                name = ".".join(parts[:cut])
            return name
    return None


def _is_missing(file: LocalFile, name: str) -> bool:
    sources = file.target.sources
    answer = resolve(name, sources)
    if answer is not Answer.UNKNOWN:
        return answer is Answer.MISSING
    # An enumeration has a base that no tree holds, and all its members in sight.
    owner, _, member = name.rpartition(".")
    node = find_definition(owner, sources)
    return is_enumeration(node) and member not in definitions_in(node.body)


def _is_module(file: LocalFile, name: str) -> bool:
    return file.current.sources.module(name) is not None


def _gone(file: LocalFile, path: str, name: ImportedName, where: Where) -> UpstreamChange:
    old = _spot(file, path)
    consumers = file.consumers(name.lines)
    base = _found(file, path)
    same, others = find_named(base, file.current, file.target, where) if base else ([], [])
    if same:
        said = f"in {', '.join(one.module for one in same[:3])} now"
        spot = file.target.spot(same[0])
        if name.patched:
            said += ": what is assigned to the old name, nothing uses"
            return UpstreamChange("patch-gone", Impact.BEHAVIORAL, path, said, old, spot, consumers)
        kind = "import-moved" if name.ours else "import-copied"
        return UpstreamChange(kind, Impact.MECHANICAL, path, said, old, spot, consumers)
    message = f"gone{other_places(others)}"
    if not name.ours:
        message += "; only copied code uses it, and the rebase takes the target's code"
        return UpstreamChange(
            "import-copied", Impact.MECHANICAL, path, message, old, None, consumers
        )
    if not name.sure:
        message += "; a guard around the import hides it"
        return UpstreamChange("import-gone", Impact.BEHAVIORAL, path, message, old, None, consumers)
    kind = "import-gone"
    if name.inherited:
        kind, consumers = "class-gone", file.consumers(name.inherited)
    elif name.patched:
        kind, message = "patch-gone", f"{message}; what is assigned to it, nothing uses"
    return UpstreamChange(kind, Impact.ARCHITECTURAL, path, message, old, None, consumers)


def _compare(file: LocalFile, path: str, name: ImportedName) -> Iterator[UpstreamChange]:
    """What both ends have: the fields of a class, the value of a constant."""
    old, new = (find_definition(path, end.sources) for end in (file.current, file.target))
    spots = _spot(file, path), _target_spot(file, path)
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef) and name.made:
        differences = tuple(_weighed(compare_layouts(old, new), name))
        if differences:
            consumers = file.consumers(name.made)
            message, details = describe(differences)
            yield UpstreamChange(
                "layout", worst(differences), path, message, *spots, consumers, details
            )
    values = [_value(node) for node in (old, new)]
    if values[0] and values[1] and values[0] != values[1]:
        shown = shorten(values[1], values[0])
        message = f"is {shown[0]} (was {shown[1]})"
        consumers = file.consumers(name.run)
        yield UpstreamChange("constant", Impact.BEHAVIORAL, path, message, *spots, consumers)


def _weighed(found: Iterable[Difference], name: ImportedName) -> Iterator[Difference]:
    """Differences of the order weigh nothing where all is given by name."""
    for one in found:
        yield replace(one, impact=Impact.MECHANICAL) if one.order and not name.placed else one


def _value(node: ast.AST | None) -> str | None:
    """The value of an assignment to one name, where it is written out."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return ast.unparse(node.value) if isinstance(node.targets[0], ast.Name) else None
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.unparse(node.value)
    return None


def _spot(file: LocalFile, path: str) -> Spot | None:
    return _place(file, path, target=False)


def _target_spot(file: LocalFile, path: str) -> Spot | None:
    return _place(file, path, target=True)


def _place(file: LocalFile, path: str, *, target: bool) -> Spot | None:
    end = file.target if target else file.current
    found = _found(file, path, target=target)
    return None if found is None else end.spot(found)


def _found(file: LocalFile, path: str, *, target: bool = False) -> Found | None:
    end = file.target if target else file.current
    node = find_definition(path, end.sources)
    found = None if node is None else end.place(find_origin(path, end.sources), node)
    return found if found is not None and found.module else None
