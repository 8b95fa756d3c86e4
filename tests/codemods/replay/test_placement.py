"""Where an edit goes in the skeleton, and what that rests on."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Evidence
from omni_codemods.functions.diff import Entry, Role
from omni_codemods.functions.tree import Node, Tree
from omni_codemods.names.reads import Names, names_of
from omni_codemods.replay.placement import Gap, Place, Placer, Prefer, can_hold
from omni_codemods.replay.within_gap import choose_place
from omni_codemods.replay.words import NEUTRAL
from parsed import aligned, body_of, node, replayed, statement, tree_of

THREE = "first(1)\nsecond(2)\nthird(3)"


def gap(base: str, target: str, before: str, *, prefer: Prefer = Prefer.HOME, past: int = 0) -> Gap:
    """The gap for what local put before base's statement *before* (or instead of *past* ones)."""
    one, _, alignment = aligned(base, target)
    found = node(one, before)
    while found.parent is not None and not found.parent.lines:
        found = found.parent
    block = found.parent
    assert block is not None
    entries = [Entry(n) for n in block.children]
    placer = Placer(alignment)
    return placer.find_gap(block, entries, found.index, found.index + past, prefer)


def end_gap(base: str, target: str, block: str = "def") -> Gap:
    """The gap for what local put at the end of base's block *block*."""
    one, _, alignment = aligned(base, target)
    found = node(one, block)
    entries = [Entry(n) for n in found.children]
    return Placer(alignment).find_gap(found, entries, len(entries), len(entries))


def around(gap: Gap) -> tuple[str, str, str, list[str]]:
    """The block's header, the code before the gap and after it, and what is new inside."""
    children = gap.parent.children
    before = head(children[gap.low - 1]) if gap.low else ""
    after = head(children[gap.high]) if gap.high < len(children) else ""
    return head(gap.parent), before, after, [head(n) for n in gap.newcomers]


def head(found: Node) -> str:
    while not found.lines:
        found = found.children[0]
    return found.lines[0].strip().removeprefix("def run(self):")


def test_between_the_same_neighbours() -> None:
    found = gap(THREE, THREE, "second")
    assert around(found) == ("", "first(1)", "second(2)", [])
    assert found.evidence is Evidence.EXACT
    assert (found.lost, found.orphaned) == (False, False)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("new()\n" + THREE, ("", "first(1)", "second(2)", [])),
        ("first(1)\nnew()\nsecond(2)\nthird(3)", ("", "first(1)", "second(2)", ["new()"])),
        ("first(1)\n# new\nnew()\nsecond(2)", ("", "first(1)", "second(2)", ["# new", "new()"])),
    ],
)
def test_new_upstream_code_between_the_neighbours_is_in_the_gap(
    target: str, expected: tuple[str, str, str, list[str]]
) -> None:
    found = gap(THREE, target, "second")
    assert around(found) == expected
    assert found.evidence is Evidence.EXACT


def test_at_the_start_and_at_the_end() -> None:
    assert around(gap(THREE, "new()\n" + THREE, "first")) == ("", "", "first(1)", ["new()"])
    assert around(end_gap(THREE, THREE + "\nnew()")) == ("", "third(3)", "", ["new()"])


def test_a_neighbour_that_is_gone_makes_it_a_guess() -> None:
    found = gap(THREE, "first(1)\nthird(3)", "second")
    assert around(found)[:3] == ("", "first(1)", "third(3)")
    assert found.evidence is Evidence.GUESSED
    assert not found.lost


def test_both_neighbours_gone_is_lost() -> None:
    base = "zero(0)\nfirst(1)\nsecond(2)\nthird(3)"
    found = gap(base, "zero(0)\nthird(3)", "second")
    assert around(found)[:3] == ("", "zero(0)", "third(3)")
    assert found.evidence is Evidence.GUESSED
    assert found.lost
    assert not found.orphaned


def test_nothing_around_it_left() -> None:
    found = gap(THREE, "raise NotImplementedError", "second")
    assert found.evidence is Evidence.GUESSED
    assert "nothing around it is left" in found.reason
    assert around(found)[3] == ["raise NotImplementedError"]


def test_comments_do_not_count_as_distance() -> None:
    base = "first(1)\n# gone\nsecond(2)"
    assert gap(base, "first(1)\nsecond(2)", "second").evidence is Evidence.EXACT


# -- moved ----------------------------------------------------------------------------------

MODEL = "hidden = self.model(rows, mask)\nself.count(hidden)"
UNDER_WITH = "with lock:\n    hidden = self.model(rows, mask)\n    self.count(hidden)"


def test_both_neighbours_went_under_a_with() -> None:
    found = gap(f"a(1)\n{MODEL}\nb(2)", f"a(1)\n{UNDER_WITH}\nb(2)", "self.count")
    assert around(found)[:3] == (
        "with lock:",
        "hidden = self.model(rows, mask)",
        "self.count(hidden)",
    )
    assert found.evidence is Evidence.MOVED
    assert "which moved" in found.reason


def test_one_neighbour_stayed_home() -> None:
    base, target = f"a(1)\n{MODEL}\nb(2)", f"a(1)\n{UNDER_WITH}\nb(2)"
    found = gap(base, target, "hidden")
    assert around(found)[:2] == ("", "a(1)")
    assert around(gap(base, target, "hidden", prefer=Prefer.BEFORE))[:2] == ("", "a(1)")
    after = gap(base, target, "hidden", prefer=Prefer.AFTER)
    assert around(after)[0] == "with lock:"


def test_a_neighbour_that_moved_alone_is_not_followed() -> None:
    base = "if a:\n    self.emit(rows, hidden, 1)\nelse:\n    c(3)"
    target = "if a:\n    pass\nelse:\n    c(3)\n    self.emit(rows, hidden, 1)"
    found = end_gap(base, target, "if a")
    assert around(found) == ("if a:", "", "", ["pass"])  # home is nearer than where it went
    assert found.evidence is Evidence.GUESSED


def test_swapped_neighbours() -> None:
    """Both are there, but the gap between them is no gap: beside one of them, as a guess."""
    small, large = "count(1, 2, 3)", "hidden = self.model(rows, mask, self.graph, 4)"
    found = gap(f"{small}\n{large}", f"{large}\n{small}", "hidden")
    assert found.low == found.high
    assert found.evidence is Evidence.GUESSED


def test_a_block_that_is_gone_leaves_an_orphan() -> None:
    base = "a(1)\nif self.debug:\n    self.dump(rows)\n    self.check(rows)\nb(2)"
    found = gap(base, "a(1)\nb(2)", "self.check")
    assert found.orphaned
    assert around(found)[:3] == ("", "a(1)", "b(2)")
    assert found.evidence is Evidence.GUESSED
    assert found.reason == "the code that it stood in is gone"


def test_a_nested_block_that_is_gone_goes_to_the_nearest_survivor() -> None:
    base = "a(1)\nif x:\n    keep(1)\n    for y in z:\n        dump(y)\nb(2)"
    found = gap(base, "a(1)\nif x:\n    keep(1)\nb(2)", "dump")
    assert found.orphaned
    assert around(found)[:2] == ("if x:", "keep(1)")


# -- parts of compounds taken apart ---------------------------------------------------------


def wrap_entries(tree: Tree, header: str) -> tuple[Node, list[Entry]]:
    """The function's clause, its children with the compound *header* taken apart."""
    block = tree.root.children[-1]
    out: list[Entry] = []
    for child in block.children:
        if child.children and head(child) == header:
            for i, clause in enumerate(child.children):
                out.append(Entry(clause, Role.MIDDLE if i else Role.OPEN))
                out += [Entry(n) for n in clause.children]
            out.append(Entry(child, Role.CLOSE))
        else:
            out.append(Entry(child))
    return block, out


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (1, ("", "a(1)", "if x:")),
        (2, ("if x:", "", "b(2)")),
        (3, ("if x:", "b(2)", "")),
        (4, ("else:", "", "c(3)")),
        (5, ("else:", "c(3)", "")),
        (6, ("", "if x:", "d(4)")),
    ],
)
def test_places_at_the_parts_of_a_compound(at: int, expected: tuple[str, str, str]) -> None:
    text = "a(1)\nif x:\n    b(2)\nelse:\n    c(3)\nd(4)"
    one, _, alignment = aligned(text, text)
    block, entries = wrap_entries(one, "if x:")
    assert around(Placer(alignment).find_gap(block, entries, at, at))[:3] == expected


def test_a_settled_statement_counts_as_there() -> None:
    one, other, alignment = aligned(THREE, "first(1)\nthird(3)")
    block = one.root.children[-1]
    entries = [Entry(n) for n in block.children]
    home = other.root.children[-1]
    placer = Placer(alignment)
    placer.settle(node(one, "second"), Place(home, 1), Place(home, 2))
    assert placer.find_gap(block, entries, 2, 2).low == 2
    assert placer.find_gap(block, entries, 1, 1).high == 1


@pytest.mark.parametrize(
    ("text", "holds"),
    [("if a:\n    b", True), ("if a: b\nelse: c", False), ("f(x)", False)],
)
def test_what_can_hold_statements(text: str, holds: bool) -> None:
    first = body_of(tree_of(text))[0]
    found = first.children[0] if first.children else first
    assert can_hold(found) is holds


# -- the place in a gap ---------------------------------------------------------------------


def names_in(node: Node) -> Names:
    return names_of(node.text())


def place(inserted: str, newcomers: str) -> tuple[int, str]:
    """Where *inserted* goes among *newcomers*, which stand between two known statements."""
    one, other, alignment = aligned("a(1)\nb(2)", f"a(1)\n{newcomers}\nb(2)")
    block = one.root.children[-1]
    entries = [Entry(n) for n in block.children]
    found = Placer(alignment).find_gap(block, entries, 1, 1)
    assert [n.line for n in found.newcomers] == [n.line for n in body_of(other)[1:-1]]
    names = names_of(statement(inserted).text()) if inserted else Names()
    index, reason = choose_place(found, names, names_in, NEUTRAL)
    return index - found.low, reason


@pytest.mark.parametrize(
    ("inserted", "newcomers", "index", "why"),
    [
        ("mine(p)", "x = f(q)", 1, "a guess"),
        ("mine(x)", "x = f(q)", 1, "binds its names"),
        ("mine(x)", "x = f(q)\ny = g(q)", 2, "binds its names"),
        ("x = mine(q)", "f(x)", 0, "reads its names"),
        ("x = mine(q)", "y = f(q)\ng(x)\nh(q)", 1, "reads its names"),
        ("x = mine(y)", "y = f(q)\ng(x)", 1, "reads its names"),
        ("self.x = 1", "f(self.x)", 0, "reads its names"),
        ("mine(self.x)", "self.x = f(q)", 1, "binds its names"),
        ("x = mine(x)", "x = f(x)", 1, "binds its names"),
        ("mine(p)", "# only a comment", 1, ""),
        ("mine(p)", "x = f(q)\nreturn x", 1, "a guess"),
        ("mine(p)", "raise E", 0, "a guess"),
        ("mine(p)", "x = f(q)\nreturn x\nunreachable(1)", 3, "a guess"),
    ],
)
def test_the_order_of_names(inserted: str, newcomers: str, index: int, why: str) -> None:
    found, reason = place(inserted, newcomers)
    assert found == index
    assert why in reason
    assert bool(why) == bool(reason)


def test_without_newcomers_there_is_no_choice() -> None:
    found = gap(THREE, THREE, "second")
    assert choose_place(found, Names(frozenset("x"), frozenset("y")), names_in, NEUTRAL) == (
        found.high,
        "",
    )


@pytest.mark.parametrize("last", ["return x", "raise E", "break", "continue"])
def test_never_behind_what_leaves_the_block(last: str) -> None:
    found = end_gap("for y in z:\n    a(1)", f"for y in z:\n    a(1)\n    {last}", "for y")
    index, _ = choose_place(found, Names(), names_in, NEUTRAL)
    assert index == found.low == 1


@pytest.mark.parametrize(
    ("newcomers", "said"),
    [
        ("if bad:\n    return None", "return None"),
        ("if bad:\n    raise ValueError(\n        1)", "raise ValueError("),
        ("x = f(1)\nif bad:\n    y = 1\nelif worse:\n    return y", "return y"),
        ("for x in xs:\n    if x:\n        return x", "return x"),
        ("for x in xs:\n    if x:\n        break", ""),
        ("for x in xs:\n    f(x)\nelse:\n    return 1", "return 1"),
        ("def inner():\n    return 1", ""),
        ("x = f(1)", ""),
    ],
)
@pytest.mark.parametrize("mine", ["# PATCH START: m\nmine(1)\n# PATCH END: m", "mine(1)"])
def test_an_early_exit_before_an_edit_is_named(newcomers: str, said: str, mine: str) -> None:
    _, items = replayed("a(1)\nb(2)", f"a(1)\n{mine}\nb(2)", f"a(1)\n{newcomers}\nb(2)")
    reasons = " ".join(reason for item in items for _, _, reason in item.outcomes)
    assert ("early exit" in reasons) == bool(said)
    assert f"the upstream's new early exit `{said}" in reasons or not said


def test_exits_of_a_loop_are_named_inside_of_it_and_before_what_wraps() -> None:
    base, target = "for x in xs:\n    a(1)\n    b(2)", "for x in xs:\n    a(1)\n{}    b(2)"
    target = target.format("    if bad:\n        continue\n")
    local = "for x in xs:\n    a(1)\n    with mine:\n        b(2)"
    _, (item,) = replayed(base, local, target)
    assert any("early exit `continue` stands before it" in why for _, _, why in item.outcomes)
    assert item.outcome(1, None).evidence is Evidence.EXACT
