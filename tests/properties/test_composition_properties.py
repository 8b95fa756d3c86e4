"""Edits that have nothing to do with each other compose: the result is known exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hypothesis import event, given, note
from hypothesis import strategies as st

from invariants import code_of
from omni_codemods.findings.model import Outcome
from omni_codemods.rebase.method import rebase_method
from shapes import Body, Line, render_body
from strategies import FUNCTIONS, VARIABLES, local_versions, methods, upstream_versions

HEAD = "class Runner:\n    def run(self, batch):\n"
PIVOT = """        self.pivot(self.first, {0}1)
        with self.barrier({0}2):
            self.inside({0}3)
        self.pivot(self.last, {0}4)
"""
OWN_NAMES = re.compile(rf"\b({'|'.join((*VARIABLES, *FUNCTIONS, 'total', 'peer', 'text'))})\b")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of code before and after the edits of one side; the other leaves it alone."""

    before: Body
    after: Body
    is_local: bool


@st.composite
def stretches(draw: st.DrawFn) -> Stretch:
    """A stretch with local or upstream edits; it ends in a statement."""
    method = replace(draw(methods()), parameters=(), decorators=(), is_async=False)
    is_local = draw(st.booleans())
    after = draw(local_versions(method) if is_local else upstream_versions(method))
    last = Line("self.send(rows, 5)")
    return Stretch((*method.body, last), (*after.body, last), is_local)


def own(body: Body, suffix: str) -> str:
    """The text of *body*, its names made so that no other stretch has them."""
    text = "\n".join(render_body(body, " " * 8, wide=True)) + "\n"
    text = re.sub(r"\b(return None|pass)\b", "self.head(rows)", text)
    return OWN_NAMES.sub(rf"\1_{suffix}", text)


def file_of(parts: list[Stretch], *, local: bool, upstream: bool) -> str:
    """All stretches with a pivot after each, edited by the sides that are asked for."""
    text = HEAD
    for number, part in enumerate(parts):
        edited = local if part.is_local else upstream
        text += own(part.after if edited else part.before, "abcde"[number])
        text += PIVOT.format(number + 1)
    return text


@given(st.lists(stretches(), min_size=2, max_size=5))
def test_unrelated_edits_compose(parts: list[Stretch]) -> None:
    base, local = (file_of(parts, local=edited, upstream=False) for edited in (False, True))
    target, expected = (file_of(parts, local=edited, upstream=True) for edited in (False, True))
    for side, text in (("base", base), ("local", local), ("target", target)):
        note(f"--- {side}\n{text}")
    result = rebase_method(local=local, base=base, target=target, method="run")
    note(f"--- result\n{result.text}")
    event(f"edits: {min(len(result.edits), 6)}")
    assert not result.conflicts
    assert code_of(result.text) == code_of(expected)
    assert {edit.outcome for edit in result.edits} <= {Outcome.CARRIED, Outcome.MOVED}


def test_stretches_share_no_names() -> None:
    body: Body = (Line("rows = self.select(batch)"), Line("return None"))
    assert own(body, "a").split() == [
        *("rows_a", "=", "self.select_a(batch_a)"),
        "self.head_a(rows_a)",
    ]
