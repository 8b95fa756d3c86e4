"""Hunks out of the way, and back."""

from __future__ import annotations

import ast

import pytest

from omni_codemods.functions.conflict_markers import (
    Hidden,
    blank_hunks,
    hide_hunks,
    resolve_hunks,
    show_hunks,
)

STATEMENTS = "<<<<<<< l\n    a()\n||||||| b\n    b()\n=======\n    c()\n    d()\n>>>>>>> t\n"
EMPTY_TARGET = "<<<<<<< l\n    a()\n||||||| b\n    b()\n=======\n>>>>>>> t\n"
EMPTY_LOCAL = "<<<<<<< l\n||||||| b\n    b()\n=======\n>>>>>>> t\n"
HEADER = "<<<<<<< l\n    if a:\n||||||| b\n    if b:\n=======\n    if c:\n>>>>>>> t\n        e()\n"
BEFORE, AFTER = "def run():\n    first()\n", "    last()\n"
SHAPES = pytest.mark.parametrize("hunk", [STATEMENTS, EMPTY_TARGET, EMPTY_LOCAL, HEADER])


def shown(text: str, hidden: list[Hidden]) -> str | None:
    found = show_hunks(text, hidden)
    return None if found is None else found[0]


@SHAPES
def test_there_and_back(hunk: str) -> None:
    text = BEFORE + hunk + AFTER
    plain, hidden = hide_hunks(text)
    ast.parse(plain)
    assert "<<<<<<<" not in plain
    assert len(hidden) == 1
    assert shown(plain, hidden) == text


def test_without_hunks_nothing_is_hidden() -> None:
    text = BEFORE + AFTER + "# <<<<<<< in a comment\n"
    assert hide_hunks(text) == (text, [])
    assert shown(text, []) == text


def test_several_hunks_come_back_in_their_places() -> None:
    text = BEFORE + STATEMENTS + "    middle()\n" + EMPTY_TARGET + AFTER
    plain, hidden = hide_hunks(text)
    assert len(hidden) == 2
    moved = plain.replace("    middle()\n", "    middle()\n    more()\n")
    assert shown(moved, hidden) == text.replace("    middle()\n", "    middle()\n    more()\n")


def test_a_stand_in_that_moved_inward_still_comes_back() -> None:
    plain, hidden = hide_hunks(BEFORE + STATEMENTS + AFTER)
    stand_in = hidden[0].stand_in
    assert shown(plain.replace(stand_in, "    " + stand_in), hidden) == BEFORE + STATEMENTS + AFTER


@pytest.mark.parametrize("hunk", [STATEMENTS, HEADER])
def test_a_stand_in_that_is_gone_or_doubled(hunk: str) -> None:
    plain, hidden = hide_hunks(BEFORE + hunk + AFTER)
    stand_in = hidden[0].stand_in
    assert show_hunks(plain.replace(stand_in, "    pass\n"), hidden) is None
    assert show_hunks(plain.replace(stand_in, stand_in * 2), hidden) is None


def test_a_stand_in_that_went_into_another_hunk() -> None:
    plain, hidden = hide_hunks(BEFORE + STATEMENTS + AFTER)
    stand_in = hidden[0].stand_in
    around = f"<<<<<<< x\n{stand_in}||||||| y\n    b()\n=======\n    c()\n>>>>>>> z\n"
    assert show_hunks(plain.replace(stand_in, around), hidden) is None


def test_line_ends_and_the_last_line() -> None:
    crlf = (BEFORE + STATEMENTS + AFTER).replace("\n", "\r\n")
    plain, hidden = hide_hunks(crlf)
    assert "\n" not in plain.replace("\r\n", "")
    assert shown(plain, hidden) == crlf
    cut = (BEFORE + STATEMENTS).rstrip("\n")
    plain, hidden = hide_hunks(cut)
    assert shown(plain, hidden) == cut


def test_lines_move_with_the_hunks() -> None:
    text = BEFORE + STATEMENTS + "    middle()\n" + HEADER + AFTER
    plain, hidden = hide_hunks(text)
    found = show_hunks(plain, hidden)
    assert found is not None
    before, after = plain.split("\n"), text.split("\n")
    for word in ("first()", "middle()", "e()", "last()"):
        (line,) = (n for n, x in enumerate(before, 1) if x.strip() == word)
        assert after[found[1](line) - 1].strip() == word


@SHAPES
def test_blank_hunks_keeps_lines_and_takes_the_target(hunk: str) -> None:
    text = BEFORE + hunk + AFTER
    blank = blank_hunks(text)
    assert blank.count("\n") == text.count("\n")
    assert blank.split("\n").index("    last()") == text.split("\n").index("    last()")
    ast.parse(blank)
    assert "a()" not in blank
    assert ("d()" in blank) == ("d()" in hunk)


def test_the_names_that_a_hunk_imports_stay_in_use() -> None:
    hunk = "<<<<<<< a\n    first(used)\n||||||| b\n    gone.x()\n=======\n>>>>>>> c\n"
    text = "from m import gone, unused, used\n\n\ndef f():\n" + hunk + "    last()\n"
    plain, hidden = hide_hunks(text)
    read = {n.id for n in ast.walk(ast.parse(plain)) if isinstance(n, ast.Name)}
    assert {"used", "gone"} <= read
    assert not {"unused", "first"} & read
    assert shown(plain, hidden) == text


@SHAPES
def test_what_is_hidden_twice_comes_back_in_both_steps(hunk: str) -> None:
    plain, hidden = hide_hunks(BEFORE + hunk + AFTER)
    more = plain.replace("last()", "last()\n" + STATEMENTS.rstrip("\n"))
    again, inner = hide_hunks(more)
    found = show_hunks(again, inner)
    assert found is not None
    assert found[0] == more
    assert hunk in (shown(found[0], hidden) or "")


CLAUSES = {
    "elif": ("if a:", "    elif b:\n        # why\n        c(1)\n", "    elif d:\n        e()\n"),
    "of two lines": (
        "if a:", "    elif (\n        b\n    ):\n        c()\n", "    else:\n        e()\n"
    ),
    "else": ("if a:", "    else:\n\n        if b:\n            c()\n        d()\n", ""),
    "two clauses": ("for x in a:", "    else:\n        b()\n", "    else:\n        c()\n"),
    "except": (
        "try:", "    except A:\n        with b:\n            c()\n", "    except B:\n        d()\n"
    ),
    "finally": ("try:", "    finally:\n        @b\n        def f():\n            c()\n", ""),
    "a comment first": ("if a:", "    # why\n    elif b:\n        c()\n", ""),
    "nothing but a comment": ("if a:", "    else:\n        pass  # why\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_clause_stays_one(name: str, turned: bool) -> None:
    head, one, other = CLAUSES[name]
    sides = (other, one) if turned else (one, other)
    hunk = (
        f"<<<<<<< l\n{sides[0]}||||||| b\n    else:\n        gone()\n=======\n{sides[1]}>>>>>>> t\n"
    )
    imports = "from m import gone\n\n\n"
    # What stands behind the hunk belongs to the compound above it.
    behind = "    finally:\n        z()\n" if head == "try:" and "finally" not in one else ""
    text = f"{imports}{BEFORE}    {head}\n        y()\n{hunk}{behind}{AFTER}"
    if sides[1] or behind or head != "try:":
        ast.parse(resolve_hunks(text, "target"))
    plain, hidden = hide_hunks(text)
    read = {n.id for n in ast.walk(ast.parse(plain)) if isinstance(n, ast.Name)}
    assert "gone" in read
    assert shown(plain, hidden) == text


def test_a_clause_on_one_line_is_no_worse_than_before() -> None:
    hunk = "<<<<<<< l\n    else: a()\n||||||| b\n=======\n    else: b()\n>>>>>>> t\n"
    text = f"{BEFORE}    if a:\n        y()\n{hunk}{AFTER}"
    plain, hidden = hide_hunks(text)
    ast.parse(plain)
    assert shown(plain, hidden) == text


TWO_SIDED = "a()\n<<<<<<< HEAD\nb()\n=======\nc()\n>>>>>>> other\nd()\n"


def test_gits_own_hunk_of_two_sides_is_one_as_well() -> None:
    assert resolve_hunks(TWO_SIDED, "target") == "a()\nc()\nd()\n"
    assert resolve_hunks(TWO_SIDED, "base") == "a()\nd()\n"
    for side in ("local", "base", "target"):
        assert blank_hunks(TWO_SIDED, side).count("\n") == TWO_SIDED.count("\n")
    hidden, hunks = hide_hunks(TWO_SIDED)
    assert "<<<" not in hidden
    back = show_hunks(hidden, hunks)
    assert back is not None
    assert back[0] == TWO_SIDED
