"""Imports that the trees do not have (OP607)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from omni_codemods.checks.misfit import Misfit, Trust, misfit
from omni_codemods.findings.check_codes import IMPORT_GONE
from omni_codemods.findings.model import Severity
from omni_codemods.sources.guards import Guard
from omni_codemods.sources.modules import Answer, resolve
from omni_codemods.sources.subject import Subject
from omni_codemods.text.dotted import imported_module

# For a name: the modules that define it, among the trees.
Where = Callable[[str], Sequence[str]]


def check_imports(subject: Subject, where: Where | None = None) -> Iterator[Misfit]:
    """Yield a misfit for each imported module or name that its package's tree lacks.

    *where* tells which modules define a name: they are proposed. What is for another version of
    the package is left.
    """
    for site in subject.sites:
        if isinstance(site.node, (ast.Import, ast.ImportFrom)):
            yield from _check(site.node, site.guard, subject, where)


def _check(
    node: ast.Import | ast.ImportFrom, guard: Guard, subject: Subject, where: Where | None
) -> Iterator[Misfit]:
    if isinstance(node, ast.Import):
        wanted = [(alias, alias.name, "") for alias in node.names]
    else:
        module = imported_module(node, subject.parent)
        wanted = [(alias, module, alias.name) for alias in node.names]
    may_fail = guard.typing or guard.catches("ImportError", "ModuleNotFoundError")
    severity = Severity.WARNING if may_fail or guard.tested or guard.caught else Severity.ERROR
    trust = Trust.POSSIBLE if may_fail else Trust.SURE
    told: set[str] = set()
    for alias, module, name in wanted:
        path = f"{module}.{name}" if name else module
        if not subject.holds(module) or path in subject.values.patches:
            continue
        message = _missing(module, name, subject)
        if message is None or message in told:
            continue
        told.add(message)
        hint = _hint(name, where) or IMPORT_GONE.remedy
        gone = module if message.startswith("no module") else path
        yield misfit(IMPORT_GONE, alias, message, gone, trust=trust, hint=hint, severity=severity)


def _missing(module: str, name: str, subject: Subject) -> str | None:
    if resolve(module, subject.sources) is Answer.MISSING:
        return f"no module {module}"
    if name and name != "*" and resolve(f"{module}.{name}", subject.sources) is Answer.MISSING:
        return f"{module} has no {name}"
    return None


def _hint(name: str, where: Where | None) -> str:
    found = where(name) if where is not None and name not in ("", "*") else ()
    return f"{name} is defined in {', '.join(found[:3])}" if found else ""
