"""Every edit, what it is called, and which node of local belongs to which."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import EditKind, Evidence, Outcome, Span
from omni_codemods.functions.account import Account, Item, own_comments, render_diff
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.tree import Tree
from parsed import node, replayed, tree_of

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"


def account_of(body: str) -> tuple[Tree, Account]:
    tree = tree_of(body)
    return tree, Account(function_fences(tree).blocks, tree)


def edit(*, fenced: bool = True) -> Item:
    return Item(EditKind.BLOCK if fenced else EditKind.DRIFT, "x", 2, 4, "mine()")


# -- who owns what --------------------------------------------------------------------------


def test_a_block_owns_what_stands_between_its_fences() -> None:
    tree, account = account_of(f"a(1)\n{OPEN}b(2)\n{CLOSE}c(3)")
    (item,) = account.items
    assert (item.start, item.end, item.summary, item.label) == (3, 5, "b(2)", "x")
    assert account.owner(node(tree, "b(2)")) is item
    assert account.owner(node(tree, "# PATCH START")) is item
    assert account.owner(node(tree, "# PATCH END")) is item
    assert account.owner(node(tree, "a(1)")) is None
    assert account.owner(node(tree, "c(3)")) is None


def test_the_innermost_block_owns() -> None:
    body = f"{OPEN}if a:\n    {OPEN}    b(2)\n    {CLOSE}    c(3)\n{CLOSE}"
    tree, account = account_of(body)
    outer, inner = sorted(account.items, key=lambda i: i.start)
    assert account.owner(node(tree, "b(2)")) is inner
    assert account.owner(node(tree, "c(3)")) is outer
    assert account.owner(node(tree, "if a")) is outer


def test_a_block_that_covers_a_part_of_a_compound_does_not_own_it() -> None:
    tree, account = account_of(f"if a:\n    {OPEN}    b(2)\n    {CLOSE}else:\n    c(3)")
    compound = node(tree, "if a").parent
    assert compound is not None
    assert account.owner(compound) is None
    assert account.touches_block(compound)
    assert not account.touches_block(node(tree, "else"))


@pytest.mark.parametrize(
    ("statement", "owned"),
    [
        ("b(2)  # Omni-new", True),
        ("b(\n    2,\n)  # Omni-new", True),
        ("b(\n    2,  # Omni-new\n    3,\n)", False),
        ("b(\n    3,\n    2,  # Omni-new\n)", False),
    ],
)
def test_a_trailing_marker_owns_its_statement_only_at_its_end(statement: str, owned: bool) -> None:
    tree, account = account_of(f"a(1)\n{statement}\nc(3)")
    (item,) = account.items
    found = node(tree, "b(")
    assert account.owns(found, item) is owned
    assert account.inside(found) == ([] if owned else [item])
    assert account.owner(found) is item
    assert account.owner(node(tree, "a(1)")) is None
    assert account.owner(node(tree, "c(3)")) is None


@pytest.mark.parametrize("where", ["a,\n    {}m,\n    {}", "{}m,\n    {}a,"])
def test_a_block_inside_a_bracket(where: str) -> None:
    inner = where.format(OPEN.strip() + "\n    ", CLOSE.strip() + "\n    ")
    tree, account = account_of(f"f(\n    {inner}\n)")
    (item,) = account.items
    assert account.inside(node(tree, "f(")) == [item]
    assert not account.owns(node(tree, "f("), item)


def test_blocks_come_before_drift_on_a_line() -> None:
    tree, account = account_of(f"a(1)\n{OPEN}b(2)\n{CLOSE}c(3)")
    (block,) = account.items
    drift = account.drift([node(tree, "a(1)"), node(tree, "c(3)")], 2)
    drift.modifies = True
    assert account.lines() == {2: drift, 3: block, 4: block, 5: block, 6: drift}


def test_a_line_belongs_to_the_innermost_block() -> None:
    _, account = account_of(
        f"{OPEN}a(1)\n{OPEN}b(2)\n{CLOSE}x = f(\n    c,  # Omni-new\n)\n{CLOSE}"
    )
    outer, inner, marked = sorted(account.items, key=lambda i: i.start)
    lines = account.lines()
    assert [n for n in lines if lines[n] is inner] == [4, 5, 6]
    assert [n for n in lines if lines[n] is marked] == [8]
    assert sorted(n for n in lines if lines[n] is outer) == [2, 3, 7, 9, 10]


def test_a_deletion_has_no_lines() -> None:
    tree, account = account_of("a(1)\nb(2)")
    gap = account.drift([], 2)
    gap.deletes = True
    assert account.lines() == {}
    assert (gap.start, gap.end) == (2, 2)
    del tree


# -- what an edit is ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "fenced", "change"),
    [
        (("inserts",), True, "insertion"),
        (("inserts", "deletes"), True, "replacement"),
        (("deletes",), False, "deletion"),
        (("modifies",), False, "modification"),
        (("inserts", "wraps"), False, "wrap"),
        ((), True, "insertion"),
        ((), False, "deletion"),
    ],
)
def test_the_kind_of_change(flags: tuple[str, ...], fenced: bool, change: str) -> None:
    item = edit(fenced=fenced)
    for flag in flags:
        setattr(item, flag, True)
    assert item.change == change


def test_the_worst_outcome_and_the_least_sure_evidence_count() -> None:
    item = edit()
    item.say(Outcome.ABSORBED, Evidence.GUESSED, "one")
    item.say(Outcome.CARRIED, Evidence.EXACT, "two")
    item.say(Outcome.CARRIED, Evidence.GUESSED, "three")
    item.say(Outcome.CARRIED, Evidence.GUESSED, "four")
    item.say(Outcome.CARRIED, Evidence.GUESSED, "three")
    said = item.outcome(1, None)
    assert (said.outcome, said.evidence, said.reason) == (
        Outcome.CARRIED,
        Evidence.GUESSED,
        "three; four",
    )
    item.say(Outcome.CONFLICT, Evidence.EXACT, "five")
    assert item.outcome(1, None).outcome is Outcome.CONFLICT
    item.say(Outcome.ORPHAN, Evidence.GUESSED, "six")
    assert item.outcome(1, None).outcome is Outcome.ORPHAN


def test_what_nobody_spoke_of_is_unchanged() -> None:
    said = edit().outcome(1, Span(7, 9))
    assert (said.outcome, said.reason, said.result) == (Outcome.CARRIED, "unchanged", Span(7, 9))


def test_lines_count_in_the_file() -> None:
    assert edit().outcome(11, None).edit.span == Span(12, 14)


def test_overruled_changes_are_added_up() -> None:
    item = edit()
    item.overrule("f(1)\n", "f(2)\n")
    item.overrule("", "g()\n")
    assert item.outcome(1, None).overruled == "@@ -1 +1 @@\n-f(1)\n+f(2)\n@@ -0,0 +1 @@\n+g()\n"


def test_a_diff_has_no_file_names() -> None:
    assert render_diff("a\nb\n", "a\nc\n") == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert render_diff("a\n", "a\n") == ""


def test_a_carried_comment_is_a_remark_and_a_lost_one_is_not() -> None:
    _, items = replayed("a(1)\nb(2)", "a(1)\n# ours\nb(2)", "a(1)\nb(2)\nc(3)")
    assert [i.is_remark for i in items] == [True]
    item = edit(fenced=False)
    item.say(Outcome.ORPHAN, Evidence.GUESSED, "gone")
    assert not item.is_remark
    assert not edit().is_remark


def test_comments_among_the_tokens_of_a_statement() -> None:
    tree = tree_of("f(\n    a,  # one\n)  # two\n# three\nb")
    assert [t.text for t in own_comments(node(tree, "f("))] == ["# one", "# two"]
    assert own_comments(node(tree, "# three")) == []
