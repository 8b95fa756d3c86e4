"""A parenthesis that became a tuple of one (OP313)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from omni_codemods.audit.counting import merged_rows
from omni_codemods.audit.model import Audited, Example, Rule, found
from omni_codemods.audit.reading import Row, Side, suites_of
from omni_codemods.findings.audit_codes import NEW_TUPLE
from omni_codemods.findings.model import Finding
from omni_codemods.text.walks import children, shape, walk


def check(audited: Audited) -> Iterator[Finding]:
    """Yield a finding for each tuple of one element in a merged row that is in no input."""
    # The key has no comma before a bracket, so `(x)` and `(x,)` are one: ask all rows of odd ones.
    fresh = {id(row) for row in merged_rows(audited)}
    suspects = [r for r in audited.result.rows if id(r) in fresh or _is_odd(r)]
    for row in suspects:
        if id(row) not in fresh and _stands(audited, row):
            continue
        for one in _tuples(row):
            if not any(shape(one) in _known(side) for side in audited.inputs):
                text = ast.unparse(one)
                message = f"a tuple of one, which no version that went in has: {text}"
                yield found(NEW_TUPLE, audited.result.place(row), message, one.col_offset)


def _is_odd(row: Row) -> bool:
    flat = "".join(row.source.split())
    return ",)" in flat or flat.endswith((",", ",:"))


def _stands(audited: Audited, row: Row) -> bool:
    return any(
        other.source == row.source
        for side in audited.inputs
        for other in side.by_key.get(row.key, ())
    )


def _tuples(row: Row) -> Iterator[ast.Tuple]:
    for inner in _own(row.node):
        if isinstance(inner, ast.Tuple) and len(inner.elts) == 1:
            yield inner


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement or header, without its suites."""
    below = {id(inner) for _, suite in suites_of(node) for inner in suite}
    for child in children(node):
        if id(child) not in below:
            yield from walk(child)


def _known(side: Side) -> set[str]:
    return {shape(one) for row in side.rows if _is_odd(row) for one in _tuples(row)}


_BASE = (
    "def f(self, n):\n    if (\n        self.a\n        and n\n    ):\n"
    "        return 1\n    return 2\n"
)

RULE = Rule(
    NEW_TUPLE,
    check,
    Example(
        base=_BASE,
        local=_BASE.replace("        and n\n", "        and self.mine\n        and n\n"),
        target=_BASE.replace("        and n\n", "        and n\n        and self.theirs\n"),
        wrong=_BASE.replace(
            "        and n\n", "        and self.mine\n        and n\n        and self.theirs,\n"
        ),
        right=_BASE.replace(
            "        and n\n", "        and self.mine\n        and n\n        and self.theirs\n"
        ),
    ),
)
