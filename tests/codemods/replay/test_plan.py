"""The moves that all stages of a replay make: inserting, contesting, cutting at borders."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import EditKind, Outcome
from omni_codemods.functions.account import Item
from omni_codemods.functions.diff import Entry, Role
from omni_codemods.functions.tree import Node
from omni_codemods.replay.insertions import split_at_borders
from omni_codemods.replay.plan import Piece
from parsed import body_of, node, replayed, tree_of

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"
BASE = "first(1, 2)\nhidden = self.model(rows)\nuse(hidden, rows)\nlast(1, 2)"


def fenced_outcomes(base: str, local: str, target: str) -> list[Outcome]:
    """What is said about the only block."""
    (item,) = (i for i in replayed(base, local, target)[1] if i.fenced)
    return [o for o, _, _ in item.outcomes]


def with_block(code: str) -> str:
    return BASE.replace("use(", f"{OPEN}{code}\n{CLOSE}use(")


def test_both_neighbours_and_what_it_reads_are_gone() -> None:
    local = with_block("mine(hidden)")
    assert fenced_outcomes(BASE, local, "first(1, 2)\nlast(1, 2)\nnew()") == [Outcome.ORPHAN]
    plan, _ = replayed(BASE, local, "first(1, 2)\nlast(1, 2)\nnew()")
    (region,) = plan.regions
    assert [p.node.lines[0].strip() for p in region.pieces][1] == "mine(hidden)"
    assert plan.gaps == {}


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("mine(rows)", "first(1, 2)\nlast(1, 2)\nnew()"),  # reads nothing that is lost
        ("mine(hidden)", "first(1, 2)\nhidden = other(1)\nlast(1, 2)"),  # still bound
        ("mine(hidden)", "first(1, 2)\nuse(hidden, rows)\nlast(1, 2)"),  # one neighbour left
        ("hidden = own()\nmine(hidden)", "first(1, 2)\nlast(1, 2)\nnew()"),  # binds it itself
    ],
)
def test_what_has_a_place_or_all_that_it_reads_is_no_orphan(code: str, target: str) -> None:
    outcomes = fenced_outcomes(BASE, with_block(code), target)
    assert Outcome.ORPHAN not in outcomes
    assert outcomes


def test_a_branch_that_is_gone_takes_no_block_along() -> None:
    base = "first(1)\nif self.debug:\n    self.dump(rows)\n    self.check(rows)\nlast(1)"
    local = base.replace("    self.check", f"    {OPEN}    mine()\n    {CLOSE}    self.check")
    assert Outcome.ORPHAN in fenced_outcomes(base, local, "first(1)\nlast(1)")


# -- borders --------------------------------------------------------------------------------


def item(start: int, end: int, *, fenced: bool = True) -> Item:
    return Item(EditKind.BLOCK if fenced else EditKind.DRIFT, "", start, end, "")


def shown(parts: tuple[list[Piece], ...]) -> list[list[str]]:
    return [[first_line(p.node) for p in part] for part in parts]


def first_line(found: Node) -> str:
    while not found.lines:
        found = found.children[0]
    return found.lines[0].strip()


def test_nothing_has_no_borders() -> None:
    assert split_at_borders([]) == ([], [], [])


def test_what_stands_whole_in_the_run_is_not_cut() -> None:
    nodes = body_of(tree_of("a(1)\nb(2)\nc(3)"))
    whole = item(2, 4)
    pieces = [Piece(Entry(n), whole) for n in nodes]
    assert shown(split_at_borders(pieces)) == [[], ["a(1)", "b(2)", "c(3)"], []]


def test_a_block_that_closes_stays_with_what_is_before() -> None:
    nodes = body_of(tree_of("a(1)\n# close\nb(2)\n# open\nc(3)"))
    closing, own, opening = item(1, 3), item(4, 4, fenced=False), item(5, 9)
    owners = [closing, closing, own, opening, opening]
    pieces = [Piece(Entry(n), o) for n, o in zip(nodes, owners, strict=True)]
    assert shown(split_at_borders(pieces)) == [
        ["a(1)", "# close"],
        ["b(2)"],
        ["# open", "c(3)"],
    ]


def test_a_wrap_that_opens_goes_with_what_is_behind() -> None:
    tree = tree_of("a(1)\nwith lock:\n    b(2)")
    header = node(tree, "with lock")
    drift = item(2, 4, fenced=False)
    pieces = [Piece(Entry(body_of(tree)[0]), drift), Piece(Entry(header, Role.OPEN), drift)]
    assert shown(split_at_borders(pieces)) == [[], ["a(1)"], ["with lock:"]]


def test_a_wrap_that_closes_stays_with_what_is_before() -> None:
    tree = tree_of("with lock:\n    b(2)\nc(3)")
    compound, last = body_of(tree)
    drift = item(2, 4, fenced=False)
    pieces = [Piece(Entry(compound, Role.CLOSE), drift), Piece(Entry(last), drift)]
    assert shown(split_at_borders(pieces)) == [["with lock:"], ["c(3)"], []]


def test_a_piece_knows_whether_it_is_whole_code() -> None:
    tree = tree_of("# note\nwith lock:\n    b(2)")
    comment, compound = body_of(tree)
    drift = item(2, 4, fenced=False)
    assert not Piece(Entry(comment), drift).is_code
    assert Piece(Entry(compound), drift).is_code
    assert not Piece(Entry(compound, Role.CLOSE), drift).is_code
    assert not Piece(Entry(compound, Role.CLOSE), drift).is_whole
