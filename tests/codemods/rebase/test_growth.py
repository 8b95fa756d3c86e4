"""Twice the work takes twice the steps: counted, since seconds depend on the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest

from omni_codemods.rebase.method import rebase_method

FENCE = "# ---- Omni-new ----"


def method(body: Sequence[str]) -> str:
    lines = "".join(f"        {line}\n" for line in [*body, "return n"])
    return f"class A:\n    def f(self, n):\n{lines}"


def fences(number: int) -> dict[str, str]:
    base = [f"a{i} = self.s{i}(n)" for i in range(number)]
    own = [(one, FENCE, f"self.mine{i}(a{i})", FENCE) for i, one in enumerate(base)]
    return sides(base, [line for part in own for line in part])


def reassigned(number: int) -> dict[str, str]:
    base = ["x = self.step(x)"] * number
    return sides(base, [*base[: number // 2], FENCE, "self.mine(x)", FENCE, *base[number // 2 :]])


def branches(number: int) -> dict[str, str]:
    base = [x for i in range(number) for x in (f"if self.k{i % 4}:", f"    n = self.s{i % 4}(n)")]
    return sides(base, [*base, FENCE, "self.mine(n)", FENCE])


def sides(base: list[str], local: list[str]) -> dict[str, str]:
    return {
        "local": method(local),
        "base": method(base),
        "target": method([*base, "self.more(n)"]),
    }


def steps(made: dict[str, str]) -> int:
    """How many lines of Python run."""
    count = 0

    def line(_frame: FrameType, event: str, _what: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        rebase_method(method="f", local=made["local"], base=made["base"], target=made["target"])
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("make", [fences, reassigned, branches])
def test_twice_the_work_takes_no_more_than_twice_and_a_half(
    make: Callable[[int], dict[str, str]],
) -> None:
    assert steps(make(160)) < 2.5 * steps(make(80))
