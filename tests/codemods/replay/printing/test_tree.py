"""The skeleton with the edits in it: whose text is printed, and what a hunk holds."""

from __future__ import annotations

import pytest

from omni_codemods.functions.function_fences import function_fences
from omni_codemods.rebuild.attempts import Reconstructor
from omni_codemods.replay.printing.lines import Labels
from parsed import tree_of

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"


def body(base: str, local: str, target: str) -> str:
    """The rebuilt body, dedented."""
    mine = tree_of(local)
    builder = Reconstructor(tree_of(base), mine, tree_of(target), function_fences(mine))
    lines = [p.text for p in builder.build(Labels(), "").printed[1:]]
    return "".join(x.removeprefix("    ") for x in lines)


NEW = "\nnew(9)"


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # where nobody changed the code, local's layout stays
        ("f(a, b)", "f( a,\n   b)", "f(a, b)" + NEW, "f( a,\n   b)\nnew(9)\n"),
        ("f(a, b)", "f( a, b)", "f(\n    a,\n    b,\n)" + NEW, "f( a, b)\nnew(9)\n"),
        # where local laid nothing out anew, the upstream's does
        ("f(a, b)", "f(a, b)", "f(\n    a,\n    b,\n)" + NEW, "f(\n    a,\n    b,\n)\nnew(9)\n"),
        # the skeleton's own changes come in its words
        ("f(a)", "f( a )", "f(a, b)  # why" + NEW, "f(a, b)  # why\nnew(9)\n"),
        # local's changes in local's
        ("f(a)", "g( a )  # ours", "f(a)" + NEW, "g( a )  # ours\nnew(9)\n"),
        # comments: the target's wording, unless local changed it
        ("# one\na(1)", "# one\na(1)", "# two\na(1)" + NEW, "# two\na(1)\nnew(9)\n"),
        ("a(1)  # one", "a(1)  # one", "a(1)  # two" + NEW, "a(1)  # two\nnew(9)\n"),
        ("a(1)  # one", "a(1)  # ours", "a(1)  # one" + NEW, "a(1)  # ours\nnew(9)\n"),
        # blank lines follow the target where it changed them
        ("a(1)\nb(2)", "a(1)\n\nb(2)", "a(1)\nb(2)" + NEW, "a(1)\n\nb(2)\nnew(9)\n"),
        ("a(1)\n\nb(2)", "a(1)\n\nb(2)", "a(1)\nb(2)" + NEW, "a(1)\nb(2)\nnew(9)\n"),
    ],
)
def test_whose_text(base: str, local: str, target: str, expected: str) -> None:
    assert body(base, local, target) == expected


def test_what_goes_deeper_is_indented_and_strings_are_not() -> None:
    base = "a(1)\nhidden = self.model(rows, mask)\nself.use(hidden, rows)"
    local = base.replace("self.use", f"{OPEN}log('''x\n  y''',\n    rows)\n{CLOSE}self.use")
    target = "a(1)\nwith lock:\n    hidden = self.model(rows, mask)\n    self.use(hidden, rows)"
    inner = f"    {OPEN}    log('''x\n  y''',\n        rows)\n    {CLOSE}"
    expected = target.replace("    self.use", f"{inner}    self.use") + "\n"
    assert body(base, local, target) == expected


def test_a_local_wrap_takes_the_skeleton_s_code_in() -> None:
    base = "a(1)\nhidden = self.model(rows, mask)\nb(2)"
    local = "a(1)\nwith trace:\n    hidden = self.model(rows, mask)\nb(2)"
    target = "a(1)\nhidden = self.model(rows, mask, k=1)\nb(2)\nnew(9)"
    expected = "a(1)\nwith trace:\n    hidden = self.model(rows, mask, k=1)\nb(2)\nnew(9)\n"
    assert body(base, local, target) == expected


def test_a_compound_that_local_took_away_leaves_its_body() -> None:
    base = "a(1)\nwith lock:\n    hidden = self.model(rows, mask)\nb(2)"
    local = "a(1)\nhidden = self.model(rows, mask)\nb(2)"
    target = "a(1)\nwith lock:\n    hidden = self.model(rows, mask, k=1)\nb(2)\nnew(9)"
    expected = "a(1)\nhidden = self.model(rows, mask, k=1)\nb(2)\nnew(9)\n"
    assert body(base, local, target) == expected


def test_an_emptied_block_passes() -> None:
    base = "a(1)\nif x:\n    drop(rows, 1)\nb(2)"
    local = "a(1)\nif x:\n    # later\n    pass\nb(2)"
    assert "if x:\n    # later\n    pass\n" in body(base, local, base + NEW)
    gone = body(
        "if x:\n    drop(1)\n    keep(2)\nb(2)",
        "if x:\n    keep(2)\nb(2)",
        "if x:\n    drop(1)\nb(2)\nnew(9)",
    )
    assert gone == "if x:\n    pass\nb(2)\nnew(9)\n"


def test_a_hunk_in_an_otherwise_empty_block_holds_a_statement_on_each_side() -> None:
    base = "if x:\n    f(1, 2)\nb(2)"
    result = body(base, "if x:\n    f(1, 3)\nb(2)", "if x:\n    f(1, 4)\nb(2)\nnew(9)")
    assert result == (
        "if x:\n<<<<<<< local\n    f(1, 3)\n||||||| base\n    f(1, 2)\n=======\n"
        "    f(1, 4)\n>>>>>>> target\nb(2)\nnew(9)\n"
    )


def test_two_conflicts_side_by_side_stay_two() -> None:
    base = "x = f(1)\ny = g(1)\nlast(1)"
    result = body(base, "x = f(2)\ny = g(2)\nlast(1)", "x = f(3)\ny = g(3)\nlast(1)\nnew(9)")
    assert result.count("<<<<<<<") == result.count(">>>>>>>") == 2


def test_conflicts_over_the_same_code_are_one() -> None:
    base = "first(1)\nx = self.one(rows, 1)\ny = self.two(rows, 1)\nlast(1)"
    local = "first(1)\nlast(1)"
    target = "first(1)\nx = self.one(rows, 2)\ny = self.two(rows, 2)\nlast(1)\nnew(9)"
    result = body(base, local, target)
    assert result.count("<<<<<<<") == 1
    hunk = result.partition("=======\n")[2].partition(">>>>>>>")[0]
    assert hunk == "x = self.one(rows, 2)\ny = self.two(rows, 2)\n"


def test_what_local_put_between_stands_in_local_s_order() -> None:
    base = "first(1)\nlast(1)"
    local = f"first(1)\nours_one(p)\n{OPEN}ours_two(q)\n{CLOSE}ours_three(r)\nlast(1)"
    assert body(base, local, base + NEW) == local + "\nnew(9)\n"
