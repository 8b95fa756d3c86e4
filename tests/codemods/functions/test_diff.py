"""What local changed against base: runs between shared statements, and changed pairs."""

from __future__ import annotations

import pytest

from omni_codemods.functions.diff import Entry, Ledger, Role, Run, flatten
from omni_codemods.functions.tree import Kind, Node
from parsed import aligned, body_of, ledger_of, node


def shown(entry: Entry) -> str:
    first = entry.node
    while not first.lines:
        first = first.children[0]
    text = first.lines[0].strip()
    return text if entry.role is Role.NODE else f"{entry.role.value} {text}"


def runs(base: str, local: str) -> list[tuple[list[str], list[str]]]:
    """For each run what is deleted and what is inserted."""
    found = ledger_of(base, local)[2].runs
    return [([shown(e) for e in r.deleted], [shown(e) for e in r.inserted]) for r in found]


def changed(ledger: Ledger) -> list[tuple[str, str]]:
    """The pairs whose own text differs."""
    return [
        (p.ancestor.lines[0].strip(), p.edited.lines[0].strip())
        for p in ledger.pairs
        if p.ancestor.head != p.edited.head
    ]


@pytest.mark.parametrize(
    ("base", "local", "expected"),
    [
        ("a(1)\nb(2)", "a(1)\nb(2)", []),
        ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)", [([], ["x(3)"])]),
        ("a(1)\nb(2)", "x(3)\na(1)\nb(2)", [([], ["x(3)"])]),
        ("a(1)\nb(2)", "a(1)\nb(2)\nx(3)\ny(4)", [([], ["x(3)", "y(4)"])]),
        ("a(1)\nb(2)", "a(1)", [(["b(2)"], [])]),
        ("a(1)\nself.b.c\nd(4)", "a(1)\nraise E\nd(4)", [(["self.b.c"], ["raise E"])]),
        ("a(1)\nb(2)", "x(3)\na(1)\ny(4)\nb(2)", [([], ["x(3)"]), ([], ["y(4)"])]),
        ("a(1)", "# why\na(1)", [([], ["# why"])]),
        ("a(1)", "a( 1 )  # note", []),
        ("if a:\n    f(1)", "if a:\n    f(1)\n    g(2)", [([], ["g(2)"])]),
        ("if a:\n    f(1)", "if a:\n    f(1)\nelse:\n    g(2)", [([], ["else:"])]),
        ("a(1)", "a(1)\nif x:\n    f(1)\n    g(2)", [([], ["if x:"])]),
    ],
)
def test_runs(base: str, local: str, expected: list[tuple[list[str], list[str]]]) -> None:
    assert runs(base, local) == expected


def test_pairs_come_with_headers_and_in_order() -> None:
    _, _, ledger = ledger_of("x = f(a)\nif a and b:\n    y = g(b)", "x = f(A)\nif a:\n    y = g(B)")
    assert changed(ledger) == [
        ("x = f(a)", "x = f(A)"),
        ("if a and b:", "if a:"),
        ("y = g(b)", "y = g(B)"),
    ]


def test_what_is_the_same_is_a_pair_too() -> None:
    base, local, ledger = ledger_of("a(1)\nb(2)", "a(1)\nb(2)")
    assert changed(ledger) == []
    assert (node(base, "b(2)"), node(local, "b(2)")) in [
        (p.ancestor, p.edited) for p in ledger.pairs
    ]
    assert ledger.runs == []


def test_a_pair_says_where_it_stands() -> None:
    base, _, ledger = ledger_of(
        "a(1)\nif x:\n    b(2)\n    y = c(3)", "if x:\n    b(2)\n    y = c(4)"
    )
    (pair,) = (p for p in ledger.pairs if p.ancestor.head == "y = c ( 3 )")
    assert pair.block is node(base, "if x")
    assert pair.entries[pair.at].node is pair.ancestor


def test_a_run_says_where_it_stands() -> None:
    base, _, ledger = ledger_of("a(1)\nb(2)\nc(3)", "a(1)\nx(9)\nc(3)")
    (run,) = ledger.runs
    assert run.block is base.root.children[-1]
    assert (run.start, run.end) == (1, 2)
    assert [e.node for e in run.entries] == body_of(base)


# -- wraps ----------------------------------------------------------------------------------

WRAPPED = "with lock:\n    hidden = self.model(rows, mask)\nb(2)"
PLAIN = "hidden = self.model(rows, mask)\nb(2)"


def test_a_wrap_is_an_opening_and_a_closing_entry() -> None:
    assert runs(PLAIN, WRAPPED) == [
        ([], ["open with lock:"]),
        ([], ["close with lock:"]),
    ]


def test_a_wrap_taken_away_is_two_deletions() -> None:
    assert runs(WRAPPED, PLAIN) == [
        (["open with lock:"], []),
        (["close with lock:"], []),
    ]


def test_a_wrap_of_two_clauses_has_a_middle() -> None:
    local = "if a:\n    hidden = self.model(rows, mask)\nelse:\n    other(1)\nb(2)"
    assert runs(PLAIN, local) == [
        ([], ["open if a:"]),
        ([], ["middle else:", "other(1)", "close if a:"]),
    ]


def test_a_new_compound_without_base_code_stays_whole() -> None:
    assert runs("b(2)", "with lock:\n    other(rows, 1, 2)\nb(2)") == [([], ["with lock:"])]


def test_flatten_keeps_paired_compounds_whole() -> None:
    base, _, alignment = aligned(WRAPPED, WRAPPED)
    entries = list(flatten(body_of(base), alignment.right))
    assert [e.role for e in entries] == [Role.NODE, Role.NODE]
    assert [e.node.kind for e in entries] == [Kind.COMPOUND, Kind.STATEMENT]


# -- order ----------------------------------------------------------------------------------


def test_code_that_changed_places_is_deleted_and_inserted() -> None:
    small = "self.count(rows, 1, 2)"
    large = "hidden = self.model(rows, mask, graph=self.graph, stream=self.stream)"
    assert runs(f"{small}\n{large}", f"{large}\n{small}") == [([small], []), ([], [small])]


def test_the_heavier_run_stays_in_place() -> None:
    large = "hidden = self.model(rows, mask, graph=self.graph, stream=self.stream)"
    two = ["first_one(rows, 1, 2)", "second_one(rows, 3, 4)"]
    first, second = two
    assert runs(f"{first}\n{second}\n{large}", f"{large}\n{first}\n{second}") == [
        (two, []),
        ([], two),
    ]
    third = "third_one(rows, 5, 6, 7, 8)"
    assert runs(f"{first}\n{second}\n{third}\n{large}", f"{large}\n{first}\n{second}\n{third}") == [
        ([], [large]),
        ([large], []),
    ]


def test_code_that_moved_into_another_block_is_still_compared() -> None:
    moved = "self.graph.capture(rows, self.stream, pool=self.pool)"
    _, _, ledger = ledger_of(
        f"if a:\n    first(1)\n    {moved}\nelse:\n    second(2)",
        f"if a:\n    first(1)\nelse:\n    second(2)\n    {moved[:-1]}, mine=1)",
    )
    assert (moved, f"{moved[:-1]}, mine=1)") in changed(ledger)


# -- account for everything -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "local"),
    [
        (PLAIN, WRAPPED),
        (WRAPPED, PLAIN),
        ("a(1)\nb(2)\nc(3)", "c(3)\nx(4)\na(1)"),
        ("if a:\n    b(1)\nelse:\n    c(2)", "if a:\n    b(1)\n    d(4)\nelif x:\n    c(2)"),
        ("try:\n    a(1)\nfinally:\n    b(2)", "a(1)\nb(2)"),
        ("a(1)", "for x in y:\n    # why\n    z(1)"),
    ],
)
def test_every_statement_of_both_is_in_the_ledger_once(base: str, local: str) -> None:
    one, other, ledger = ledger_of(base, local)
    left = [p.ancestor for p in ledger.pairs]
    right = [p.edited for p in ledger.pairs]
    for run in ledger.runs:
        left += [n for e in run.deleted for n in below(e)]
        right += [n for e in run.inserted for n in below(e)]
    for tree, seen in ((one, left), (other, right)):
        solid = [n for n in tree.root.walk() if n.kind is Kind.STATEMENT]
        assert sorted(n.line for n in seen if n.kind is Kind.STATEMENT) == [n.line for n in solid]


def below(entry: Entry) -> list[Node]:
    return list(entry.node.walk()) if entry.role is Role.NODE else []


def test_an_empty_run_is_no_run() -> None:
    run = Run(body_of(ledger_of("a", "a")[0])[0], [], 0, 0, ())
    assert list(run.deleted) == []
