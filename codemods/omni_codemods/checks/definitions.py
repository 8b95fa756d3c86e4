"""Definitions that hide, tests that are always true, fields out of order (OP620 to OP624)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from omni_codemods.checks.misfit import Misfit, misfit
from omni_codemods.findings.check_codes import (
    ALWAYS_TRUE,
    DEFINED_TWICE,
    FIELD_ORDER,
    READ_BEFORE_IMPORT,
)
from omni_codemods.findings.model import Severity
from omni_codemods.sources.constructors import fields_of, kind_of_data
from omni_codemods.sources.parameters import is_plain
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.dotted import first_part, last_part
from omni_codemods.text.walks import children, nodes_of

_ORDERED = ("dataclass", "tuple", "attrs", "struct")


def check_definitions(subject: Subject) -> Iterator[Misfit]:
    """Yield what is wrong with the definitions and tests of *subject*, whatever the upstreams."""
    yield from _twice(subject.tree.body, "the module")
    for node in nodes_of(subject.tree):
        if not isinstance(node, _WITH_FINDINGS):
            continue
        if isinstance(node, ast.ClassDef):
            yield from _twice(node.body, node.name)
        elif isinstance(node, Function):
            yield from _shadowed(node)
        else:
            yield from _always_true(node)
    for dotted, cls in subject.classes():
        yield from _out_of_order(dotted, cls, subject)


def _twice(body: Sequence[ast.stmt], where: str) -> Iterator[Misfit]:
    names = [n.name for n in body if isinstance(n, (*_FUNCTIONS, ast.ClassDef))]
    if len(names) == len(set(names)):
        return
    seen: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            first = seen.get(node.name)
            uses = _names([*node.decorator_list, *getattr(node, "bases", ())])
            if first is not None and node.name not in uses and node.name != "_":
                message = f"{where} defines {node.name} at line {first.lineno}, and here again"
                yield misfit(DEFINED_TWICE, node, message, "")
            for used in uses | _names(_defaults(node)):
                seen.pop(used, None)
            seen.pop(node.name, None)
            if _is_hideable(node):
                seen[node.name] = node
        else:
            # What is used in between, or taken away, was meant to be there.
            for used in _names([node]):
                seen.pop(used, None)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TESTS = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension, ast.match_case, ast.UnaryOp)
_WITH_FINDINGS = (*_FUNCTIONS, ast.ClassDef, *_TESTS)


def _is_hideable(node: ast.stmt) -> bool:
    """Whether nothing but its name holds the definition: no decorator may have kept it."""
    if isinstance(node, Function):
        names = {last_part(ast.unparse(d)) for d in node.decorator_list}
        return is_plain(node) or names <= {"property", "cached_property"}
    return not getattr(node, "decorator_list", ())


def _defaults(node: ast.stmt) -> list[ast.AST]:
    if isinstance(node, Function):
        return [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
    # What a class does runs where it stands.
    return list(getattr(node, "body", ()))


def _names(nodes: Sequence[ast.AST]) -> set[str]:
    return {n.id for one in nodes for n in ast.walk(one) if isinstance(n, ast.Name)}


def _always_true(node: ast.AST) -> Iterator[Misfit]:
    tests: list[ast.expr] = []
    if isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)):
        tests.append(node.test)
    elif isinstance(node, ast.comprehension):
        tests += node.ifs
    elif isinstance(node, ast.match_case) and node.guard is not None:
        tests.append(node.guard)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        tests.append(node.operand)
    while tests:
        test = tests.pop()
        if isinstance(test, ast.BoolOp):
            tests += test.values
        elif isinstance(test, ast.Tuple) and test.elts:
            code = ast.unparse(test)
            said = code if len(code) < 60 else f"{code[:56]}...)"
            message = f"{said} is a tuple, and as a test always true"
            yield misfit(ALWAYS_TRUE, test, message, "")


def _out_of_order(dotted: str, cls: ast.ClassDef, subject: Subject) -> Iterator[Misfit]:
    if kind_of_data(dotted, subject.hierarchy, subject.sources) not in _ORDERED:
        return
    before = None
    for one in fields_of(dotted, subject.hierarchy, subject.sources):
        if one.keyword:
            continue
        if one.has_default:
            before = one
        elif before is not None and (one.owner == dotted or before.owner == dotted):
            own = one.owner == dotted
            place = "" if before.owner == dotted else f" of {before.owner.rpartition('.')[2]}"
            node = next((n for n in cls.body if own and _declares(n, one.name)), cls)
            message = f"{one.name} has no default, and stands behind {before.name}{place}"
            owner = before.owner if own else one.owner
            yield misfit(FIELD_ORDER, node, f"{message}, which has one", owner)
            return


def _declares(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name


def _shadowed(function: Function) -> Iterator[Misfit]:
    """Reads of a name before the only thing that binds it in the function: an import."""
    if not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes_of(function)):
        return
    nodes = list(_own_nodes(function))
    imported: dict[str, ast.AST] = {}
    bound: dict[str, int] = {}
    reads: dict[str, ast.Name] = {}
    parameters = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or first_part(alias.name)
                imported.setdefault(name, node)
                bound[name] = min(bound.get(name, node.lineno), node.lineno)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                known = reads.get(node.id)
                if known is None or (node.lineno, node.col_offset) < (
                    known.lineno,
                    known.col_offset,
                ):
                    reads[node.id] = node
            else:
                bound[node.id] = min(bound.get(node.id, node.lineno), node.lineno)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            parameters.update(node.names)
        elif (isinstance(node, ast.ExceptHandler) and node.name) or isinstance(
            node, (*_FUNCTIONS, ast.ClassDef)
        ):
            parameters.add(node.name or "")
    loops = [n for n in nodes if isinstance(n, (ast.For, ast.While, ast.AsyncFor))]
    for name, node in imported.items():
        read = reads.get(name)
        if read is None or name in parameters or read.lineno >= bound[name]:
            continue
        if any(_inside(read, loop) and _inside(node, loop) for loop in loops):
            continue
        line = getattr(node, "lineno", 0)
        message = f"{function.name} reads {name} here, and imports it at line {line}"
        yield misfit(READ_BEFORE_IMPORT, read, message, "", severity=Severity.ERROR)


def _inside(node: ast.AST, outer: ast.stmt) -> bool:
    line = getattr(node, "lineno", 0)
    return outer.lineno <= line <= (outer.end_lineno or outer.lineno)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions and classes inside."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += children(node)
