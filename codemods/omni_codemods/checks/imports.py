"""Imports that the trees do not have (OP607)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from omni_codemods.findings.check_codes import IMPORT_GONE
from omni_codemods.findings.model import Finding, Severity
from omni_codemods.sources.modules import Answer, resolve
from omni_codemods.sources.subject import Subject, absolute

# For a name: the modules that define it, among the trees.
Where = Callable[[str], Sequence[str]]


def check_imports(subject: Subject, where: Where | None = None) -> Iterator[Finding]:
    """Yield a finding for each imported module or name that its package's tree lacks.

    *where* tells which modules define a name: they are proposed.
    """
    for node, sure in _imports(subject.tree.body, True):
        yield from _check(node, sure, subject, where)


def _check(
    node: ast.Import | ast.ImportFrom, sure: bool, subject: Subject, where: Where | None
) -> Iterator[Finding]:
    if isinstance(node, ast.Import):
        wanted = [(alias, alias.name, "") for alias in node.names]
    else:
        module = absolute("." * node.level + (node.module or ""), subject.parent)
        wanted = [(alias, module, alias.name) for alias in node.names]
    severity = Severity.ERROR if sure else Severity.WARNING
    told: set[str] = set()
    for alias, module, name in wanted:
        if not subject.holds(module):
            continue
        message = _missing(module, name, subject)
        if message is None or message in told:
            continue
        told.add(message)
        hint = _hint(name, where) or IMPORT_GONE.remedy
        line = alias.lineno
        yield Finding(IMPORT_GONE.code, line, alias.col_offset, message, hint, severity)


def _missing(module: str, name: str, subject: Subject) -> str | None:
    if resolve(module, subject.sources) is Answer.MISSING:
        return f"no module {module}"
    if name and name != "*" and resolve(f"{module}.{name}", subject.sources) is Answer.MISSING:
        return f"{module} has no {name}"
    return None


def _hint(name: str, where: Where | None) -> str:
    found = where(name) if where is not None and name not in ("", "*") else ()
    return f"{name} is defined in {', '.join(found[:3])}" if found else ""


def _imports(
    body: Sequence[ast.stmt], sure: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """All imports; *sure* is false where one need not run, or may fail."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, sure
        elif isinstance(node, ast.If):
            yield from _imports([*node.body, *node.orelse], False)
        elif isinstance(node, ast.Try):
            yield from _imports(node.body, sure and not node.handlers)
            parts = [n for handler in node.handlers for n in handler.body]
            yield from _imports([*parts, *node.orelse], False)
            yield from _imports(node.finalbody, sure)
        else:
            for part in ast.iter_child_nodes(node):
                inner = part.body if isinstance(part, ast.match_case) else [part]
                yield from _imports([n for n in inner if isinstance(n, ast.stmt)], sure)
