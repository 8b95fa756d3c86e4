"""Which local code the skeleton says already."""

from __future__ import annotations

import pytest

from omni_codemods.findings.model import Evidence, Outcome
from omni_codemods.replay.plan import Plan
from parsed import replayed

OPEN = "# PATCH START: x\n"
CLOSE = "# PATCH END: x\n"


def outcomes(base: str, local: str, target: str) -> list[tuple[str, Outcome]]:
    """Each edit with the worst of its outcomes; a remark is none."""
    _, items = replayed(base, local, target)
    return [(i.kind.value, i.outcome(1, None).outcome) for i in items if not i.is_remark]


def inserted(plan: Plan) -> list[str]:
    """The first lines of what is put into the skeleton."""
    return [
        p.node.lines[0].strip() if p.node.lines else p.node.children[0].lines[0].strip()
        for _, pieces in sorted(plan.gaps.items(), key=lambda g: g[0][1])
        for p in pieces
    ]


def gone(plan: Plan) -> list[str]:
    return [n.lines[0].strip() for n in plan.gone if n.lines]


BASE = "a(1)\nb(2)"


@pytest.mark.parametrize(
    "between", ["x = f(rows)", "if x:\n    f(rows)", "with lock:\n    f(1)\n    g(2)"]
)
def test_drift_that_the_target_says_too(between: str) -> None:
    both = f"a(1)\n{between}\nb(2)"
    assert outcomes(BASE, both, both.replace("b(2)", "b(2)\nnew()")) == [
        ("drift", Outcome.ABSORBED)
    ]
    plan, items = replayed(BASE, both, both + "\nnew()")
    assert inserted(plan) == []
    assert list(plan.absorbed.values()) == items
    assert items[0].outcomes[0][1] is Evidence.EXACT


def test_layout_and_comments_do_not_keep_it_from_being_absorbed() -> None:
    local = "a(1)\n# ours\nx = f(\n    rows,\n)\nb(2)"
    plan, items = replayed(BASE, local, "a(1)\nx = f(rows)  # theirs\nb(2)")
    assert inserted(plan) == []  # the comment goes with what it leads
    assert items[0].outcomes[0][0] is Outcome.ABSORBED


@pytest.mark.parametrize(
    ("local", "target"),
    [
        ("a(1)\nx = f(rows)\nb(2)", "a(1)\nb(2)"),
        ("a(1)\nx = f(rows)\nb(2)", "a(1)\ny = g(p, q)\nb(2)"),
        ("a(1)\nx = f(rows)\nb(2)", "a(1)\nb(2)\nx = f(rows)"),
        ("a(1)\nb(2)\nself.emit(1)", "a(1)\nb(2)\nself.drop(1, 2)"),
    ],
)
def test_what_the_target_does_not_say_there_is_carried(local: str, target: str) -> None:
    assert outcomes(BASE, local, target) == [("drift", Outcome.CARRIED)]


def test_drift_that_is_much_the_same() -> None:
    local = "a(1)\nhidden = self.model(rows, mask, graph=self.graph)\nb(2)"
    target = "a(1)\nhidden = self.model(rows, mask, graph=self.graphs)\nb(2)"
    plan, (item,) = replayed(BASE, local, target)
    assert inserted(plan) == []
    assert item.outcomes == [
        (Outcome.ABSORBED, Evidence.GUESSED, "the upstream now says much the same")
    ]


def test_a_part_that_is_not_in_the_text_is_said_beside_what_became_of_the_rest() -> None:
    model = "hidden = self.model(rows, mask, graph=self.graph)"
    local = f"a(1)\n{model}\nours()\nb(2)"
    _, (item,) = replayed(BASE, local, f"a(1)\n{model.replace('graph)', 'graphs)')}\nb(2)")
    said = item.outcome(11, None)
    assert (said.outcome, said.evidence) == (Outcome.CARRIED, Evidence.GUESSED)
    assert "line 13: the upstream now says much the same" in said.reason


def test_one_upstream_statement_absorbs_one_of_ours() -> None:
    local = "a(1)\nstep(rows)\nstep(rows)\nb(2)"
    plan, _ = replayed(BASE, local, "a(1)\nstep(rows)\nb(2)\nnew()")
    assert inserted(plan) == ["step(rows)"]


def test_only_what_is_said_is_absorbed() -> None:
    local = "a(1)\nx = f(rows)\nself.ours(x)\nb(2)"
    plan, (item,) = replayed(BASE, local, "a(1)\nx = f(rows)\nb(2)\nnew()")
    assert inserted(plan) == ["self.ours(x)"]
    assert {o for o, _, _ in item.outcomes} == {Outcome.ABSORBED, Outcome.CARRIED}


def test_what_is_left_stays_on_its_side_of_what_was_absorbed() -> None:
    local = "a(1)\nours_before(p)\nx = f(rows)\nours_after(q)\nb(2)"
    target = "a(1)\nx = f(rows)\nb(2)\nnew()"
    plan, _ = replayed(BASE, local, target)
    places = {p.node.lines[0].strip(): at for (_, at), ps in plan.gaps.items() for p in ps}
    assert places == {"ours_before(p)": 1, "ours_after(q)": 2}


# -- blocks ---------------------------------------------------------------------------------


def test_a_block_that_the_target_has_word_for_word() -> None:
    local = f"a(1)\n{OPEN}x = f(rows)\nself.ours(x)\n{CLOSE}b(2)"
    plan, (item,) = replayed(BASE, local, "a(1)\nx = f(rows)\nself.ours(x)\nb(2)\nnew()")
    assert inserted(plan) == []  # the fences go too
    assert item.outcomes == [(Outcome.ABSORBED, Evidence.EXACT, "the upstream now says the same")]


@pytest.mark.parametrize(
    ("block", "theirs"),
    [
        ("x = f(rows)\nself.ours(x)", "x = f(rows)"),
        ("x = f(rows)\nself.ours(x)", "self.ours(x)"),
        ("x = f(rows, mask, graph)", "x = f(rows, mask, graphs)"),
        ("if x:\n    f(rows)\n    g(x)", "if x:\n    f(rows)"),
    ],
)
def test_a_block_is_absorbed_whole_or_not_at_all(block: str, theirs: str) -> None:
    local = f"a(1)\n{OPEN}{block}\n{CLOSE}b(2)"
    plan, items = replayed(BASE, local, f"a(1)\n{theirs}\nb(2)\nnew()")
    solid = [x for x in block.splitlines() if not x.startswith(" ")]
    assert inserted(plan) == [OPEN.strip(), *solid, CLOSE.strip()]
    assert Outcome.ABSORBED not in {o for o, _, _ in items[0].outcomes}


def test_a_block_that_changes_a_statement_is_not_absorbed_for_what_it_adds() -> None:
    local = f"a(1)\n{OPEN}x = f(rows)\nb(2, k=1)\n{CLOSE}"
    _, (item,) = replayed("a(1)\nb(2)", local, "a(1)\nx = f(rows)\nb(2)\nnew()")
    assert Outcome.ABSORBED not in {o for o, _, _ in item.outcomes}


def test_a_line_of_a_block_that_the_target_has_is_said_once() -> None:
    local = f"a(1)\n{OPEN}x = f(rows)\nself.ours(x)\n{CLOSE}b(2)"
    plan, _ = replayed(BASE, local, "a(1)\nx = f(rows)\nb(2)\nnew()")
    assert gone(plan) == ["x = f(rows)"]


def test_a_block_stands_for_new_upstream_code_that_is_near() -> None:
    near = "hidden = self.model(rows, mask, graph=self.graph{})"
    local = f"a(1)\n{OPEN}{near.format('')}\n{CLOSE}b(2)"
    plan, (item,) = replayed(BASE, local, f"a(1)\n{near.format('s')}\nb(2)")
    assert near.format("") in inserted(plan)
    assert gone(plan) == [near.format("s")]
    assert near.format("s") in "".join(item.overruled)


def test_drift_that_holds_a_block_is_not_absorbed_by_likeness() -> None:
    body = "    f(rows, 1)\n    g(rows, 2)\n    h(rows, 3)\n    k(rows, 4)\n"
    block = "".join(f"    {x}\n" for x in f"{OPEN}m()\n{CLOSE}".splitlines())
    target = f"a(1)\nif x:\n{body}b(2)"
    _, items = replayed(BASE, f"a(1)\nif x:\n{body}{block}b(2)", target)
    fenced = next(i for i in items if i.fenced)
    assert {o for o, _, _ in fenced.outcomes} != {Outcome.ABSORBED}


LOOP = "for row in rows:\n    self.emit(row, mask, limit={})\n"


def test_drift_that_holds_a_block_leaves_its_version_to_nothing_that_is_alike() -> None:
    block = "".join(f"    {x}\n" for x in f"{OPEN}m()\n{CLOSE}".splitlines())
    local = f"a(1)\n{LOOP.format(1)}{block}{LOOP.format(2)}b(2)"
    plan, items = replayed(BASE, local, f"a(1)\n{LOOP.format(3)}b(2)")
    assert [region.reason for region in plan.regions] == ["both added a version of this code"]
    assert not any(o is Outcome.ABSORBED for i in items for o, _, _ in i.outcomes)


def test_the_same_code_is_absorbed_before_code_that_is_alike() -> None:
    local = f"a(1)\n{LOOP.format(1)}{LOOP.format(2)}b(2)"
    plan, (item,) = replayed(BASE, local, f"a(1)\n{LOOP.format(2)}b(2)")
    assert inserted(plan) == ["for row in rows:"]
    assert (Outcome.ABSORBED, Evidence.EXACT) in {(o, e) for o, e, _ in item.outcomes}


def test_code_is_looked_for_beside_its_neighbour_wherever_that_went() -> None:
    moved, new = "self.graph.capture(rows, self.stream)", "assert mine"
    calls = "\n".join(f"self.step_{n}(batch, {n}, key=batch)" for n in range(5))
    local = f"{moved}\n{new}\n{calls}"
    plan, (item,) = replayed(f"{moved}\n{calls}", local, f"{calls}\n{moved}\n{new}")
    assert inserted(plan) == []
    assert [(o, e) for o, e, _ in item.outcomes] == [(Outcome.ABSORBED, Evidence.EXACT)]


def test_short_code_of_a_block_that_the_upstream_moved_may_run_twice() -> None:
    head, check = "del peer\nself.talker = 8\n", "assert rows in hidden\n"
    local = f"{head}{OPEN}{check}total = 1\ncount = 4\n{CLOSE}end()"
    target = f"{head}count = 4\n{check}end()"
    plan, items = replayed(f"{head}{check}end()", local, target)
    assert not any("runs twice" in why for i in items for _, _, why in i.outcomes)
    plan, items = replayed(f"count = 4\n{head}{check}end()", local, target)
    assert any("runs twice" in why for i in items for _, _, why in i.outcomes)
    assert gone(plan) == []


# -- two versions of one compound -----------------------------------------------------------

OURS = "for row in rows:\n    self.emit(row, 1)\n    self.count(row, 2)\n    self.ours(row, 3)"
THEIRS = "for row in rows:\n    self.emit(row, 1)\n    self.count(row, 2)\n    self.theirs(row, 4)"


def test_both_added_a_version_of_one_compound() -> None:
    plan, (item,) = replayed(BASE, f"a(1)\n{OURS}\nb(2)", f"a(1)\n{THEIRS}\nb(2)")
    assert [o for o, _, _ in item.outcomes] == [Outcome.CONFLICT]
    (region,) = plan.regions
    assert (region.start, region.end) == (1, 2)
    assert region.reason == "both added a version of this code"


def test_a_block_beside_another_version_stays_and_says_so() -> None:
    local = f"a(1)\n{OPEN}{OURS}\n{CLOSE}b(2)"
    plan, (item,) = replayed(BASE, local, f"a(1)\n{THEIRS}\nb(2)")
    assert plan.regions == []
    assert any("runs twice" in why for _, _, why in item.outcomes)


def test_other_compounds_are_no_versions() -> None:
    other = "while self.busy():\n    time.sleep(0.1)\n    self.poll(timeout)"
    plan, (item,) = replayed(BASE, f"a(1)\n{OURS}\nb(2)", f"a(1)\n{other}\nb(2)")
    assert plan.regions == []
    assert [o for o, _, _ in item.outcomes] == [Outcome.CARRIED]
