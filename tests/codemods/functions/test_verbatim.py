"""What stands word for word in a gap wins over what is alike."""

from __future__ import annotations

import pytest

from omni_codemods.functions.tree import Kind
from parsed import aligned

CALL = "out = self.run(rows, mask=self.mask)"
OTHER = "out = self.run(rows, mask=self.mask, fast=True)"


def partner(left: str, right: str, line: str) -> tuple[str, list[str]]:
    """What the statement *line* of *left* is paired with: its code, and the headers around it."""
    one, _, alignment = aligned(left, right)
    (node,) = (n for n in one.root.walk() if n.is_code and n.text().strip() == line)
    found = alignment.right.get(node)
    if found is None:
        return "", []
    around = [n.lines[0].strip() for n in found.upwards() if n.kind is Kind.CLAUSE]
    return found.text().strip(), around[:-1]


def arms(first: str, second: str, opening: str, middle: str) -> str:
    return f"p(1)\n{opening}\n    {first}\n{middle}\n    {second}\nq(2)"


@pytest.mark.parametrize("exact_first", [True, False])
@pytest.mark.parametrize(
    ("opening", "middle"),
    [
        ("if a:", "else:"),
        ("if a:", "elif b:"),
        ("try:", "except E:"),
        ("try:", "finally:"),
        ("for x in a:", "else:"),
        ("while a:", "else:"),
        ("with a:", "with b:"),
        ("if a:", "if b:"),
        ("if a:", "for x in a:"),
    ],
)
def test_the_equal_one_of_two_arms(opening: str, middle: str, exact_first: bool) -> None:
    both = (CALL, OTHER) if exact_first else (OTHER, CALL)
    right = arms(*both, opening, middle)
    code, around = partner(f"p(1)\n{CALL}\nq(2)", right, CALL)
    assert code == CALL
    assert around[0] == (opening if exact_first else middle)
    # the same seen from the other side: what the left freed from the arms
    assert partner(right, f"p(1)\n{CALL}\nq(2)", CALL)[0] == CALL


def test_the_equal_one_of_several_cases() -> None:
    cases = f"case 1:\n        {OTHER}\n    case 2:\n        {CALL}\n    case _:\n        {OTHER}"
    code, around = partner(f"p(1)\n{CALL}\nq(2)", f"p(1)\nmatch k:\n    {cases}\nq(2)", CALL)
    assert (code, around[0]) == (CALL, "case 2:")


def test_the_equal_one_deep_inside() -> None:
    deep = f"with b:\n        for x in c:\n            {CALL}"
    right = f"p(1)\nif a:\n    {OTHER}\nelse:\n    {deep}\nq(2)"
    code, around = partner(f"p(1)\n{CALL}\nq(2)", right, CALL)
    assert code == CALL
    assert around == ["for x in c:", "with b:", "else:"]


def test_a_look_alike_in_the_same_suite_yields_to_the_equal_one_in_a_branch() -> None:
    right = f"p(1)\nif legacy:\n    {CALL}\n{OTHER}\nq(2)"
    assert partner(f"p(1)\n{CALL}\nq(2)", right, CALL) == (CALL, ["if legacy:"])


def test_a_compound_goes_to_the_equal_one_as_a_whole() -> None:
    loop = "for row in rows:\n    self.emit(row)\n    self.count(row)"
    other = loop.replace("emit(row)", "emit(row, fast)")
    inner = [x.replace("\n", "\n    ") for x in (other, loop)]
    right = f"p(1)\nif a:\n    {inner[0]}\nelse:\n    {inner[1]}\nq(2)"
    assert partner(f"p(1)\n{loop}\nq(2)", right, "self.count(row)")[1][1] == "else:"
    assert partner(f"p(1)\n{loop}\nq(2)", right, "self.emit(row)")[1][1] == "else:"


def test_beyond_what_stays_the_same_nothing_is_looked_for() -> None:
    right = f"p(1)\n{OTHER}\nq(2)\nif a:\n    {CALL}"
    assert partner(f"p(1)\n{CALL}\nq(2)", right, CALL)[0] == OTHER


def test_a_bare_return_stays_the_last_one() -> None:
    right = "p(1)\nif a:\n    return out\nreturn out, extra"
    assert partner("p(1)\nreturn out", right, "return out") == ("return out, extra", [])


def test_what_both_sides_have_once_is_not_taken_from_its_partner() -> None:
    left = f"p(1)\n{OTHER}\nif a:\n    {CALL}\nq(2)"
    right = f"p(1)\n{CALL}\nif a:\n    {CALL}\nq(2)"
    assert partner(left, right, CALL) == (CALL, ["if a:"])
    assert partner(left, right, OTHER) == (CALL, [])


def test_what_lost_its_partner_is_matched_with_what_is_left() -> None:
    third = "out = self.run(rows, mask=self.mask, slow=True)"
    left, right = f"p(1)\n{CALL}\n{third}\nq(2)", f"p(1)\n{OTHER}\nif a:\n    {CALL}\nq(2)"
    assert partner(left, right, CALL) == (CALL, ["if a:"])
    assert partner(left, right, third)[0] == OTHER
