"""Two edits of one expression, merged as text: what comes out is both edits of the syntax tree."""

from __future__ import annotations

import ast
import copy
import textwrap
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from omni_codemods.replay.merge.brackets import Merge
from omni_codemods.replay.merge.statement import merge_statement
from parsed import statement

FRAMES = ("return {}", "y = {}", "assert {}", "f(k={})", "if {}:\n    pass", "return (\n    {}\n)")


def expression(random: Random, depth: int) -> ast.expr:
    """A random expression of names, operators, calls and tuples."""
    name = ast.Name(random.choice("abcdefgh"))
    if depth == 0:
        return name
    parts = [expression(random, depth - 1) for _ in range(3)]
    operator = random.choice((ast.And(), ast.Or()))
    return random.choice(
        (
            name,
            ast.BoolOp(operator, parts[: random.choice((2, 3))]),
            ast.BinOp(parts[0], random.choice((ast.Add(), ast.Mult(), ast.Sub())), parts[1]),
            ast.UnaryOp(ast.Not(), parts[0]),
            ast.IfExp(*parts),
            ast.Compare(parts[0], [ast.Eq()], [parts[1]]),
            ast.Tuple(parts[:2]),
            ast.Call(ast.Name("g"), parts[:1], [ast.keyword("k", parts[1])]),
        )
    )


def names_in(tree: ast.AST) -> list[ast.Name]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id != "g"]


def edited(tree: ast.expr, edits: dict[int, ast.expr]) -> str:
    """The expression with the names at some places replaced, as text."""
    changed = copy.deepcopy(ast.Expression(tree))
    places = {id(n): edits[k] for k, n in enumerate(names_in(changed)) if k in edits}

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return places.get(id(node), node)

    return ast.unparse(Put().visit(changed))


def new_code(random: Random, old: str, name: str) -> ast.expr:
    old_name, new_name = ast.Name(old), ast.Name(name)
    return random.choice(
        (
            new_name,
            ast.UnaryOp(ast.Not(), old_name),
            ast.BinOp(old_name, ast.Mult(), new_name),
            ast.BoolOp(ast.And(), [old_name, new_name]),
            ast.Call(ast.Name("g"), [old_name, new_name], []),
        )
    )


def meaning(text: str) -> str:
    tree = ast.parse(f"def q():\n{textwrap.indent(text, '    ')}")
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):  # `(a and b) and c` is `a and b and c`
            while any(_is_same(v, node) for v in node.values):
                node.values = [w for v in node.values for w in _values(v, node)]
    return ast.dump(tree)


def _is_same(value: ast.expr, node: ast.BoolOp) -> bool:
    return isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)


def _values(value: ast.expr, node: ast.BoolOp) -> list[ast.expr]:
    same = isinstance(value, ast.BoolOp) and _is_same(value, node)
    return value.values if same and isinstance(value, ast.BoolOp) else [value]


@given(seed=st.integers(0, 2**32), frames=st.lists(st.sampled_from(FRAMES[:2] + FRAMES[5:])))
def test_two_edits_are_both_made_or_asked_about(seed: int, frames: list[str]) -> None:
    random = Random(seed)
    tree = expression(random, 3)
    names = names_in(tree)
    assume(len(names) > 1)
    one, other = random.sample(range(len(names)), 2)
    mine = {one: new_code(random, names[one].id, "mine")}
    theirs = {other: new_code(random, names[other].id, "theirs")}
    frame = random.choice(FRAMES)
    base, local, target, both = (
        frame.format(edited(tree, edits)) for edits in ({}, mine, theirs, mine | theirs)
    )
    if frame == FRAMES[0] and frames:  # a formatter put parentheses around one side
        local = local if len(frames) % 2 else FRAMES[5].format(edited(tree, mine))
    merged = merge_statement(statement(base), statement(local), statement(target), Merge())
    if merged is not None:
        whole = textwrap.dedent(merged)
        body = f"{whole}    pass\n" if frame.endswith("pass") else whole
        assert meaning(body) == meaning(both)
