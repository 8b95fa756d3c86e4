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


# -- what the upstream renamed away ---------------------------------------------------------

READS = "r = int(self.server_rank)\n"
RENAMED = "r = int(self.role_rank)\n"
RANK = ("self.server_rank", "self.role_rank")
GPU = ("self.pos.gpu", "self.pos")
MINE = f"{FENCE}self.topology = make(self.server_rank)\n{FENCE}"


def found_in(result: RebaseResult, code: str) -> list[tuple[str, str]]:
    """The line and the message of each finding of *code*."""
    return [(line_of(result, f).strip(), f.message) for f in result.findings if f.code == code]


@pytest.mark.parametrize(
    ("base", "block", "target", "names"),
    [
        (READS, MINE, RENAMED, RANK),
        (READS, MINE.replace("rank)", "rank.id)"), RENAMED, RANK),
        (
            "p = self.pos.gpu[:n]\n",
            f"{FENCE}talk(self.pos.gpu)\n{FENCE}",
            "p = self.pos[:n]\n",
            GPU,
        ),
        (
            "p = self.pos[:n]\n",
            f"{FENCE}talk(self.pos)\n{FENCE}",
            "p = self.pos.gpu[:n]\n",
            GPU[::-1],
        ),
        (READS, f"{FENCE}if self.server_rank:\n    talk()\n{FENCE}", RENAMED, RANK),
        (READS, "talk(self.server_rank)\n", RENAMED, RANK),
        (READS, "talk(self.server_rank)  # Omni-new\n", RENAMED, RANK),
        (READS, f"{FENCE}with lock(r=self.server_rank):\n    talk()\n{FENCE}", RENAMED, RANK),
        (READS, f'{FENCE}talk(f"{{self.server_rank}}")\n{FENCE}', RENAMED, RANK),
        (READS, f"{FENCE}def late():\n    return self.server_rank\n{FENCE}", RENAMED, RANK),
    ],
)
def test_a_carried_edit_that_says_what_was_renamed(
    base: str, block: str, target: str, names: tuple[str, str]
) -> None:
    old, new = names
    result = rebase(base, base + block, target)
    found = found_in(result, "OP404")
    assert len(found) == 1
    assert old in found[0][0]
    assert f"says {old}," in found[0][1]
    assert f"now says {new} " in found[0][1]
    assert result.needs_person


@pytest.mark.parametrize(
    ("base", "block", "target"),
    [
        (READS, MINE, READS + "self.new(n)\n"),
        (READS, MINE, RENAMED + "self.check(self.server_rank)\n"),
        (READS, f"{FENCE}self.server_rank = 1\ntalk(self.server_rank)\n{FENCE}", RENAMED),
        (READS, f"{FENCE}talk(self.role_rank)\n{FENCE}", RENAMED),
        (READS, f"{FENCE}talk(other.server_rank)\n{FENCE}", RENAMED),
        (READS, MINE, "self.new(n)\n"),  # gone, and nothing shows what for
    ],
)
def test_what_was_not_renamed_away(base: str, block: str, target: str) -> None:
    assert found_in(rebase(base, base + block, target), "OP404") == []


def test_another_method_of_the_file_may_show_the_new_name() -> None:
    def file(body: str, rank: str) -> str:
        return method(body) + f"    def setup(self, c):\n        self.{rank} = c.rank(1)\n"

    result = rebase_method(
        local=method(f"a = self.a(n)\n{MINE}"),
        base=file("a = self.a(n)\n", "server_rank"),
        target=file("a = self.a(n, 1)\n", "role_rank"),
        method="f",
    )
    assert [line for line, _ in found_in(result, "OP404")] == [
        "self.topology = make(self.server_rank)"
    ]


# -- what stands in decorators and defaults -------------------------------------------------


@pytest.mark.parametrize(
    ("above", "head", "name"),
    [
        ("@helper\n", "def f(self, n):", "helper"),
        ("@helper(1)\n", "def f(self, n):", "helper"),
        ("", "def f(self, n, k=SIZE):", "SIZE"),
        ("", "def f(self, n, *, k=SIZE + 1):", "SIZE"),
        ("@tools.helper\n", "def f(self, n):", "tools"),
        ("", "def f(self, n, k=(SIZE, 1)):", "SIZE"),
    ],
)
def test_a_new_decorator_or_default_that_nothing_binds(above: str, head: str, name: str) -> None:
    base = method("a = self.a(n)\n")
    local = method(f"a = self.a(n)\n{FENCE}self.mine(a)\n{FENCE}")
    target = base.replace("def f(self, n):", head)
    above = textwrap.indent(f"{name} = make()\n{above}", "    ")
    target = target.replace("class R:\n", f"class R:\n{above}")
    result = rebase_method(local=local, base=base, target=target, method="f")
    assert [m for _, m in found_in(result, "OP401")] == [
        f"{name} is not bound: nothing here binds it"
    ]
    known = local.replace("class R:\n", f"class R:\n    {name} = make()\n")
    result = rebase_method(local=known, base=base, target=target, method="f")
    assert found_in(result, "OP401") == []
