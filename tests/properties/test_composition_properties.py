"""Edits that have nothing to do with each other compose: the result is known exactly."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import event, given, note
from hypothesis import strategies as st

from invariants import code_of
from omni_codemods.model import Outcome
from omni_codemods.rebase import rebase_method
from shapes import Body, Line, render_body
from strategies import FUNCTIONS, VARIABLES, local_versions, methods, unmarked, upstream_versions

HEAD = "class Runner:\n    def run(self, batch):\n"
PIVOT = """        self.pivot(self.first, 1)
        with self.barrier(2):
            self.inside(3)
        self.pivot(self.last, 4)
"""
OWN_NAMES = re.compile(rf"\b({'|'.join((*VARIABLES, *FUNCTIONS, 'total', 'peer', 'text'))})\b")


def half(body: Body, suffix: str) -> str:
    """A stretch of code whose names no other half has."""
    text = "\n".join(render_body(body, " " * 8, wide=True)) + "\n"
    text = re.sub(r"\b(return None|pass)\b", "self.head(rows)", text)
    return OWN_NAMES.sub(rf"\1_{suffix}", text)


@st.composite
def bodies(draw: st.DrawFn, edit: str) -> tuple[Body, Body]:
    """A stretch of code before and after local or upstream edits; it ends in a statement."""
    method = replace(draw(methods()), parameters=(), decorators=(), is_async=False)
    versions = local_versions if edit == "local" else upstream_versions
    after = draw(versions(method))
    if edit == "upstream":
        after = unmarked(after)
    last = Line("self.send(rows, 5)")
    return (*method.body, last), (*after.body, last)


@given(bodies("local"), bodies("upstream"), st.booleans())
def test_edits_on_both_sides_of_a_pivot_compose(
    ours: tuple[Body, Body], theirs: tuple[Body, Body], local_first: bool
) -> None:
    def file(local: Body, upstream: Body) -> str:
        halves = half(local, "a"), half(upstream, "b")
        return HEAD + PIVOT.join(halves if local_first else reversed(halves))

    base, local = file(ours[0], theirs[0]), file(ours[1], theirs[0])
    target, expected = file(ours[0], theirs[1]), file(ours[1], theirs[1])
    for side, text in (("base", base), ("local", local), ("target", target)):
        note(f"--- {side}\n{text}")
    result = rebase_method(local=local, base=base, target=target, method="run")
    note(f"--- result\n{result.text}")
    event(f"edits: {min(len(result.edits), 4)}")
    assert not result.conflicts
    assert code_of(result.text) == code_of(expected)
    assert {edit.outcome for edit in result.edits} <= {Outcome.CARRIED, Outcome.MOVED}


def test_halves_share_no_names() -> None:
    body: Body = (Line("rows = self.select(batch)"), Line("return None"))
    assert half(body, "a").split() == [
        *("rows_a", "=", "self.select_a(batch_a)"),
        "self.head_a(rows_a)",
    ]
