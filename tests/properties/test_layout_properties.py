"""Code that looks equal without its layout is equal: brackets and commas of random statements."""

from __future__ import annotations

import ast

from hypothesis import example, given, reject
from hypothesis import strategies as st

from omni_codemods.text.lexer import CLOSERS, OPENERS
from parsed import statement

NAMES = ("a", "b", "await_", "match", "in_")
SHAPES = (
    "({0})",
    "({0}, {1})",
    "({0},)",
    "{0}, {1}",
    "[{0}, {1}]",
    "[{0}]",
    "{{{0}: {1}}}",
    "{{{0}, {1}}}",
    "{0} + {1}",
    "-{0}",
    "{0} ** {1}",
    "not {0}",
    "{0} and {1}",
    "{0} in {1}",
    "{0} < {1}",
    "{0} if {1} else a",
    "a if {0} else {1}",
    "lambda: {0}",
    "lambda x={0}: {1}",
    "b := {0}",
    "yield {0}",
    "yield",
    "await {0}",
    "*{0}",
    "f({0})",
    "f({0},)",
    "f({0}, {1})",
    "f(x={0}, *{1})",
    "{0}({1})",
    "{0}.x",
    "{0}[{1}]",
    "{0}[{1},]",
    "a[{0}:{1}]",
    "{0} for x in {1}",
    "[{0} for x in a if {1}]",
    "[x for ({0}) in {1}]",
    "[x async for x in {0} if {1} if a]",
)
STATEMENTS = (
    "{0}",
    "x = {0}",
    "x = {0} = {1}",
    "{0} = {1}",
    "x += {0}",
    "x: {0} = {1}",
    "({0}): int",
    "return {0}",
    "yield {0}",
    "x = yield {0}",
    "yield from {0}",
    "assert {0}, {1}",
    "assert {0}",
    "del {0}",
    "raise {0} from {1}",
    "if {0}:\n    pass",
    "while {0}:\n    pass",
    "for {0} in {1}:\n    pass",
    "for x in {0}:\n    pass",
    "async for ({0}) in {1}:\n    pass",
    "with {0}:\n    pass",
    "with {0} as x:\n    pass",
    "with ({0} as x, {1}):\n    pass",
    "async with {0}, {1}:\n    pass",
    "def g(x={0}, *y) -> {1}:\n    pass",
    "class G({0}, x={1}):\n    pass",
    "match {0}:\n    case _:\n        pass",
    "match ({0}), {1}:\n    case _:\n        pass",
    "type_ = {0}",
    "global a",
)


def expressions() -> st.SearchStrategy[str]:
    """Nested expressions as text; not all of them are Python."""

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(
            lambda shape, *parts: shape.format(*parts), st.sampled_from(SHAPES), inner, inner
        )

    atoms = st.sampled_from((*NAMES, "1", "1.5", "'s'", "None", "..."))
    return st.recursive(atoms, larger, max_leaves=6)


def dumped(text: str) -> str | None:
    """The syntax tree of a statement, nothing where it is no Python.

    ``del (a, b)`` is another tree than ``del a, b``, and does the same.
    """
    body = "".join(f"    {line}\n" for line in text.splitlines())
    try:
        tree = ast.parse(f"async def f():\n{body}")
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Delete):
            node.targets = [one for target in node.targets for one in _targets(target)]
    return ast.dump(tree)


def _targets(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.Tuple):
        return [node]
    return [one for part in node.elts for one in _targets(part)]


def pairs_of(text: str) -> list[tuple[int, int]]:
    """The positions of each parenthesis and its partner; strings hold none."""
    stack: list[int] = []
    out: list[tuple[int, int]] = []
    for i, char in enumerate(text):
        if char in OPENERS:
            stack.append(i)
        elif char in CLOSERS and stack:
            start = stack.pop()
            if char == ")":
                out.append((start, i))
    return out


@given(st.sampled_from(STATEMENTS), expressions(), expressions())
@example("match ({0}), {1}:\n    pass", "a", "b")
@example("x = {0}", "lambda x=(a, b): x", "a")
@example("for x in {0}:\n    pass", "a in (b, a)", "a")
@example("{0}", "case_((a,))", "a")
def test_equal_without_layout_is_equal(shape: str, one: str, other: str) -> None:
    text = shape.format(one, other)
    meant = dumped(text)
    if meant is None:
        reject()
    key = statement(text).key
    fewer = [text[:a] + " " + text[a + 1 : b] + " " + text[b + 1 :] for a, b in pairs_of(text)]
    fewer += [text[:i] + text[i + 1 :] for i, char in enumerate(text) if char == ","]
    for changed in fewer:
        if dumped(changed) not in (None, meant):
            assert statement(changed).key != key, changed
