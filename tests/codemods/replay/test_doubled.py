"""Code that runs twice, once in a local edit and once beside it, is accounted for."""

from __future__ import annotations

import pytest

from parsed import replayed

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"
CALL = "self.wait(rows)"
BASE = "a(1)\nb(2)"


def doubled(local: str, target: str, base: str = BASE) -> list[str]:
    """The upstream code that edits stand beside, each."""
    _, items = replayed(base, local, target)
    return [text.strip() for item in items for text in item.doubled]


def between(code: str, *, fenced: bool = True) -> str:
    held = f"{OPEN}{code}\n{CLOSE}" if fenced else f"{code}\n"
    return f"a(1)\n{held}b(2)"


@pytest.mark.parametrize("fenced", [True, False])
@pytest.mark.parametrize(
    ("mine", "theirs", "twin"),
    [
        (f"if self.on:\n    {CALL}", CALL, CALL),
        (f"with self.lock:\n    {CALL}", CALL, CALL),
        (f"for x in xs:\n    if x:\n        {CALL}", CALL, CALL),
        (f"if self.on:\n    {CALL}", f"for y in ys:\n    {CALL}", CALL),
        (f"try:\n    {CALL}\nexcept E:\n    pass", "self.wait(rows, 1)", "self.wait(rows, 1)"),
        (f"{CALL}\nown(3)", f"with lock:\n    {CALL}\n    more(1)", CALL),
    ],
)
def test_a_call_of_the_edit_that_upstream_brought_in(
    mine: str, theirs: str, twin: str, fenced: bool
) -> None:
    assert doubled(between(mine, fenced=fenced), between(theirs, fenced=False)) == [twin]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("if self.on:\n    self.wait(rows)", "self.send(rows)"),  # another call
        ("if self.on:\n    x = 1", "x = 1"),  # nothing runs
        ("self.wait(rows)", "self.wait(rows)"),  # absorbed: it stands once
        ("if self.on:\n    self.wait(rows)", "if self.on:\n    self.wait(rows)"),
        ("if self.on:\n    self.wait(rows)", "x = 1  # self.wait(rows)"),
    ],
)
def test_other_code_does_not_run_twice(mine: str, theirs: str) -> None:
    assert doubled(between(mine), between(theirs, fenced=False)) == []


def test_a_version_of_the_whole_is_shown_once() -> None:
    other = f"if other:\n    {CALL}"
    (shown,) = doubled(between(f"if self.on:\n    {CALL}"), between(other, fenced=False))
    assert shown.split() == other.split()


def test_of_two_arms_only_one_runs() -> None:
    base = "if k:\n    a(1)\nelse:\n    b(2)"
    mine = f"if k:\n    a(1)\n    {OPEN}    self.wait(rows, batch)\n    {CLOSE}else:\n    b(2)"
    arm = "if k:\n    a(1)\nelse:\n    self.wait(rows, batch)\n    b(2)"
    assert doubled(mine, arm, base) == []
    assert doubled(mine, arm + "\nself.wait(rows, batch)", base) == ["self.wait(rows, batch)"]


def test_elsewhere_only_the_same_code_counts_and_no_small_one() -> None:
    base = f"{BASE}\nc(3)\nd(4)"
    local = f"a(1)\n{OPEN}if on:\n    self.wait(rows, batch)\n{CLOSE}b(2)\nc(3)\nd(4)"
    assert doubled(local, f"{BASE}\nc(3)\nself.wait(rows, batch)\nd(4)", base) == [
        "self.wait(rows, batch)"
    ]
    assert doubled(local, f"{BASE}\nc(3)\nself.wait(rows, other)\nd(4)", base) == []
    short = local.replace("self.wait(rows, batch)", "go(1)")
    assert doubled(short, f"{BASE}\nc(3)\ngo(1)\nd(4)", base) == []
