"""Calls of the downstream's own code with other keywords than in the GPU sibling (OP613)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.findings.check_codes import SIBLING_KEYWORD
from omni_codemods.findings.model import Finding
from omni_codemods.sources.subject import Function, Subject
from omni_codemods.text.dotted import first_part, last_part

_Calls = dict[str, list[ast.Call]]


def check_keywords(subject: Subject, sibling: Subject) -> Iterator[Finding]:
    """Yield a finding for each call that lacks a keyword, or has one more, than in *sibling*.

    Compared are methods of one name, in them the callees that both files import from the same
    module of the downstream's own package, and of these only such that both methods call as
    often. A call that unpacks keywords is left.
    """
    theirs = dict(_methods(sibling))
    root = first_part(subject.module)
    for name, method in _methods(subject):
        if name not in theirs:
            continue
        there = _own_calls(theirs[name], sibling, root)
        for callee, calls in _own_calls(method, subject, root).items():
            others = there.get(callee, [])
            if len(others) == len(calls):
                yield from _compare(callee, calls, others)


def _methods(subject: Subject) -> Iterator[tuple[str, Function]]:
    for _, cls in subject.classes():
        for node in cls.body:
            if isinstance(node, Function) and node.name != "__init__":
                yield node.name, node


def _own_calls(method: Function, subject: Subject, root: str) -> _Calls:
    """The calls of names that are imported from the package *root*, by dotted path, in order."""
    out: _Calls = {}
    calls = [n for n in ast.walk(method) if isinstance(n, ast.Call)]
    for call in sorted(calls, key=lambda c: (c.lineno, c.col_offset)):
        head, _, rest = ast.unparse(call.func).partition(".")
        path = subject.imports.get(head, "")
        if first_part(path) == root and "(" not in rest:
            out.setdefault(f"{path}.{rest}".rstrip("."), []).append(call)
    return out


def _compare(callee: str, calls: list[ast.Call], others: list[ast.Call]) -> Iterator[Finding]:
    name = last_part(callee)
    for call, other in zip(calls, others, strict=True):
        mine = {keyword.arg for keyword in call.keywords}
        theirs = {keyword.arg for keyword in other.keywords}
        if None in mine | theirs or len(call.args) != len(other.args):
            continue
        for keyword in sorted(filter(None, theirs - mine)):
            message = f"the sibling passes {keyword}= to {name} (line {other.lineno} there)"
            yield _finding(call, message)
        for keyword in sorted(filter(None, mine - theirs)):
            message = f"the sibling does not pass {keyword}= to {name} (line {other.lineno} there)"
            yield _finding(call, message)


def _finding(call: ast.Call, message: str) -> Finding:
    return Finding(
        SIBLING_KEYWORD.code, call.lineno, call.col_offset, message, SIBLING_KEYWORD.remedy
    )
