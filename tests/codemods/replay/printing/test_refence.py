"""Fences around what became of a block that came apart."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import EditKind, Span
from omni_codemods.functions.account import Item
from omni_codemods.functions.tree import parse_function
from omni_codemods.replay.printing.lines import Hunk, Line, Rendered, Side
from omni_codemods.replay.printing.lines import side_text as text_of
from omni_codemods.replay.printing.refence import refence, without_fences
from parsed import suite

OPEN, CLOSE = "# PATCH START: x", "# PATCH END: x"
LOCAL = suite(f"first()\n{OPEN}\na(1)\nb(2)\n{CLOSE}\nlast()")
SPAN = Span(3, 6)


def rendered(*lines: str) -> Rendered:
    """A result; a line ends in ``@n`` where it is line n of local."""
    out = Rendered()
    for line in ("def run(self):@1", *lines):
        text, _, origin = line.partition("@")
        code = bool(text.strip()) and not text.strip().startswith("#")
        out.out.append(Line(f"{text}\n", code=code, origin=int(origin or 0)))
    return out


def refenced(*lines: str) -> list[str] | None:
    """The lines after the fences were moved, without the header; nothing where they stay."""
    result = rendered(*lines)
    before = list(result.out)
    if not refence(result, SPAN, parse_function(LOCAL)):
        assert result.out == before
        return None
    return text_of(result, Side.EDITED, "").splitlines()[1:]


I1, I2 = " " * 4, " " * 8


def test_around_a_wrap_of_the_upstream() -> None:
    lines = [f"{I1}with new:", f"{I2}{OPEN}@3", f"{I2}a(1)@4", f"{I1}b(2)@5", f"{I1}{CLOSE}@6"]
    assert refenced(*lines) == [
        f"{I1}{OPEN}",
        f"{I1}with new:",
        f"{I2}a(1)",
        f"{I1}b(2)",
        f"{I1}{CLOSE}",
    ]


def test_inside_a_wrap_of_the_upstream() -> None:
    lines = [f"{I1}{OPEN}@3", f"{I1}with new:", f"{I2}a(1)@4", f"{I2}b(2)@5", f"{I2}{CLOSE}@6"]
    assert refenced(*lines) == [
        f"{I1}with new:",
        f"{I2}{OPEN}",
        f"{I2}a(1)",
        f"{I2}b(2)",
        f"{I2}{CLOSE}",
    ]


def test_what_the_upstream_put_in_between_stands_inside() -> None:
    lines = [f"{I1}if x:", f"{I2}{OPEN}@3", f"{I2}a(1)@4", f"{I1}else:", f"{I2}new()"]
    found = refenced(*lines, f"{I1}b(2)@5", f"{I1}{CLOSE}@6", f"{I1}later()")
    assert found is not None
    assert (found[0], found[-2], found[-1]) == (f"{I1}{OPEN}", f"{I1}{CLOSE}", f"{I1}later()")


@pytest.mark.parametrize(
    "lines",
    [
        # other local code would stand inside
        [f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}first()@2", f"{I1}b(2)@5", f"{I1}{CLOSE}@6"],
        # in another order
        [f"{I1}{OPEN}@3", f"{I1}b(2)@5", f"{I1}a(1)@4", f"{I1}{CLOSE}@6"],
        # not all of it
        [f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}{CLOSE}@6"],
        # no fence, or one
        [f"{I1}a(1)@4", f"{I1}b(2)@5"],
        [f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}b(2)@5"],
        # nothing left
        [f"{I1}{OPEN}@3", f"{I1}{CLOSE}@6", f"{I1}new()"],
    ],
)
def test_left_as_it_is(lines: list[str]) -> None:
    assert refenced(*lines) is None


def test_a_wrap_of_the_block_that_the_upstream_has_too_stands_inside() -> None:
    local = parse_function(suite(f"{OPEN}\nwith new:\n    a(1)\n{CLOSE}"))
    result = rendered(f"{I1}with new:", f"{I2}{OPEN}@2", f"{I2}a(1)@4", f"{I2}{CLOSE}@5")
    assert refence(result, Span(2, 5), local)
    assert text_of(result, Side.EDITED, "").splitlines()[1:] == [
        f"{I1}{OPEN}",
        f"{I1}with new:",
        f"{I2}a(1)",
        f"{I1}{CLOSE}",
    ]


def test_a_conflict_goes_in_whole_or_not_at_all() -> None:
    item = Item(EditKind.DRIFT, "", 2, 2, "")

    def hunk(*origins: int) -> Hunk:
        mine = [Line(f"{I1}c({n})\n", origin=n) for n in origins]
        return Hunk(mine, [], [Line(f"{I1}new()\n")], "", item)

    result = rendered(f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}{CLOSE}@6")
    result.out.append(hunk(5))
    assert refence(result, SPAN, parse_function(LOCAL))
    assert isinstance(result.out[-2], Hunk)
    other = rendered(f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}{CLOSE}@6")
    other.out.append(hunk(5, 7))
    assert not refence(other, SPAN, parse_function(LOCAL))


def test_without_fences() -> None:
    result = rendered(f"{I1}{OPEN}@3", f"{I1}a(1)@4", f"{I1}{CLOSE}@6", f"{I1}{CLOSE}@9")
    kept = [x.text.strip() for x in without_fences(result, SPAN) if isinstance(x, Line)]
    assert kept == ["def run(self):", "a(1)", CLOSE]
