"""Trees in, printed function out, and what happens where a check fails."""

from __future__ import annotations

import ast
import textwrap

import pytest

from omni_codemods.findings.model import Outcome
from omni_codemods.functions.align import align
from omni_codemods.functions.alignment import shared
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.functions.indentation import indent_unit, with_unit
from omni_codemods.functions.tree import parse_function
from omni_codemods.rebuild.attempts import Reconstruction, Reconstructor
from omni_codemods.replay.printing.lines import Labels
from parsed import node, suite, tree_of

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"
MODEL = "hidden = self.model(rows, mask)"
COUNT = "self.count(hidden, rows)"


def built(base: str, local: str, target: str, *, strict: bool = False) -> Reconstruction:
    """The new function for three bodies, at the margin of a method."""
    mine = tree_of(local)
    fences = function_fences(mine)
    builder = Reconstructor(tree_of(base), mine, tree_of(target), fences, strict=strict)
    return builder.build(Labels("mine", "old", "new"), "    ")


def body(result: Reconstruction) -> str:
    """The printed body, without the indentation of a method's body."""
    lines = "".join(p.text for p in result.printed[1:]).splitlines(keepends=True)
    return "".join(x.removeprefix("        ") for x in lines)


def outcomes(result: Reconstruction) -> list[Outcome]:
    return [i.outcome(1, None).outcome for i in result.items if not i.is_remark]


# -- the short cuts -------------------------------------------------------------------------


def test_base_is_target() -> None:
    local = f"a(1)\n{OPEN}mine()\n{CLOSE}b(2)\nc( 3 )  # odd\n"
    result = built("a(1)\nb(2)\nc(3)", local, "a(1)\nb(2)\nc(3)")
    assert body(result) == local
    assert outcomes(result) == [Outcome.CARRIED]


def test_local_is_base() -> None:
    result = built("a(1)\nb(2)", "a(1)\nb(2)", "a( 1 )\nx(3)\n")
    assert body(result) == "a( 1 )\nx(3)\n"
    assert outcomes(result) == []


def test_local_is_target() -> None:
    both = "a(1)\nmine(2)\nb(3)\n"
    result = built("a(1)\nb(3)", both, both)
    assert body(result) == both
    assert outcomes(result) == [Outcome.ABSORBED]


# -- the usual way --------------------------------------------------------------------------


def test_a_block_is_put_into_the_target() -> None:
    result = built("a(1)\nb(2)", f"a(1)\n{OPEN}mine()\n{CLOSE}b(2)", "a(1)\nb(2, 3)\nnew()")
    assert body(result) == f"a(1)\n{OPEN}mine()\n{CLOSE}b(2, 3)\nnew()\n"
    owned = [p.text.strip() for p in result.printed if p.item is not None]
    assert owned == [OPEN.strip(), "mine()", CLOSE.strip()]


def test_a_conflict_is_a_diff3_hunk_with_the_labels() -> None:
    result = built("x = f(1)\nb(2)", "x = f(2)\nb(2)", "x = f(3)\nb(2)\nnew()")
    assert "".join(p.text for p in result.printed[1:]) == (
        "<<<<<<< mine\n        x = f(2)\n||||||| old\n        x = f(1)\n=======\n"
        "        x = f(3)\n>>>>>>> new\n        b(2)\n        new()\n"
    )
    (hunk,) = [p.hunk for p in result.printed if p.hunk is not None]
    assert hunk.reason == "both changed this statement"
    assert result.printed[1].hunk is hunk


def test_sides_are_the_two_ways_to_resolve_it() -> None:
    result = built("x = f(1)\nb(2)", "x = f(2)\nb(2)", "x = f(3)\nb(2)\nnew()")
    for side, value in zip(result.sides, "23", strict=True):
        assert f"x = f({value})" in side
        assert "<<<" not in side
        ast.parse(textwrap.dedent(side))


def test_without_conflicts_the_sides_are_the_text() -> None:
    result = built("a(1)\nb(2)", "a(1)\nmine()\nb(2)", "a(1)\nb(2)\nnew()")
    assert result.sides[0] == result.sides[1] == "".join(p.text for p in result.printed)


def test_strict_makes_a_merged_statement_a_conflict() -> None:
    sides = ("f(a)\nb(2)", "f(a, m)\nb(2)", "f(a, k=n)\nb(2)")
    assert outcomes(built(*sides)) == [Outcome.CARRIED]
    assert outcomes(built(*sides, strict=True)) == [Outcome.CONFLICT]


def test_a_keyword_is_never_given_twice() -> None:
    result = built("f(a)\nb(2)", "f(a, k=1)\nb(2)", "f(a, k=2)\nb(2)\nnew()")
    (hunk,) = [p.hunk for p in result.printed if p.hunk is not None]
    assert hunk.reason == "both changed this statement"


def test_a_wrap_of_two_headers_that_the_upstream_has_too_is_absorbed() -> None:
    wrapped = "a()\nif ready:\n    with trace:\n        f(rows)\nb()"
    result = built("a()\nf(rows)\nb()", wrapped, f"{wrapped}\nnew()")
    assert body(result) == f"{wrapped}\nnew()\n"
    assert set(outcomes(result)) == {Outcome.ABSORBED}


@pytest.mark.parametrize("fence", ["", OPEN])
def test_of_two_local_wraps_the_upstream_s_stands_for_one_alone(fence: str) -> None:
    local = f"{fence}with trace:\n    {MODEL}\n    with trace:\n        {COUNT}\n"
    local += CLOSE if fence else ""
    target = f"with trace:\n    {MODEL}\n    {COUNT}\nnew()"
    assert body(built(f"{MODEL}\n{COUNT}", local, target)) == f"{local}new()\n"


@pytest.mark.parametrize("inner", [f"{MODEL}\n", f"mine()\n        {MODEL}\n"])
def test_wraps_of_one_header_pair_from_the_inside(inner: str) -> None:
    local = f"with trace:\n    with trace:\n        {inner}"
    target = f"with trace:\n    with trace:\n        {MODEL}\n    new()\n"
    result = built(MODEL, local, target)
    assert body(result) == target.replace(f"{MODEL}\n", inner)


def test_what_stands_behind_a_wrap_of_both_stays_behind_it_beside_a_deletion() -> None:
    local = f"for row in rows:\n    {MODEL}\n    mine()\nfor row in rows:\n    more()\nend(1)"
    target = f"for row in rows:\n    {MODEL}\n    {COUNT}\nnew()\nend(1)"
    result = built(f"{MODEL}\n{COUNT}\nend(1)", local, target)
    assert body(result) == (
        f"for row in rows:\n    {MODEL}\n    mine()\nnew()\nfor row in rows:\n    more()\nend(1)\n"
    )


def test_what_stands_in_a_wrap_that_the_upstream_has_too_is_looked_for_in_it() -> None:
    wrapped = "a()\nwith trace:\n    a()\n    f(rows)"
    result = built("a()\nf(rows)", wrapped, f"{wrapped}\nnew()")
    assert body(result) == f"{wrapped}\nnew()\n"
    assert set(outcomes(result)) == {Outcome.ABSORBED}


def test_a_deletion_beside_a_wrap_that_the_upstream_made_too_is_absorbed() -> None:
    target = "with trace:\n    f(rows)\nnew()"
    result = built("f(rows)\nf(rows)", "with trace:\n    f(rows)", target)
    assert body(result) == f"{target}\n"
    assert set(outcomes(result)) == {Outcome.ABSORBED}


def test_a_repeated_statement_in_a_wrap_that_the_upstream_has_too_is_absorbed_in_it() -> None:
    target = (
        f"with trace:\n    {MODEL}\n    keep(1)\nif ready:\n    {COUNT}\n    new()\n    {COUNT}"
    )
    local = f"with trace:\n    {MODEL}\nif ready:\n    {COUNT}\n    {COUNT}"
    result = built(f"{MODEL}\nkeep(1)\n{COUNT}", local, target)
    assert body(result) == target.replace("\n    keep(1)", "") + "\n"


def test_what_stands_between_two_wraps_that_the_upstream_has_too_stays_between() -> None:
    inner = f"    if ready:\n        {MODEL}\n        {MODEL}\n"
    local = f"with lock:\n    {OPEN}{inner}    {CLOSE}mine()\nend(1)"
    result = built(f"{MODEL}\nend(1)", local, f"with lock:\n{inner}end(1)")
    assert body(result) == f"with lock:\n{inner}mine()\nend(1)\n"


def test_local_code_before_a_wrap_of_both_is_absorbed_before_the_upstream_s_wrap() -> None:
    local = f"start(rows)\nif ready:\n    mine(1)\n    {MODEL}"
    result = built(MODEL, local, f"start(rows)\nnew()\nwith trace:\n    {MODEL}")
    assert body(result) == (
        f"start(rows)\nnew()\nwith trace:\n    if ready:\n        mine(1)\n        {MODEL}\n"
    )


def test_upstream_s_own_line_is_not_taken_for_one_in_a_local_wrap() -> None:
    local = f"if ready:\n    {OPEN}    start(rows)\n    {CLOSE}    {MODEL}"
    result = built(MODEL, local, f"start(rows)\n{MODEL}")
    assert body(result) == f"start(rows)\n{local}\n"


def test_what_local_put_under_a_header_is_not_deleted_under_the_same_header_upstream() -> None:
    loop = "for row in rows:\n    del peer\n"
    inner = "".join(f"    {line}\n" for line in f"{loop}{MODEL}\ndel peer".splitlines())
    base = f"del peer\n{MODEL}\ndel peer\nend()"
    target = f"for row in rows:\n{inner}end()"
    result = built(base, f"{loop}{MODEL}\ndel peer\nend()", target)
    assert body(result).count("del peer") == 2


def test_a_local_wrap_goes_with_the_code_that_the_upstream_removed_from_it() -> None:
    base = f"start(1)\n{MODEL}\nend(1)"
    wrap = f"for row in rows:\n    # each\n    with lock:\n        {MODEL}\n"
    result = built(base, f"start(1)\n{wrap}end(1)", "start(1)\nend(1)\nnew()")
    assert body(result) == "start(1)\nend(1)\nnew()\n"
    assert set(outcomes(result)) == {Outcome.ABSORBED}
    kept = wrap.replace("    # each\n", "    mine(rows)\n")
    result = built(base, f"start(1)\n{kept}end(1)", "start(1)\nend(1)\nnew()")
    assert "for row in rows:\n    mine(rows)\n" in body(result)
    held = "for row in rows:\n    while busy():\n        pass\n"
    result = built("while busy():\n    pass", held, "while busy():\n    pass\nnew()")
    assert body(result) == f"{held}new()\n"
    fenced = f"{OPEN}{wrap}{CLOSE}"
    result = built(base, f"start(1)\n{fenced}end(1)", "start(1)\nend(1)\nnew()")
    assert "for row in rows:" in body(result)


def test_what_stands_in_upstream_code_that_a_block_overrules_is_put_before_it() -> None:
    head, twice = "batch = hidden[rows]\n", "del peer\ndel peer\n"
    base = f"{head}{MODEL}\n{twice}del peer\ncheck(1, 2)"
    local = f"{head}ours = batch\n{twice}{OPEN}{MODEL}\ndel peer\n{CLOSE}check(1, 2)"
    target = f"{head}{twice}if ready:\n    {MODEL}\n    del peer\ncheck(1, 2)"
    assert "ours = batch\n" in body(built(base, local, target))


def test_a_local_wrap_stays_around_code_that_local_moved() -> None:
    rest = f"{COUNT}\nself.tell(rows, hidden)\n"
    local = f"{rest}with trace:\n    {MODEL}\n"
    result = built(f"{MODEL}\n{rest}", local, f"{rest}new()")
    assert f"with trace:\n    {MODEL}\n" in body(result)


def test_a_comment_of_base_in_a_block_stays_where_the_upstream_dropped_it() -> None:
    local = f"x = 1\n{OPEN}check(rows)\n{MODEL}\n# why\n{CLOSE}"
    base, target = (
        f"check(rows)\nkeep()\n{MODEL}\nx = 1\n# why",
        f"check(rows)\n{MODEL}\n# why\nx = 1",
    )
    assert "# why\n" in body(built(base, local, target))


@pytest.mark.parametrize("fence", ["", "# ---- Omni-new ----\n", "# why\n"])
@pytest.mark.parametrize("call", ["self.send(rows)\n", "self.send(rows, 1)\n"])
def test_what_stands_before_a_clause_of_a_local_wrap_stays_there(fence: str, call: str) -> None:
    end = fence if "Omni" in fence else ""
    local = f"a(1)\nif rows:\n    {COUNT}\n{fence}elif mask:\n    self.peer()\n{end}self.send(rows)"
    result = built(f"a(1)\n{COUNT}\nself.send(rows)", local, f"b(2)\na(1)\n{COUNT}\n{call}")
    assert body(result) == f"b(2)\n{local.removesuffix('self.send(rows)')}{call}"


def test_a_closing_fence_stays_with_its_block_beside_what_local_deleted() -> None:
    total = "total = 1 + 2\ntotal = 1 + 2"
    local = f"{OPEN}prepare(1, self.limit)\n{CLOSE}end()"
    result = built(
        f"prepare(1, self.limit)\n{total}\nend()", local, f"{total}\nprepare(1, self.limit)\nend()"
    )
    assert body(result) == f"{local}\n"
    assert not any("in one piece" in why for i in result.items for _, _, why in i.outcomes)


def test_a_copy_that_is_the_target_in_another_layout_has_nothing_of_its_own() -> None:
    short, long = "self.select(limit=rows)", "self.select(limit=rows, mask=rows, scale=rows)"
    target = f"{long}\n{short}"
    result = built(f"{short}\n{long}", target.replace(", ", ",\n  "), target)
    assert set(outcomes(result)) == {Outcome.ABSORBED}


def test_code_that_base_had_absorbs_nothing() -> None:
    base = "if ready:\n    n = n\n    f(rows)"
    local = "n = n\nif rank:\n    if ready:\n        n = n\n        f(rows)\n    n = n"
    assert body(built(base, local, f"{base}\nnew()")) == f"{local}\nnew()\n"


# -- when a check fails ---------------------------------------------------------------------

LONG = "\n".join(f"value_{i} = self.compute_{i}(rows)" for i in range(12))
OTHER = "\n".join(f"self.emit('{i}', {i}, k={i})" for i in range(12))


def test_code_that_several_edits_hold_is_pulled_out_once() -> None:
    base = (
        "count = hidden[0]\nfor logits in self.talker:\n    count = rows[self.rows]\n"
        "    self.send(count, voice=count[:count])\nmode = self.mask\ntext = 'a long one'"
    )
    local = (
        f"count = hidden[0]\nself.scale = not self.rank\n{OPEN}self.peer = (1, 2)\nmatch logits:\n"
        "    case 1:\n        self.prepare(count, voice=count[:count])\n    case 'a':\n"
        f"        mode = self.peer\n        text = 'a long one'\n{CLOSE}"
    )
    result = built(base, local, f"a(1)\n{base}")
    assert local.splitlines()[4] in result.sides[0]


@pytest.mark.parametrize("fence", ["{}", OPEN + "{}" + CLOSE])
def test_what_cannot_be_placed_is_pulled_out_without_a_new_match_of_the_rest(fence: str) -> None:
    base = "assert rows > 3\nlogits = 8\nself.keep(logits)\nassert rows\ndel self.peer"
    mine = fence.format("mode += self.balance(rows)\n")
    inside = "logits = 8\nself.keep(logits)\nassert rows > 3\nassert rows\ndel self.peer"
    local = f"{mine}with self.trace():\n{textwrap.indent(inside, '    ')}"
    target = (
        "mode += self.balance(rows)\ntext = 1\nlogits = 8\nself.keep(logits)\n"
        "with self.trace():\n    del self.peer"
    )
    result = built(base, local, target)
    assert "assert rows > 3" in result.sides[0]


def test_a_rewritten_function_is_one_conflict() -> None:
    result = built(LONG, f"{LONG}\n{OPEN}mine()\n{CLOSE}", OTHER)
    hunks = [p.hunk for p in result.printed if p.hunk is not None]
    assert [h.reason for h in hunks] == ["the upstream rewrote the function"]
    assert set(outcomes(result)) == {Outcome.CONFLICT}
    for side in result.sides:
        ast.parse(textwrap.dedent(side))


def test_of_few_statements_nobody_says_that_they_were_rewritten() -> None:
    result = built("a(1)", f"a(1)\n{OPEN}mine()\n{CLOSE}", "other(x, y)")
    reasons = [p.hunk.reason for p in result.printed if p.hunk is not None]
    assert "the upstream rewrote the function" not in reasons


WRAP = "if x:\n    ours()\n    self.rank = (1, 2)\n"
TWO_BLOCKS = f"{OPEN}mine()\n{CLOSE}{OPEN}mine()\n{WRAP}{CLOSE}"


@pytest.mark.parametrize(
    ("base", "local", "target"),
    [
        # a wrap whose parts would stand in two blocks
        (
            f"{MODEL}\n{COUNT}\nlast(1)",
            f"with trace:\n    {MODEL}\n    {COUNT}\nlast(1)",
            f"if ready:\n    {MODEL}\nelse:\n    new()\n{COUNT}\nlast(1)",
        ),
        # what stands between the fences goes two ways
        (
            f"if a:\n    {MODEL}\nelse:\n    {COUNT}\nlast(1)",
            f"{OPEN}if a:\n    {MODEL}\nelse:\n    {COUNT}\n    mine()\n{CLOSE}last(1)",
            f"{MODEL}\nif b:\n    {COUNT}\nlast(1)\nnew()",
        ),
    ],
)
def test_blocks_and_wraps_never_come_apart(base: str, local: str, target: str) -> None:
    result = built(base, local, target)
    for side in result.sides:
        ast.parse(textwrap.dedent(side))
    if OPEN in local:
        assert fenced(result.sides[0]) == fenced(local)


def fenced(text: str) -> list[str]:
    """The lines of the only block, dedented."""
    assert text.count(OPEN) == text.count(CLOSE) == 1
    inner = text[text.rindex("\n", 0, text.index(OPEN) + 1) + 1 if text.index(OPEN) else 0 :]
    return textwrap.dedent(inner[: inner.index(CLOSE)]).splitlines()


@pytest.mark.parametrize(
    ("local", "target", "expected"),
    [
        (
            f"{OPEN}{MODEL}\n{COUNT}\nmine()\n{CLOSE}",
            f"with lock:\n    {MODEL}\n{COUNT}\nnew()",
            f"{OPEN}with lock:\n    {MODEL}\n{COUNT}\nmine()\n{CLOSE}new()\n",
        ),
        (
            f"first(1)\n{OPEN}{MODEL}\nmine()\n{COUNT}\n{CLOSE}",
            f"first(1)\n{COUNT}\n{MODEL}\nnew()",
            f"first(1)\n{OPEN}{MODEL}\nmine()\n{COUNT}\n{CLOSE}new()\n",
        ),
        (
            f"{OPEN}{COUNT}\n{CLOSE}",
            f"with lock:\n    {MODEL}\n{COUNT}\nnew()",
            f"with lock:\n    pass\n{OPEN}{COUNT}\n{CLOSE}new()\n",
        ),
    ],
)
def test_a_block_whose_code_went_two_ways_stays_in_one_piece(
    local: str, target: str, expected: str
) -> None:
    base = f"first(1)\n{MODEL}\n{COUNT}" if local.startswith("first") else f"{MODEL}\n{COUNT}"
    result = built(base, local, target)
    assert body(result) == expected
    assert Outcome.CONFLICT not in outcomes(result)


@pytest.mark.parametrize(
    ("base", "local", "target", "expected"),
    [
        # the block's wrap is the upstream's too: the fence goes around that
        (
            "self.rank = (1, 2)",
            f"{OPEN}for x in y:\n    mine()\n    self.rank = (1, 2)\n{CLOSE}",
            "for x in y:\n    self.rank = (1, 2)\nnew()",
            f"{OPEN}for x in y:\n    mine()\n    self.rank = (1, 2)\n{CLOSE}new()\n",
        ),
        # a comment of the block stays where the upstream left it, and the code went into a wrap
        (
            "# why\nself.rank = (1, 2)\nb(2)",
            f"{OPEN}# why\nself.rank = (1, 2)\n{CLOSE}b(2)",
            "# why\nif x:\n    self.rank = (1, 2)\nb(2)\nnew()",
            f"{OPEN}# why\nif x:\n    self.rank = (1, 2)\n{CLOSE}b(2)\nnew()\n",
        ),
        # two blocks side by side, the second with a wrap that the upstream has too
        (
            "a(1)\nself.rank = (1, 2)",
            f"a(1)\n{TWO_BLOCKS}",
            "a(1)\nif x:\n    self.rank = (1, 2)\nnew()",
            f"a(1)\n{TWO_BLOCKS}new()\n",
        ),
    ],
)
def test_fences_go_around_what_the_code_of_a_block_became(
    base: str, local: str, target: str, expected: str
) -> None:
    assert body(built(base, local, target)) == expected


def test_a_block_that_cannot_be_fenced_where_it_went_says_that_it_is_in_one_piece() -> None:
    result = built(
        f"first(1)\n{MODEL}\n{COUNT}",
        f"first(1)\n{OPEN}{MODEL}\nmine()\n{COUNT}\n{CLOSE}",
        f"first(1)\n{COUNT}\n{MODEL}\nnew()",
    )
    (said,) = [i.outcome(1, None).reason for i in result.items if i.fenced]
    assert "kept in one piece" in said


def test_a_block_in_one_piece_says_which_of_its_code_the_upstream_removed() -> None:
    base = "text = 1\nif self.peer > 6:\n    count += self.prepare(rows)\n    stop(1)"
    local = (
        f"{OPEN}text = 1\n{CLOSE}{OPEN}if self.peer > 6:\n    mine()\n"
        f"    count += self.prepare(rows)\n    stop(1)\n{CLOSE}"
    )
    result = built(base, local, "text = 1\ncount += self.prepare(rows)\nstop(1)\nnew()")
    assert body(result) == f"{local}new()\n"
    first, second = (i.outcome(1, None) for i in result.items if i.fenced)
    assert first.overruled == ""
    assert "-    if self.peer > 6:" in second.overruled


def test_the_same_code_many_times_is_not_said_once_more() -> None:
    check = "assert rows is not None"
    local = f"{OPEN}self.prepare(rows)\n{CLOSE}# run\n# run\n{check}\n# run\n{check}\n# run\nend()"
    target = f"self.prepare(rows)\n# run\n# run\n{check}\n# run\n{check}\n# run\nend()"
    result = built(f"# run\n{check}\n# run\nend()", local, target)
    assert body(result).count(check) == target.count(check)
    assert set(outcomes(result)) == {Outcome.ABSORBED}


def test_local_code_in_a_wrap_that_both_have_stays_in_it() -> None:
    local = f"with x:\n    {MODEL}\n    mine()\n    stop(1)\nend()"
    result = built(f"{MODEL}\nstop(1)\nend()", local, f"with x:\n    {MODEL}\nend()\nnew()")
    assert body(result) == f"with x:\n    {MODEL}\n    mine()\nend()\nnew()\n"


def test_a_line_that_the_upstream_has_beside_what_a_block_replaced_is_printed_once() -> None:
    local = f"{OPEN}b(2)\nself.total = 1\nmine()\n{CLOSE}end()"
    result = built("a(1)\nend()", local, "a(1)\nself.total = 1\nend()\nnew()")
    assert body(result) == f"{local}\nnew()\n"


LOGITS = "self.hidden = self.update(limit=logits[self.rows], depth=self.mask)"
SWAP = "rows, hidden = hidden, rows"


def test_what_local_and_the_upstream_moved_to_the_same_place_is_there_once() -> None:
    wrap = f"with trace:\n    {LOGITS[:-1]}, scale=1)\n    check(logits)\n    mine()\n"
    result = built(
        f"check(logits)\n{SWAP}\n{LOGITS}",
        f"first()\n{wrap}{SWAP}",
        f"{LOGITS}\ncheck(logits)\n{SWAP}",
    )
    assert body(result).count(SWAP) == 1


def test_a_block_in_a_wrap_that_the_upstream_has_too_keeps_the_wrap_s_line_once() -> None:
    base = f"batch = 4\nassert count is not None\n{MODEL}\ntotal = 3\nend(hidden)"
    local = (
        f"{OPEN}batch = 4\n{CLOSE}for row in rows:\n    {OPEN}    total = 3\n    {MODEL}\n"
        f"    {CLOSE}    total = 3\nmine()\nend(hidden)\n"
    )
    target = f"batch = 4\nfor row in rows:\n    total = 3\n    {MODEL}\n    total = 3\nend(hidden)"
    assert body(built(base, local, target)).count("total = 3") == 2


OLD = "self.old = self.make(batch, 1)"
NEW = "self.old = self.make(batch, 2)"


def test_a_new_upstream_wrap_around_code_that_local_kept_is_not_overruled() -> None:
    base = f"check(rows)\n{COUNT}\ndel peer\ndel peer\ndel peer\n{MODEL}"
    local = f"check(rows)\n{OPEN}mine()\n{CLOSE}del peer\n{MODEL}"
    target = f"new()\ndel peer\ncheck(rows)\ndel peer\nif ready:\n    {MODEL}"
    assert MODEL in body(built(base, local, target))


@pytest.mark.parametrize(
    "theirs", [f"{COUNT}\nif ready:\n    x = 1", f"{COUNT}\nx = 1\n{COUNT}", f"x = 1\n{COUNT}"]
)
def test_short_code_that_the_upstream_moved_is_not_overruled_as_new(theirs: str) -> None:
    base = f"start(rows)\n{COUNT}\n{MODEL}\nx = 1"
    local = f"start(rows)\n{OPEN}mine()\n{CLOSE}x = 1\n"
    result = built(base, local, f"start(rows)\n{theirs}")
    assert "x = 1\n" in body(result)


def test_what_stood_in_a_compound_that_local_deleted_goes_where_the_upstream_freed_it() -> None:
    base = f"a(1)\nif x:\n    {OLD}\nb(2)"
    result = built(base, "a(1)\nb(2)", f"a(1)\n{OLD}\nb(2)\nnew()")
    assert body(result) == "a(1)\nb(2)\nnew()\n"
    assert outcomes(result) == [Outcome.CARRIED]


def test_it_is_a_conflict_where_the_upstream_changed_it_too() -> None:
    base, target = f"a(1)\nif x:\n    {OLD}\nb(2)", f"a(1)\n{NEW}\nb(2)\nnew()"
    result = built(base, "a(1)\nb(2)", target)
    (hunk,) = [p.hunk for p in result.printed if p.hunk is not None]
    assert [x.text.strip() for x in hunk.other] == [NEW]
    assert hunk.own == []
    block = built(base, f"a(1)\n{OPEN}mine()\n{CLOSE}b(2)", target)
    assert body(block) == f"a(1)\n{OPEN}mine()\n{CLOSE}b(2)\nnew()\n"
    assert NEW in "".join(block.items[0].overruled)


def test_the_base_of_a_conflict_is_not_filled_up() -> None:
    added = "self.go(batch, 1)\n        self.on(batch)"
    result = built(
        "if x:\n    old(1)\nb(2)",
        f"if x:\n    if m:\n        {added}\nb(2)",
        f"if x:\n    if n:\n        {added}\nb(2)\nnew()",
    )
    (hunk,) = [p.hunk for p in result.printed if p.hunk is not None]
    assert hunk.ancestor == []
    assert len(hunk.own) == len(hunk.other) == 3


def test_a_wrap_that_holds_a_conflict_alone_is_not_filled_up() -> None:
    result = built(
        f"{OLD}\nb(2)", f"with x:\n    {OLD.replace('1', '3')}\nb(2)", f"{NEW}\nb(2)\nc()"
    )
    (hunk,) = [p.hunk for p in result.printed if p.hunk is not None]
    assert [x.text.strip() for x in hunk.other] == [NEW]
    assert "pass" not in body(result)


def test_a_merge_that_is_no_python_is_a_conflict() -> None:
    headers = ("a=1, **kw", "a=1, *, m=2, **kw", "a=1, *args, **kw")
    base, local, target = (
        parse_function(suite("first(1)", f"def run(self, {header}):")) for header in headers
    )
    builder = Reconstructor(base, local, target, function_fences(local))
    result = builder.build(Labels(), "    ")
    assert sum(p.hunk is not None for p in result.printed) == 1
    for side in result.sides:
        ast.parse(textwrap.dedent(side))


def test_other_merges_are_not_given_up() -> None:
    result = built(
        "f(c)\ng(x, y=1)\nb(2)",
        "f(c for c in d)\ng(x, y=1, m=2)\nb(2)",
        "f(c, e)\ng(x, y=3)\nb(2)",
    )
    assert sum(p.hunk is not None for p in result.printed) == 1
    assert "g(x, y=3, m=2)" in body(result)


# -- what the local function is like --------------------------------------------------------


def test_fences_of_a_function_and_the_comments_that_are_fences() -> None:
    tree = parse_function(suite(f"{OPEN}a(1)\n{CLOSE}b(2)  # Omni-new\n# plain\nc(3)"))
    fences = function_fences(tree)
    assert [(b.span.start, b.span.end) for b in fences.blocks] == [(2, 4), (5, 5)]
    assert node(tree, "# PATCH START").fence
    assert node(tree, "# PATCH END").fence
    assert not node(tree, "# plain").fence


def test_fences_of_nested_functions_pair_among_themselves() -> None:
    tree = tree_of(f"def g():\n    {OPEN}    a(1)\n{OPEN}b(2)\n{CLOSE}")
    found = function_fences(tree)
    assert [(b.span.start, b.span.end) for b in found.blocks] == [(5, 7)]
    assert [(f.code, f.line) for f in found.findings] == [("OP201", 3)]


def test_a_fence_between_clauses_belongs_to_the_function() -> None:
    found = function_fences(tree_of(f"if a:\n    b(1)\n{OPEN}elif c:\n    d(2)\n{CLOSE}e(3)"))
    assert [(b.span.start, b.span.end) for b in found.blocks] == [(4, 7)]
    assert found.findings == ()


def test_fences_inside_brackets() -> None:
    found = function_fences(tree_of(f"f(\n    {OPEN}    a,\n    {CLOSE}    b,  # Omni-new\n)"))
    assert [(b.span.start, b.span.end) for b in found.blocks] == [(3, 5), (6, 6)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("def f():\n    a\n", "    "),
        ("def f():\n\ta\n", "\t"),
        ("@d\ndef f():\n  a\n", "  "),
        ("def f(): a\n", "    "),
        ("    def f():\n      a\n", "  "),
    ],
)
def test_indent_unit(text: str, unit: str) -> None:
    assert indent_unit(parse_function(text)) == unit


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("def f():\n  if a:\n    b\n", "    ", "def f():\n    if a:\n        b\n"),
        ("def f():\n    if a:\n        b\n", "\t", "def f():\n\tif a:\n\t\tb\n"),
        ("def f():\n\tif a:\n\t\tb\n", "    ", "def f():\n    if a:\n        b\n"),
        ("def f():\n  x = '''\n  y\n'''\n", "    ", "def f():\n    x = '''\n  y\n'''\n"),
        ("def f():\n  # c\n  a\n\n  b\n", "    ", "def f():\n    # c\n    a\n\n    b\n"),
        ("@d\ndef f():\n  g(\n    a,\n  )\n", "    ", "@d\ndef f():\n    g(\n      a,\n    )\n"),
        ("def f():\n    a\n", "    ", "def f():\n    a\n"),
    ],
)
def test_with_unit(text: str, unit: str, expected: str) -> None:
    tree = parse_function(text)
    other = with_unit(tree, unit)
    assert other.text == expected
    assert other.root.code == tree.root.code


def test_shared() -> None:
    base = tree_of("x = self.first(1)\nself.second(2)")
    assert shared(base, align(base, tree_of("x = self.first(1)\nself.second(2)"))) == 1.0
    assert shared(base, align(base, tree_of("raise E"))) == 0.0
    assert 0 < shared(base, align(base, tree_of("x = self.first(1)"))) < 1
