from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from omni_codemods.findings.model import (
    Conflict,
    Edit,
    EditKind,
    EditOutcome,
    Evidence,
    Finding,
    Outcome,
    RebaseResult,
    Span,
)
from omni_port.base.address import Address
from omni_port.base.errors import ExitCode
from omni_port.base.files import Source
from omni_port.methods.rebase import Rebase, RebaseRequest
from omni_port.report.markdown import cell, code, fence
from omni_port.report.rebase_markdown import render_rebase_markdown
from omni_port.report.rebase_text import render_closing, render_rebase, shorten
from omni_port.sources.file_at import Located, Provenance


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "`x`"),
        ("a | b", r"`a \| b`"),
        ("a `b` c", "``a `b` c``"),
        ("`b`", "`` `b` ``"),
        ("a\n  b", "`a b`"),
        ("", ""),
    ],
)
def test_code(text: str, expected: str) -> None:
    assert code(text) == expected


def test_cell() -> None:
    assert cell("a_b | *c*\n<d>") == r"a\_b \| \*c\* \<d>"
    assert cell("plain words") == "plain words"


def test_fence_is_longer_than_what_it_holds() -> None:
    assert fence("x = 1\n", "python") == "```python\nx = 1\n```"
    assert fence("s = '````'", "python").startswith("`````python\ns = '````'\n`````")


def test_shorten() -> None:
    assert shorten("  x = 1\ny = 2") == "x = 1"
    assert len(shorten("x" * 100)) == 60


def located(path: str, revision: str | None = None, *, call: str = "f") -> Located:
    address = Address(path, "repo" if revision else None, "v1" if revision else None, "Omni")
    provenance = Provenance(path, "ab" * 32, address.repository, revision, "Omni")
    text = f"class Omni:\n    def run(self):\n        return {call}()\n"
    return Located(address, Source(text, "utf-8"), provenance)


@pytest.fixture
def rebase() -> Rebase:
    sides = located("local.py"), located("up.py", "c" * 40), located("up.py", "d" * 40, call="g")
    request = RebaseRequest("run", sides[0].address, sides[1].address, sides[2].address)
    block = Edit(EditKind.BLOCK, "insertion", Span(3, 5), "self.talk(a | b)", "talk")
    drift = Edit(EditKind.DRIFT, "modification", Span(7, 7), "y = f(x)")
    edits: tuple[EditOutcome, ...] = (
        EditOutcome(block, Outcome.ORPHAN, Evidence.GUESSED, "its branch is gone", Span(4, 6)),
        EditOutcome(
            drift, Outcome.CARRIED, Evidence.EXACT, "same", Span(9, 9), "-y = g(x)\n+y = h(x)\n"
        ),
    )
    guess = Edit(EditKind.BLOCK, "insertion", Span(9, 9), "order(x)")
    reason = "the order is a guess"
    edits += (EditOutcome(guess, Outcome.CARRIED, Evidence.GUESSED, reason, Span(11, 11)),)
    conflict = Conflict(12, "z = 1\n", "z = 0\n", "z = 2\n", "both changed it")
    finding = Finding("OP401", 5, 0, "hidden is not bound any more", "use hidden_states")
    result = RebaseResult(
        "text", "Omni.run", edits, (conflict,), (finding,), ("from a import b",), ("import c",)
    )
    return Rebase(request, *sides, result)


def test_a_report_to_decide_from(rebase: Rebase) -> None:
    report = render_rebase_markdown(rebase)
    for part in (
        "# Rebase of `Omni.run`",
        f"| base | `up.py::Omni` | `{'c' * 40}` |",
        "| local | `local.py::Omni` | working tree |",
        "### Conflict 1, line 12 of the result\n\nboth changed it\n",
        "```python\nz = 1\n```",
        "```diff\n- z = 0\n+ z = 2\n```",
        "### Orphan, lines 3-5 of local",
        r"| orphan | guessed | 3-5 | 4-6 | block insertion | `self.talk(a \| b)` |",
        "```diff\n-y = g(x)\n+y = h(x)\n```",
        "## Guessed places",
        "- line 11 of the result, `order(x)`: the order is a guess\n",
        "| 5 | OP401 | hidden is not bound any more | use hidden\\_states |",
        "```diff\n- import c\n+ from a import b\n```",
        "-        return f()\n+        return g()\n",
    ):
        assert part in report
    assert "\n\n\n\n" not in report


def test_a_report_with_nothing_to_say(rebase: Rebase) -> None:
    quiet = Rebase(
        rebase.request, rebase.local, rebase.base, rebase.base, RebaseResult("t", "Omni.run")
    )
    report = render_rebase_markdown(quiet)
    assert "no local edits" in report
    assert "##" not in report.replace("# Rebase", "")


def test_text(rebase: Rebase) -> None:
    first, second, title, was, now, third, conflict, finding, hint, added, removed, closing = (
        render_rebase(rebase, result_path="out.py", verbose=False).split("\n")
    )
    assert "orphan" in first
    assert "3-5 -> 4-6" in first
    assert first.endswith("[its branch is gone]")
    assert second.endswith("[same]")
    assert title == "    overrules this upstream change:"
    assert (was, now) == ("    -y = g(x)", "    +y = h(x)")
    assert "guessed  9 -> 11" in third
    assert conflict.startswith("out.py:12: ")
    assert finding.startswith("out.py:5:1: ")
    assert hint == "  hint: use hidden_states"
    assert (added, removed) == ("import added: from a import b", "import removed: import c")
    assert closing == (
        "Omni.run: 3 edits (2 blocks, 1 drift): 2 carried, 1 orphan; "
        "1 conflict hunk: a person must decide, 1 upstream change overruled"
    )


@pytest.mark.parametrize(
    ("overruled", "doubled", "said"),
    [
        ("-a\n+b\n", "", "what is left to look at: 1 upstream change overruled"),
        ("", "tick()\n", "what is left to look at: 1 edit whose code may run twice"),
        ("", "", "nothing is left to decide"),
    ],
)
def test_what_asks_is_never_nothing(
    rebase: Rebase, overruled: str, doubled: str, said: str
) -> None:
    carried = replace(rebase.result.edits[2], overruled=overruled, doubled=doubled)
    result = RebaseResult("text", "Omni.run", (carried,))
    assert render_closing(replace(rebase, result=result)).endswith(f": {said}")
    strict = replace(rebase, result=replace(result, strict=True))
    assert strict.exit_code is (ExitCode.PERSON if overruled or doubled else ExitCode.DONE)
    assert replace(strict, result=result).exit_code is ExitCode.DONE


def test_all_that_asks_is_shown_in_full(rebase: Rebase) -> None:
    doubled = replace(rebase.result.edits[1], doubled="tick(\n    x,\n)\n")
    shown = replace(rebase, result=RebaseResult("text", "Omni.run", (doubled,)))
    text = render_rebase(shown, result_path="out.py", verbose=False)
    assert "\n    -y = g(x)\n    +y = h(x)\n" in text
    assert "\n    tick(\n        x,\n    )\n" in text
    assert "```python\ntick(\n    x,\n)\n```" in render_rebase_markdown(shown)


def test_template_ships_beside_its_module() -> None:
    import omni_port.report

    (folder,) = omni_port.report.__path__
    assert (Path(folder) / "templates" / "rebase.md.j2").is_file()
