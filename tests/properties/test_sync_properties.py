"""What holds for every sync, on random edits of random methods of real shape."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import event, given, note, reject
from hypothesis import strategies as st

from invariants import HUNK, assert_parses, resolve
from omni_codemods.findings.errors import NotACopy
from omni_codemods.findings.model import EditKind, Outcome, RebaseResult
from omni_codemods.functions.fences import parse_fences
from omni_codemods.rebase.method import rebase_method
from omni_codemods.sync.sibling import Sibling
from omni_codemods.sync.sync_method import sync_method
from shapes import Method, render_method
from strategies import local_versions, methods, upstream_versions

HEAD = "import time\n\nfrom engine.rows import pad\n\n\nclass Runner:\n"
LAST = "\n    def last(self):\n        return pad(self.rank), time.monotonic()\n"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The sibling before and after, and an NPU copy, as files."""

    base: Method
    before: str
    after: str
    copy: str


def file_of(method: Method) -> str:
    """A module with *method* and another."""
    return f"{HEAD}{render_method(method)}{LAST}"


@st.composite
def inputs(draw: st.DrawFn) -> Inputs:
    """The copy and the newer sibling are two versions of the older sibling."""
    base = draw(methods())
    after, copy = draw(upstream_versions(base)), draw(local_versions(base))
    return Inputs(base, file_of(base), file_of(after), file_of(copy))


def sync(three: Inputs, *, upstreams: bool = False) -> RebaseResult:
    """Sync ``run``; with *upstreams*, all that the sibling changed is its own."""
    empty = "class Runner:\n    def other(self):\n        pass\n"
    for name in ("before", "after", "copy"):
        note(f"--- {name}\n{getattr(three, name)}")
    sibling = Sibling(
        three.before,
        three.after,
        cls="Runner",
        upstream_base=empty if upstreams else None,
        upstream_target=empty if upstreams else None,
        upstream_class="Runner" if upstreams else None,
    )
    try:
        result = sync_method(local=three.copy, sibling=sibling, method="run")
    except NotACopy:
        event("nothing in common")
        reject()
    note(f"--- result\n{result.text}")
    return result


@given(inputs(), st.booleans())
def test_an_unchanged_sibling_changes_nothing(three: Inputs, exact: bool) -> None:
    result = sync(replace(three, after=three.before), upstreams=exact)
    assert result.text == three.copy
    assert result.edits == ()
    assert result.conflicts == ()


@given(inputs(), st.booleans())
def test_what_the_copy_has_already_changes_nothing(three: Inputs, exact: bool) -> None:
    result = sync(replace(three, copy=three.after), upstreams=exact)
    assert result.text == three.after
    placed = {Outcome.CARRIED, Outcome.MOVED, Outcome.CONFLICT}
    assert not [e for e in result.edits if e.outcome in placed]


@given(inputs(), st.booleans())
def test_the_result_parses_and_every_edit_is_the_siblings(three: Inputs, exact: bool) -> None:
    result = sync(three, upstreams=exact)
    # A sync asks about more than it must (docs/internals/limits.md): beside a block of the copy,
    # a side of a hunk may be as the sibling had it before.
    assert_parses(result, asks_little=False)
    assert {e.edit.kind for e in result.edits} <= {EditKind.SIBLING}
    for edit in result.edits:
        assert 1 <= edit.edit.span.start <= edit.edit.span.end <= three.after.count("\n")


@given(inputs(), st.booleans())
def test_a_second_sync_changes_nothing(three: Inputs, exact: bool) -> None:
    first = sync(three, upstreams=exact)
    second = sync(replace(three, copy=first.text), upstreams=exact)
    assert second.text == first.text


@given(inputs(), st.booleans())
def test_fenced_lines_change_in_hunks_alone(three: Inputs, exact: bool) -> None:
    result = sync(three, upstreams=exact)
    mine = resolve(result.text, "local")
    lines = three.copy.split("\n")
    numbers = {
        number
        for block in parse_fences(three.copy).blocks
        for number in range(block.span.start, block.span.end + 1)
    }
    fenced = Counter(lines[number - 1].strip() for number in numbers)
    # What followed the sibling is told, with both texts.
    followed = {
        line[1:].strip()
        for one in result.edits
        if one.outcome is Outcome.FOLLOWED
        for line in one.overruled.splitlines()
        if line.startswith("-")
    }
    lost = fenced - Counter(line.strip() for line in mine.split("\n"))
    assert set(lost) <= followed
    outside = HUNK.sub("", result.text)
    assert not re.search(r"^[<|>=]{7}", outside, re.MULTILINE)


@given(inputs(), st.data())
def test_hunks_of_a_rebase_survive(three: Inputs, data: st.DataObject) -> None:
    hunk = data.draw(st.sampled_from((HUNK_OF_STATEMENTS, HUNK_THAT_DELETES)))
    lines = three.copy.split("\n")
    at = lines.index("    def last(self):")
    text = "\n".join([*lines[: at + 1], *hunk.rstrip("\n").split("\n"), *lines[at + 1 :]])
    result = sync(replace(three, copy=text))
    assert hunk in result.text
    plain = sync(three)
    assert result.text.replace(hunk, "") == plain.text


HUNK_OF_STATEMENTS = """\
<<<<<<< local (a.py)
        self.one()
||||||| base (b.py)
        self.two()
=======
        self.three()
>>>>>>> target (c.py)
"""
HUNK_THAT_DELETES = """\
<<<<<<< local (a.py)
        self.one()
||||||| base (b.py)
        self.two()
=======
>>>>>>> target (c.py)
"""


@given(inputs(), st.data())
def test_after_a_rebase(three: Inputs, data: st.DataObject) -> None:
    """Both in one: the rebase's hunks stand in the result byte for byte, and its blocks too."""
    target = file_of(data.draw(upstream_versions(three.base)))
    sibling = Sibling(three.before, three.after, cls="Runner")

    def rebase(sync_with: Sibling | None) -> RebaseResult:
        return rebase_method(
            local=three.copy, base=three.before, target=target, method="run", sibling=sync_with
        )

    try:
        alone = rebase(None)
    except NotACopy:
        reject()
    both = rebase(sibling)
    note(f"--- alone\n{alone.text}\n--- both\n{both.text}")
    for hunk in HUNK.finditer(alone.text):
        assert hunk.group() in both.text
    assert_parses(both)
    mine = [e for e in both.edits if e.edit.kind is not EditKind.SIBLING]
    assert [(e.edit, e.outcome) for e in mine] == [(e.edit, e.outcome) for e in alone.edits]
