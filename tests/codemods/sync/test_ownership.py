"""Which changes of the sibling travel, and which are only proposed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omni_codemods.functions.align import align
from omni_codemods.functions.diff import make_ledger
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.replay.versions import Versions
from omni_codemods.sync.downstream import Downstream, Upstreams, find_downstream
from omni_codemods.sync.ownership import Sorted, Sorter
from parsed import tree_of

OMNI = find_downstream("from vllm_omni.a import tell\nimport vllm\n", "", "vllm_omni")


def sort(
    before: str,
    after: str,
    copy: str,
    downstream: Downstream = OMNI,
    upstreams: tuple[str, str] | None = None,
) -> tuple[list[str], list[str]]:
    """The first lines of what travels (``-`` where it is deleted), and of what is proposed."""
    found = sorted_ledger(before, after, copy, downstream, upstreams)
    runs = found.travels.runs
    inserted = [e.node.lines[0].strip() for r in runs for e in r.inserted if e.node.lines]
    deleted = [f"-{e.node.lines[0].strip()}" for r in runs for e in r.deleted if e.node.lines]
    changed = [p.edited.lines[0].strip() for p in found.travels.pairs]
    proposed = [one.nodes[0].lines[0].strip() for one in found.proposed]
    return [*inserted, *deleted, *changed], proposed


def sorted_ledger(
    before: str,
    after: str,
    copy: str,
    downstream: Downstream = OMNI,
    upstreams: tuple[str, str] | None = None,
) -> Sorted:
    trees = tree_of(before), tree_of(after), tree_of(copy)
    versions = Versions(*trees, align(trees[0], trees[1]), align(trees[0], trees[2]))
    blocks = function_fences(trees[2]).blocks
    fenced = frozenset(n for b in blocks for n in range(b.span.start, b.span.end + 1))
    ends = None if upstreams is None else Upstreams(*map(tree_of, upstreams))
    sorter = Sorter(versions, downstream, None, fenced, ends)
    return sorter.sort(make_ledger(trees[0].root, trees[1].root, versions.to_edited))


FENCE = "# ---- Omni-new ----\n"


@pytest.mark.parametrize(
    ("before", "after", "copy", "travels", "proposed"),
    [
        ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)", "a(1)\nb(2)", [], ["x(3)"]),
        ("a(1)\nb(2)", "a(1)\nomni(3)\nb(2)", "a(1)\nb(2)", ["omni(3)"], []),
        ("a(1)\nb(2)", "a(1)\ntell(3)\nb(2)", "a(1)\nb(2)", ["tell(3)"], []),
        ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)", f"{FENCE}a(1)\n{FENCE}b(2)", ["x(3)"], []),
        ("a(1)\nb(2)\nc(3)", "a(1)\nc(3)", f"a(1)\n{FENCE}b(2)\n{FENCE}c(3)", ["-b(2)"], []),
        ("a(1)\nb(2)\nc(3)", "a(1)\nc(3)", "a(1)\nb(2)\nc(3)", [], []),
        ("a(1)\nb(2)", "a(1)\nb(2)", "a(1)\nb(2)", [], []),
    ],
    ids=[
        "nothing speaks for it",
        "names the downstream",
        "names what comes from the downstream",
        "beside a block",
        "a block's code is gone",
        "the upstream's code is gone",
        "nothing changed",
    ],
)
def test_by_place_and_names(
    before: str, after: str, copy: str, travels: list[str], proposed: list[str]
) -> None:
    assert sort(before, after, copy) == (travels, proposed)


def test_pieces_of_one_run_are_told_apart() -> None:
    travels, proposed = sort("a(1)\nb(2)", "a(1)\nx(3)\nomni(4)\ny(5)\nz(6)\nb(2)", "a(1)\nb(2)")
    assert travels == ["omni(4)"]
    assert proposed == ["x(3)", "y(5)"]


def test_what_something_that_travels_reads_comes_along() -> None:
    travels, proposed = sort("a(1)\nb(2)", "a(1)\nrate = x(3)\nomni(rate)\nb(2)", "a(1)\nb(2)")
    assert (travels, proposed) == (["rate = x(3)", "omni(rate)"], [])


LACKING = replace(OMNI, lacking={"gain": "it needs self.gain"})


@pytest.mark.parametrize(
    ("new", "travels", "proposed"),
    [
        ("omni(self.gain(1))", [], ["omni(self.gain(1))"]),
        ("x = self.gain(1)\nomni(x)", [], ["x = self.gain(1)"]),
        ("x = 0\nif tell:\n    x = self.gain(1)\nomni(x)", [], ["x = 0"]),
        ("x = 0\ny = x\nz = self.gain(y)\nomni(z)", [], ["x = 0"]),
        ("x = tell(0)\nz = self.gain(x)\nomni(z)", [], ["x = tell(0)"]),
        ("x = self.gain(1)\nomni(2)", ["omni(2)"], ["x = self.gain(1)"]),
    ],
    ids=["it", "what reads it", "its default", "what it reads", "a call for it", "what does not"],
)
def test_what_would_not_run_here_is_proposed_with_all_that_belongs_to_it(
    new: str, travels: list[str], proposed: list[str]
) -> None:
    assert sort("a(1)\nb(2)", f"a(1)\n{new}\nb(2)", "a(1)\nb(2)", LACKING) == (travels, proposed)


def test_a_changed_statement_that_would_not_run_here_is_proposed() -> None:
    before, after = "omni(rows, mask, 1)", "omni(rows, mask, self.gain(1))"
    assert sort(before, after, f"{FENCE}{before}\n{FENCE}", LACKING) == ([], [after])
    after = "omni(rows, mask, x)"
    found = sorted_ledger(
        before, f"x = self.gain(1)\n{after}", f"{FENCE}{before}\n{FENCE}", LACKING
    )
    assert found.travels.pairs == []
    assert [one.why for one in found.proposed] == [
        "it needs self.gain",
        "it reads x: it needs self.gain",
    ]


def test_a_value_that_only_proposed_code_reads_does_not_travel() -> None:
    copy = f"{FENCE}a(1)\nb(2)\n{FENCE}c(3)\nd(4)"
    new = "a(1)\nrate = 1\nb(2)\nc(3)\nx(rate)\nd(4)"
    assert sort("a(1)\nb(2)\nc(3)\nd(4)", new, copy) == ([], ["rate = 1", "x(rate)"])
    assert sort("a(1)\nb(2)\nc(3)\nd(4)", new, copy.replace("d(4)", "d(rate)"))[0] == ["rate = 1"]


def test_with_the_siblings_upstream_what_that_has_stays() -> None:
    ends = ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)")
    travels, proposed = sort(
        "a(1)\nb(2)\nmine(9)", "a(1)\nx(3)\ny(4)\nb(2)", "a(1)\nb(2)\nmine(9)", upstreams=ends
    )
    assert travels == ["y(4)", "-mine(9)"]
    assert proposed == ["x(3)"]


@pytest.mark.parametrize(
    ("before", "after", "copy", "upstream", "reason"),
    [
        (
            "if a:\n    y = tell(p, q, r, 1)\nb(2)",
            "if a:\n    y = tell(p, q, r, 9)\nb(2)",
            "b(2)",
            "b(2)",
            "has nothing of",
        ),
        ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)", "a(1)\nb(2)", "a(1)\nx(3)\nb(2)", "its own upgrade"),
        ("a(1)\nb(2)", "a(1)\nx(3)\nb(2)", "a(1)\nb(2)", None, "nothing tells"),
    ],
)
def test_what_is_proposed_says_why(
    before: str, after: str, copy: str, upstream: str | None, reason: str
) -> None:
    ends = None if upstream is None else (before if upstream != "b(2)" else upstream, upstream)
    (one,) = sorted_ledger(before, after, copy, upstreams=ends).proposed
    assert reason in one.why


def test_a_docstring_is_not_proposed() -> None:
    assert sort("a(1)", '"""What."""\na(1)', "a(1)") == ([], [])


def test_a_comment_that_the_copy_has_does_not_travel_again() -> None:
    copy = "# omni says\na(1)\nb(2)"
    travels, _ = sort("a(1)\nb(2)", "a(1)\n# omni says\nomni(3)\nb(2)", copy)
    assert travels == ["omni(3)"]
    travels, _ = sort("a(1)\nb(2)", "a(1)\n# omni says\nomni(3)\nb(2)", "a(1)\nb(2)")
    assert travels == ["# omni says", "omni(3)"]


def test_words_that_others_have_too_tell_nothing() -> None:
    words = find_downstream("import vllm_omni\nimport vllm_ascend\n", "", "vllm_omni").words
    assert words is not None
    assert words.search("omni_rate")
    assert not words.search("vllm_rate")
    assert find_downstream("import a\n", "", None).words is None


def test_what_the_sibling_imports_from_elsewhere_is_foreign() -> None:
    sibling = "from engine import pad, cut\nfrom .own import mine\n"
    found = find_downstream(sibling, "from engine import cut\n", "omni")
    assert found.foreign == {"pad"}
    assert found.imported == {"mine"}
