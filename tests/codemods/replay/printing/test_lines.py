"""Lines at another indentation, hunks, and the two ways to resolve them."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import EditKind
from omni_codemods.functions.account import Item
from omni_codemods.replay.printing.lines import (
    Hunk,
    Labels,
    Line,
    Rendered,
    Shift,
    Side,
    print_lines,
    shift_text,
    side_text,
)

ITEM = Item(EditKind.DRIFT, "", 1, 1, "")
BLOCK = Item(EditKind.BLOCK, "", 2, 2, "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    a\n", "        a\n"),
        ("      a\n", "          a\n"),
        ("\n", "\n"),
        ("     \n", "     \n"),
        ("  a\n", "  a\n"),
    ],
)
def test_shift(line: str, expected: str) -> None:
    assert Shift("    ", "        ").apply(line) == expected


def test_strings_do_not_shift() -> None:
    lines = shift_text("    f('''a\n    b''',\n      c)\n", Shift("    ", ""))
    assert [(x.text, x.fixed) for x in lines] == [
        ("f('''a\n", False),
        ("    b''',\n", True),
        ("  c)\n", False),
    ]


def test_what_cannot_be_read_shifts_all_the_same() -> None:
    assert [x.text for x in shift_text("    f(\n", Shift("    ", ""))] == ["f(\n"]


def hunk() -> Hunk:
    return Hunk([Line("l\n", ITEM)], [Line("b\n")], [Line("t\n")], "why", ITEM)


def test_printing_indents_by_the_margin() -> None:
    out = [Line("a\n", ITEM), Line("\n"), Line("  s'''\n", fixed=True)]
    printed = print_lines(Rendered(list(out)), Labels(), "    ", {})
    assert [(p.text, p.item) for p in printed] == [
        ("    a\n", ITEM),
        ("\n", None),
        ("  s'''\n", None),
    ]


def test_a_hunk_is_written_in_diff3_style() -> None:
    printed = print_lines(Rendered([hunk()]), Labels("L", "B", "T"), "  ", {})
    assert [p.text for p in printed] == [
        "<<<<<<< L\n",
        "  l\n",
        "||||||| B\n",
        "  b\n",
        "=======\n",
        "  t\n",
        ">>>>>>> T\n",
    ]
    assert printed[0].hunk is not None
    assert [p.item for p in printed if p.item is not None] == [ITEM]


def test_a_line_of_local_belongs_to_the_block_that_it_came_from() -> None:
    lines: list[Line | Hunk] = [Line("a\n", ITEM, origin=2), Line("b\n", ITEM, origin=3)]
    printed = print_lines(Rendered(lines), Labels(), "", {2: BLOCK})
    assert [p.item for p in printed] == [BLOCK, ITEM]


def test_drift_does_not_take_a_line_from_its_edit() -> None:
    other = Item(EditKind.DRIFT, "", 2, 2, "")
    lines: list[Line | Hunk] = [Line("a\n", ITEM, origin=2), Line("b\n", None, origin=2)]
    assert [p.item for p in print_lines(Rendered(lines), Labels(), "", {2: other})] == [ITEM, other]


@pytest.mark.parametrize(
    ("side", "text"), [(Side.EDITED, "l"), (Side.ANCESTOR, "b"), (Side.SKELETON, "t")]
)
def test_sides(side: Side, text: str) -> None:
    rendered = Rendered([Line("x\n"), hunk(), Line("y\n")])
    assert side_text(rendered, side, "  ") == f"  x\n  {text}\n  y\n"
