"""Where the findings of a rebase stand, and what they say."""

from __future__ import annotations

import textwrap

import pytest

from omni_codemods.findings.model import Finding, RebaseResult
from omni_codemods.rebase.method import rebase_method

FENCE = "# ---- Omni-new ----\n"
BEFORE = "p = self.p(n)\nq = self.q(p)\n"
AFTER = "self.end(q)\nreturn q\n"


def method(body: str, above: str = "") -> str:
    body = textwrap.indent(BEFORE + body + AFTER, "    ")
    return above + "class R:\n" + textwrap.indent(f"def f(self, n):\n{body}", "    ")


def rebase(base: str, local: str, target: str, above: str = "") -> RebaseResult:
    return rebase_method(
        local=method(local, above), base=method(base), target=method(target), method="f"
    )


def line_of(result: RebaseResult, finding: Finding) -> str:
    return result.text.split("\n")[finding.line - 1]


BASE = "a = self.a(n)\nself.go(a, 1)\nself.talk(a)\n"
TARGET = "b = self.b(n)\nself.go(b, 3)\nself.talk(b)\n"


@pytest.mark.parametrize("above", ["", "import os\n\nprint(os)\n\n"])
@pytest.mark.parametrize(
    "conflict", ["self.go(a, 2)\n", "if self.mine:\n    self.more()\nself.go(a, 2)\n"]
)
def test_a_name_below_a_conflict_stands_on_its_line_of_the_file(conflict: str, above: str) -> None:
    local = f"a = self.a(n)\n{conflict}self.talk(a)\n{FENCE}self.mine(a)\n{FENCE}"
    result = rebase(BASE, local, TARGET, above)
    assert result.conflicts
    found = [f for f in result.findings if f.code == "OP402"]
    assert found
    assert all("(a" in line_of(result, f) for f in found)


def test_a_name_in_a_string_or_a_comment_is_not_the_place() -> None:
    local = f'self.go(1)\n{FENCE}log("a # a", n)  # a\nself.mine(a)\n{FENCE}self.talk(n)\n'
    target = "self.go(2)\nself.talk(n)\n"
    base = "a = self.a()\nself.go(1)\nself.talk(n)\n"
    result = rebase(base, "a = self.a()\n" + local, target, "log = print\n")
    found = [f for f in result.findings if f.code == "OP402"]
    assert [line_of(result, f).strip() for f in found] == ["self.mine(a)"]
    assert found[0].column == len("        self.mine(")


def test_a_forgotten_fence_is_found_at_its_line_of_the_result() -> None:
    local = f"a = self.a(n)\n{FENCE}self.mine(a)\nself.go(a, 1)\n{FENCE}self.talk(a)\n"
    target = "a = self.a(n)\nself.new(a)\nself.more(a)\nself.go(a, 1)\nself.talk(a)\n"
    result = rebase(BASE, local, target)
    found = [f for f in result.findings if f.code == "OP205"]
    assert [line_of(result, f).strip() for f in found] == ["self.go(a, 1)"]


def test_labels_that_differ_stand_at_their_line_of_the_result() -> None:
    local = "a = self.a(n)\n# PATCH START: x\nself.mine(a)\n# PATCH END: y\nself.go(a, 1)\n"
    target = "a = self.a(n)\nself.new(a)\nself.go(a, 1)\nself.talk(a)\n"
    result = rebase(BASE, local + "self.talk(a)\n", target, "import os\n\nprint(os)\n")
    found = [f for f in result.findings if f.code == "OP202"]
    assert [line_of(result, f).strip() for f in found] == ["# PATCH END: y"]
    assert "(line 9)" in found[0].message  # of the copy


BEHIND = [
    f"{FENCE}self.mine(a)\nself.more(a)  # ---- Omni-new ----\n",
    "if self.mine:  # Omni-new start\n    self.more(a)\n# Omni-new end\n",
    "self.mine(a)  # Omni-new start\nself.more(a)  # Omni-new end\n",
    "# Omni-new start\nif self.mine:\n    self.more(a)  # Omni-new end\n",
    "self.mine(a)  # PATCH START: x\nself.more(a)  # PATCH END: x\n",
    "self.mine(a)  # ---- Omni-new ----\n",
    "# — Omni-new: why —\nself.mine(a)\n# ———————\n",
    "# --- Omni-new: reason ---\nself.mine(a)\n# --- Omni-new: reason ---\n",
]


@pytest.mark.parametrize("block", BEHIND)
def test_blocks_with_fences_behind_code_are_carried_whole(block: str) -> None:
    base = "a = self.a(n)\nb = self.b(a)\n"
    local = f"a = self.a(n)\n{block}b = self.b(a)\n"
    result = rebase(base, local, "a = self.a(n)\nself.new(a)\nb = self.b(a, 1)\n")
    wanted = f"a = self.a(n)\nself.new(a)\n{block}b = self.b(a, 1)\n"
    assert result.text == method(wanted)
    assert [e.edit.kind.value for e in result.edits] == ["block"]


def test_a_block_between_fences_behind_code_moves_as_one() -> None:
    block = "self.mine(a)  # Omni-new start\nb = self.b2(a)  # Omni-new end\n"
    base = "a = self.a(n)\nb = self.b(a)\n"
    target = "with self.w():\n    a = self.a(n)\n    b = self.b(a)\n"
    result = rebase(base, f"a = self.a(n)\n{block}", target)
    wanted = "with self.w():\n    a = self.a(n)\n" + textwrap.indent(block, "    ")
    assert result.text == method(wanted)
