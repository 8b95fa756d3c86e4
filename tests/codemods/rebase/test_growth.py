"""Twice the code is twice the work, in bodies that give an aligner the most to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from counting import counted
from omni_codemods.checks.run import check_text
from omni_codemods.rebase import rebase_method
from omni_codemods.text.parsing import shared_tree

FENCE = "        # Omni-new\n"
Bodies = tuple[str, str, str]


def method(lines: list[str]) -> str:
    return "class C:\n    def m(self, a):\n" + "".join(f"        {x}\n" for x in lines)


def fenced(n: int) -> Bodies:
    base = [f"x{i} = f{i}(a)" for i in range(n)]
    local = method(base).replace("(a)\n", f"(a)\n{FENCE}        g()\n{FENCE}")
    return method(base), local, method([x if i % 7 else f"{x}.b" for i, x in enumerate(base)])


def few_kinds(n: int) -> Bodies:
    tests = ("a.w", "a.x", "a.y", "a.z")

    def branches(more: Callable[[int], str]) -> str:
        return method([f"if {tests[i % 4]}{more(i)}: self.k = {i % 5}" for i in range(n)])

    return branches(lambda i: ""), branches(lambda i: " > 1"), branches(lambda i: " > 2" * (i % 2))


def equal(n: int) -> Bodies:
    def inserted(name: str, step: int) -> str:
        return method([x for i in range(n) for x in ["f(a)"] + [f"{name}({i})"] * (i % step == 0)])

    return method(["f(a)"] * n), inserted("g", 5), inserted("h", 6)


def rewritten(n: int) -> Bodies:
    return (
        method([f"y{i} = f(a, {i})" for i in range(n)]),
        method([f"y{i} = f(b, {i})" for i in range(n)]),
        method([f"y{i} = f(a, {i}, c)" for i in range(n)]),
    )


def new(n: int) -> Bodies:
    ours, theirs = ([f"{x}{i} = {x}(b, {i})" for i in range(n)] for x in ("n", "m"))
    return method(["a()"]), method(["a()", *ours]), method(["a()", *theirs])


@pytest.mark.parametrize("make", [fenced, few_kinds, equal, rewritten, new])
def test_a_rebase(make: Callable[[int], Bodies]) -> None:
    def work(n: int) -> int:
        base, local, target = make(n)
        shared_tree.cache_clear()
        return counted(lambda: rebase_method(local=local, base=base, target=target, method="m"))[0]

    assert work(400) < 2.5 * work(200)


def test_a_check_of_many_blocks() -> None:
    small, large = (fenced(n)[1] for n in (100, 400))
    assert (
        counted(lambda: list(check_text(large)))[0]
        < 5 * counted(lambda: list(check_text(small)))[0]
    )
