"""How long it takes to tell which statement is which, up to 10,000 of them."""

from __future__ import annotations

import functools
import time

import pytest

from omni_codemods.align import Alignment, align
from omni_codemods.tree import Tree, parse_function
from parsed import suite, tree_of


def long_body(count: int, step: int = 1) -> str:
    """Statements that are all different; every *step*-th of them is changed."""
    return "\n".join(
        f"value_{i} = self.compute_{i}(rows, {i if i % step else -i})" for i in range(count)
    )


@functools.cache
def long_tree(count: int, step: int = 1) -> Tree:
    return parse_function(suite(long_body(count, step)))


def seconds(one: Tree, other: Tree) -> tuple[float, Alignment]:
    start = time.perf_counter()
    alignment = align(one, other)
    return time.perf_counter() - start, alignment


@pytest.mark.parametrize(("count", "step"), [(10_000, 50), (8_000, 20)])
def test_10_000_statements(count: int, step: int) -> None:
    taken, alignment = seconds(long_tree(10_000), long_tree(count, step))
    assert taken < 5
    assert len(alignment.right) > 0.99 * count


def test_10_000_equal_statements() -> None:
    one, other = tree_of("step()\n" * 10_000), tree_of("step()\n" * 9_900 + "last(1)\n")
    taken, alignment = seconds(one, other)
    assert taken < 5
    assert len(alignment.right) > 9_900


def test_growth_is_near_linear() -> None:
    small, _ = seconds(long_tree(1_000), long_tree(1_000, 20))
    large, _ = seconds(long_tree(8_000), long_tree(8_000, 20))
    assert large < 40 * max(small, 0.01)  # quadratic would be 64 times


def test_10_000_rewritten_statements_end_in_time() -> None:
    left = "\n".join(f"self.before(item_{i % 7}, {i % 13}, key=a)" for i in range(10_000))
    right = "\n".join(f"self.after(entry_{i % 5}, {i % 11}, other=b)" for i in range(10_000))
    taken, _ = seconds(tree_of(left), tree_of(right))
    assert taken < 10
