"""Where the sibling's new code goes that would stand in a block of the copy."""

from __future__ import annotations

from omni_codemods.findings.model import Outcome
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.replay.printing.lines import Side, side_text
from omni_codemods.sync.downstream import find_downstream
from omni_codemods.sync.sync_trees import sync_trees
from parsed import suite, tree_of

OMNI = find_downstream("from vllm_omni.a import tell\nimport vllm\n", "", "vllm_omni")
FENCE = "# ---- Omni-new ----\n"


def sync(before: str, after: str, copy: str) -> tuple[str, list[Outcome]]:
    """The copy with the sibling's change in it, and what became of the change."""
    tree = tree_of(copy)
    blocks = function_fences(tree).blocks
    synced = sync_trees(
        tree_of(before), tree_of(after), tree, downstream=OMNI, upstream=None, blocks=blocks
    )
    assert synced is not None
    outcomes = [outcome for item in synced.items for outcome, _, _ in item.outcomes]
    rendered = synced.rendered
    return copy if rendered is None else side_text(rendered, Side.SKELETON, ""), outcomes


def test_before_a_block_whose_first_statement_is_the_copys_own() -> None:
    copy = f"a(1)\n{FENCE}b(2, mine=1)\n{FENCE}c(3)\n"
    text, outcomes = sync("a(1)\nb(2)\nc(3)", "a(1)\nomni(5)\nb(2)\nc(3)", copy)
    assert text == suite(f"a(1)\nomni(5)\n{FENCE}b(2, mine=1)\n{FENCE}c(3)")
    assert outcomes == [Outcome.CARRIED]


def test_behind_a_block_whose_last_statement_is_the_copys_own() -> None:
    copy = f"a(1)\n{FENCE}b(2, mine=1)\n{FENCE}c(3)\n"
    text, outcomes = sync("a(1)\nb(2)\nc(3)", "a(1)\nb(2)\nomni(5)\nc(3)", copy)
    assert text == suite(f"a(1)\n{FENCE}b(2, mine=1)\n{FENCE}omni(5)\nc(3)")
    assert outcomes == [Outcome.CARRIED]


def test_between_two_statements_of_the_sibling_it_stays_in_the_block() -> None:
    copy = f"a(1)\n{FENCE}b(2)\nc(3)\n{FENCE}d(4)\n"
    text, _ = sync("a(1)\nb(2)\nc(3)\nd(4)", "a(1)\nb(2)\nomni(5)\nc(3)\nd(4)", copy)
    assert text == suite(f"a(1)\n{FENCE}b(2)\nomni(5)\nc(3)\n{FENCE}d(4)")


def test_a_wrap_in_the_midst_of_a_block_is_proposed() -> None:
    own = "b(self.first, self.second, mine=1)"
    copy = f"a(1)\n{FENCE}if mine:\n    {own}\n{FENCE}c(3)\n"
    old = "b(self.first, self.second)"
    after = f"a(1)\ntry:\n    {old}\nfinally:\n    omni(5)\nc(3)"
    text, outcomes = sync(f"a(1)\n{old}\nc(3)", after, copy)
    assert text in (copy, suite(copy))
    assert set(outcomes) == {Outcome.PROPOSED}
