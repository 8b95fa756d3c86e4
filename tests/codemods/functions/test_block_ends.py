"""Blocks that begin or end with the upstream's own code."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import Severity
from omni_codemods.functions.align import align
from omni_codemods.functions.block_ends import check_block_ends
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.tree import Tree, parse_function

HEAD = "a = self.a(n)\nb = self.b(a)\n"
BASE = f"{HEAD}if b:\n    self.c(b)\n    self.d(b)\nreturn b\n"
FENCE = "# ---- Omni-new ----\n"


def tree(body: str) -> Tree:
    return parse_function("def f(self, n):\n" + textwrap.indent(body, "    "))


def found(local: str, base: str = BASE) -> list[str]:
    mine = tree(local)
    by_local = align(tree(base), mine)
    findings = list(check_block_ends(mine, function_fences(mine), by_local))
    assert {f.code for f in findings} <= {"OP205"}
    said = [f.message.partition(" of the copy ")[2] for f in findings]
    return [x.replace("statements that its base has word for word: ", "") for x in said]


@pytest.mark.parametrize(
    ("local", "said"),
    [
        (
            f"{FENCE}m = 1\na = self.a(n)\n{FENCE}b = self.b(a)\n",
            "ends with line 4",
        ),
        (
            f"{FENCE}a = self.a(n)\nm = 1\n{FENCE}b = self.b(a)\n",
            "begins with line 3",
        ),
        (
            f"{FENCE}a = self.a(n)\nm = 1\nb = self.b(a)\n{FENCE}",
            "begins and ends with line 3, line 5",
        ),
        (
            f"{FENCE}a = self.a(n)\nb = self.b(a)\n{FENCE}",
            "holds nothing but lines 3-4",
        ),
        (
            f"{HEAD}if b:\n    {FENCE}    m = 1\n    self.c(b)\n    {FENCE}    self.d(b)\n",
            "ends with line 7",
        ),
        (
            f"a = self.a(n)\n{FENCE}m = 1\nb = self.b( a )  # why\n{FENCE}",
            "ends with line 5",
        ),
    ],
)
def test_the_upstreams_statements_at_an_end(local: str, said: str) -> None:
    assert found(local) == [said]


@pytest.mark.parametrize(
    "local",
    [
        f"a = self.a(n)\n{FENCE}m = 1\n{FENCE}b = self.b(a)\n",
        f"a = self.a(n)\n{FENCE}b = self.b(a, m=1)\n{FENCE}",
        f"{FENCE}if m:\n    a = self.a(n)\n{FENCE}b = self.b(a)\n",
        f"{FENCE}with m:\n    a = self.a(n)\n    b = self.b(a)\n{FENCE}",
        f"a = self.a(n)\n{FENCE}m = 1\nb = self.b(a)\nm = 2\n{FENCE}",
        "a = self.a(n)  # Omni-new\nb = self.b(a)\n",
        f"{HEAD}if b:\n    self.c(b)\n    self.d(b)\n{FENCE}elif m:\n    self.c(m)\n{FENCE}",
    ],
)
def test_what_is_local_at_both_ends(local: str) -> None:
    assert found(local) == []


GUARD = "if b:\n    self.c(b)\n    self.d(b)\n"
AROUND = f"{HEAD}{FENCE}m = 1\nself.x(b)\n{FENCE}{GUARD}return b\n"
UPSTREAM = f"{HEAD}self.x(b)\n{GUARD}return b\n"


@pytest.mark.parametrize(
    ("local", "target", "severity"),
    [
        (AROUND, f"{HEAD}self.x(b, 2)\n{GUARD}return b\n", Severity.WARNING),
        (AROUND, f"{HEAD}self.new(b)\nself.x(b)\n{GUARD}return b\n", Severity.WARNING),
        (AROUND, f"{HEAD}if self.t:\n    self.x(b)\n{GUARD}return b\n", Severity.ERROR),
        (AROUND, f"{HEAD}try:\n    self.x(b)\nfinally:\n    b()\n{GUARD}", Severity.ERROR),
        (AROUND, f"{HEAD}if b:\n    self.x(b)\n    self.c(b)\n    self.d(b)\n", Severity.ERROR),
        (AROUND, f"{HEAD}{GUARD}return b\n", Severity.ERROR),
        # All around it went to the same place: so does the block.
        (AROUND, f"with self.t:\n    {HEAD[:-1]}\n".replace("\nb =", "\n    b =")
         + textwrap.indent(f"self.x(b)\n{GUARD}return b\n", "    "), Severity.WARNING),
        (f"{HEAD}{FENCE}m = 1\nself.x(b)\nm = 2\n{FENCE}{GUARD}return b\n",
         f"{HEAD}if self.t:\n    self.x(b)\n{GUARD}return b\n", Severity.ERROR),
        (f"{HEAD}{FENCE}m = 1\nself.x(b)\nm = 2\n{FENCE}{GUARD}return b\n",
         f"{HEAD}self.x(b, 2)\n{GUARD}return b\n", None),
    ],
)  # fmt: skip
def test_upstream_code_in_a_block_that_the_target_has_elsewhere(
    local: str, target: str, severity: Severity | None
) -> None:
    base, mine = tree(UPSTREAM), tree(local)
    by_local, by_target = align(base, mine), align(base, tree(target))
    findings = check_block_ends(mine, function_fences(mine), by_local, 1, by_target)
    assert [f.severity for f in findings] == ([] if severity is None else [severity])
