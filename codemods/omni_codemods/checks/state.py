"""State that only a skipped ``__init__`` of a base sets (OP614)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.checks.misfit import Misfit, misfit
from omni_codemods.findings.check_codes import UNSET_STATE
from omni_codemods.findings.model import Severity
from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.self_use import attributes_set_in
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.walks import nodes_of


def check_state(subject: Subject) -> Iterator[Misfit]:
    """Yield a misfit for each attribute that inherited methods read and nothing sets any more.

    Only of classes whose ``__init__`` calls no other, and whose bases the sources all have.
    """
    for dotted, cls in subject.classes():
        init = _init(cls)
        if init is None or _calls_another(init):
            continue
        bases = subject.hierarchy.order(dotted)[1:]
        if any(subject.hierarchy.find_class(base) is None for base in bases):
            continue
        for attribute, reader in sorted(_unset(cls, bases, subject.hierarchy).items()):
            message = (
                f"{cls.name}.__init__ calls no __init__ of a base and does not set "
                f"self.{attribute}, which {reader} reads"
            )
            path = f"{bases[0] if bases else dotted}.{attribute}"
            yield misfit(UNSET_STATE, init, message, path, severity=Severity.WARNING)


def _unset(cls: ast.ClassDef, bases: list[str], hierarchy: Hierarchy) -> dict[str, str]:
    """The attributes that nothing but an ``__init__`` of *bases* sets, and what reads each."""
    lost: set[str] = set()
    kept = attributes_set_in(cls)
    reads: dict[str, str] = {}
    known = {node.name for node in cls.body if isinstance(node, Function)}
    for base in bases:
        found = hierarchy.find_class(base)
        for method in [] if found is None else found.body:
            if not isinstance(method, Function):
                kept |= {n.id for n in nodes_of(method) if isinstance(n, ast.Name)}
            elif method.name == "__init__":
                lost |= _attributes(method, ast.Store)
            elif method.name not in known:
                known.add(method.name)
                kept |= _attributes(method, ast.Store) | {method.name}
                place = f"{base.rpartition('.')[2]}.{method.name} (line {method.lineno})"
                for attribute in _attributes(method, ast.Load):
                    reads.setdefault(attribute, place)
    return {name: reads[name] for name in lost - kept - known if name in reads}


def _init(cls: ast.ClassDef) -> Function | None:
    methods = [n for n in cls.body if isinstance(n, Function) and n.name == "__init__"]
    return methods[-1] if methods else None


def _calls_another(init: Function) -> bool:
    calls = (n.func for n in nodes_of(init) if isinstance(n, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr == "__init__" for call in calls)


def _attributes(method: Function, context: type[ast.expr_context]) -> set[str]:
    return {
        node.attr
        for node in nodes_of(method)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, context)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
