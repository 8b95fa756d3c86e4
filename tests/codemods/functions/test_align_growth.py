"""How long it takes to tell which statement is which, up to 10,000 of them."""

from __future__ import annotations

import functools

import pytest

from counting import counted
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import Alignment
from omni_codemods.functions.tree import Tree, parse_function
from parsed import suite, tree_of


def long_body(count: int, step: int = 1) -> str:
    """Statements that are all different; every *step*-th of them is changed."""
    return "\n".join(
        f"value_{i} = self.compute_{i}(rows, {i if i % step else -i})" for i in range(count)
    )


@functools.cache
def long_tree(count: int, step: int = 1) -> Tree:
    return parse_function(suite(long_body(count, step)))


def calls(one: Tree, other: Tree) -> tuple[int, Alignment]:
    return counted(lambda: align(one, other))


@pytest.mark.parametrize(("count", "step"), [(10_000, 50), (8_000, 20)])
def test_10_000_statements(count: int, step: int) -> None:
    called, alignment = calls(long_tree(10_000), long_tree(count, step))
    assert called < 1_000 * 10_000
    assert len(alignment.right) > 0.99 * count


def test_10_000_equal_statements() -> None:
    one, other = tree_of("step()\n" * 10_000), tree_of("step()\n" * 9_900 + "last(1)\n")
    called, alignment = calls(one, other)
    assert called < 1_000 * 10_000
    assert len(alignment.right) > 9_900


def test_growth_is_near_linear() -> None:
    small, _ = calls(long_tree(1_000), long_tree(1_000, 20))
    large, _ = calls(long_tree(8_000), long_tree(8_000, 20))
    assert large < 10 * small  # n·log n would be 10.4 times, quadratic 64


def test_rewritten_statements_cost_the_same_each() -> None:
    def work(n: int) -> int:
        left = "\n".join(f"self.before(item_{i % 7}, {i % 13}, key=a)" for i in range(n))
        right = "\n".join(f"self.after(entry_{i % 5}, {i % 11}, other=b)" for i in range(n))
        return calls(tree_of(left), tree_of(right))[0]

    assert work(1_000) < 2.5 * work(500)
