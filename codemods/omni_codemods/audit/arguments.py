"""A merged call or signature that Python does not take (OP315)."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterator, Sequence

from omni_codemods.audit.counting import merged_rows
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import suites_of
from omni_codemods.findings.audit_codes import BAD_CALL
from omni_codemods.findings.model import Finding
from omni_codemods.text.walks import children, shape, walk


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for what a merged statement does wrong with arguments.

    A keyword or parameter given twice; and a positional argument that slid to an earlier place,
    because the one before it is a keyword now.
    """
    fresh = {row.key for row in merged_rows(audited)}
    for key in fresh:
        for row in audited.result.by_key[key]:
            for node, why in _faults(audited, row.node):
                yield found(BAD_CALL, audited.result.place_of(node), why, node.col_offset)


def _faults(audited: Audited, owner: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
        taken = owner.args
        every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
        names = [a.arg for a in (*every, taken.vararg, taken.kwarg) if a is not None]
        for name in _twice(names):
            yield owner, f"the parameter {name} stands in the signature twice"
        return
    for call in _calls(owner):
        for name in _twice([k.arg for k in call.keywords if k.arg is not None]):
            yield call, f"the keyword {name} is given twice"
        if slid := _slid(audited, call):
            yield call, slid


def _twice(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    below = {id(inner) for _, suite in suites_of(node) for inner in suite}
    for child in children(node):
        if id(child) not in below:
            for inner in walk(child):
                if isinstance(inner, ast.Call):
                    yield inner


def _slid(audited: Audited, call: ast.Call) -> str:
    """Say which positional argument of *call* has lost the place that it had in its own version."""
    if any(isinstance(a, ast.Starred) for a in call.args):
        return ""
    callee, here = shape(call.func), [shape(a) for a in call.args]
    keywords = {shape(k.value) for k in call.keywords}.difference(here)
    for side in (audited.frame, audited.edited):
        places = _places(side.function)
        for at, argument in enumerate(here):
            for before in places.get((callee, argument), ()):
                if len(before) > at and not keywords.isdisjoint(before):
                    text, place = ast.unparse(call.args[at]), len(before) + 1
                    return f"{text} is argument {at + 1} here, and {place} where it came from"
    return ""


@functools.lru_cache(maxsize=4)
def _places(function: ast.AST) -> dict[tuple[str, str], dict[tuple[str, ...], None]]:
    """For each callee and positional argument what stands before it, call by call."""
    out: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
    for node in walk(function):
        if isinstance(node, ast.Call):
            callee, given = shape(node.func), tuple(shape(a) for a in node.args)
            for argument in given:
                before = given[: given.index(argument)]
                out.setdefault((callee, argument), {})[before] = None
    return out


_BASE = "def f(self, a, b):\n    return self.run(a, b, self.heads)\n"

RULE = Rule(
    BAD_CALL,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("self.heads", "heads=self.heads"),
        target=_BASE.replace("self.heads", "self.heads, self.kind"),
        wrong=_BASE.replace("self.heads", "self.kind, heads=self.heads"),
        right=_BASE.replace("self.heads", "heads=self.heads, kind=self.kind"),
    ),
)
