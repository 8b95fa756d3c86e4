"""Entries that a run, or the kind of code at hand, holds back: the name stays, with a finding."""

from __future__ import annotations

import ast
import fnmatch

from omni_codemods.findings.code import Code
from omni_codemods.findings.translate_codes import CONDITIONAL, CUDA_PACKAGE, SHARED_CODE
from omni_codemods.names.scopes import Guard, import_bindings
from omni_codemods.table.entries import Entry, Symbol
from omni_codemods.text.dotted import last_part
from omni_codemods.translate.interest import Interest, iter_statements
from omni_codemods.translate.work import Work


def find_hold(work: Work, entry: Entry) -> tuple[Code, str] | None:
    """Why *entry* is not applied here, None where it is."""
    if work.only == "safe" and entry.status == "conditional":
        return CONDITIONAL, f"{entry.gpu or entry.npu} stays: entry {entry.id} is conditional"
    if work.shared and isinstance(entry, Symbol) and entry.shared_stays:
        message = f"{entry.gpu} stays: both devices run this code ({work.shared})"
        return SHARED_CODE, message
    return None


def report_held(work: Work, entry: Entry, span: tuple[int, int], guard: Guard) -> bool:
    """Whether *entry* is held back; if so, that is reported for what stands at *span*."""
    hold = find_hold(work, entry)
    if hold is None:
        return False
    if guard is not Guard.BOTH and not work.is_kept(span):
        work.report(hold[0], span[0], hold[1])
    return True


def find_shared(tree: ast.Module, interest: Interest, words: tuple[str, ...]) -> str:
    """What tells that *tree* is code that both devices run: a class and its base, or empty.

    Only asked where an entry that minds it has its name among *words*.
    """
    index = interest.index
    minding = (e for e in index.paths.values() if isinstance(e, Symbol) and e.shared_stays)
    if not any(last_part(entry.gpu) in words for entry in minding):
        return ""
    patterns = [pattern for space in index.namespaces for pattern in space.shared_bases]
    own = [device for space in index.namespaces for device in space.own_classes]
    for node in iter_statements(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        names = (node.name, *map(interest.spelling, node.bases))
        if any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in own):
            continue
        for base in names[1:]:
            if any(fnmatch.fnmatchcase(base, pattern) for pattern in patterns):
                return f"class {node.name}({base})"
    return ""


def report_packages(work: Work, tree: ast.Module) -> None:
    """Report, once, the packages that run on CUDA alone and that the module cannot do without."""
    known = {package for space in work.index.namespaces for package in space.packages}
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            span = work.source.span(node)
            for _, path, alias in import_bindings(node):
                path = alias.name if isinstance(node, ast.Import) else path
                parts = path.split(".")
                heads = (".".join(parts[: end + 1]) for end in range(len(parts)))
                package = next((head for head in heads if head in known), "")
                if package and not work.is_kept(span):
                    found.setdefault(package, span[0])
    if found:
        which = ", ".join(found)
        message = f"the module needs {which}, which is there for CUDA alone"
        work.report(CUDA_PACKAGE, min(found.values()), message)
