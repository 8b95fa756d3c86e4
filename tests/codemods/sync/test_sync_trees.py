"""The sibling's change put on the copy, as trees."""

from __future__ import annotations

from omni_codemods.findings.model import EditKind, Outcome
from omni_codemods.functions.function_fences import function_fences
from omni_codemods.replay.printing.lines import Hunk, Side, side_text
from omni_codemods.sync.downstream import find_downstream
from omni_codemods.sync.sync_trees import Synced, all_proposed, sync_trees
from parsed import suite, tree_of

OMNI = find_downstream("from vllm_omni.a import tell\nimport vllm\n", "", "vllm_omni")
FENCE = "# ---- Omni-new ----\n"


def sync(before: str, after: str, copy: str, *, strict: bool = False) -> Synced | None:
    trees = tree_of(before), tree_of(after), tree_of(copy)
    blocks = function_fences(trees[2]).blocks
    return sync_trees(*trees, downstream=OMNI, upstream=None, blocks=blocks, strict=strict)


def text_of(synced: Synced | None, side: Side = Side.EDITED) -> str:
    assert synced is not None
    assert synced.rendered is not None
    return side_text(synced.rendered, side, "")


def outcomes(synced: Synced | None) -> list[Outcome]:
    assert synced is not None
    return [o for item in synced.items for o, _, _ in item.outcomes]


def test_the_same_code_is_nothing_to_sync() -> None:
    assert sync("a(1)", "a(1)", "b(2)") is None
    assert sync("a(1)", "# why\na(1,)", "a(1)\nb(2)") is None


def test_an_insertion_with_the_copy_as_the_frame() -> None:
    synced = sync("a(1)\nb(2)", "a(1)\nomni(3)\nb(2)", "a(1)  # ours\nb(2, 3)")
    assert text_of(synced) == suite("a(1)  # ours\nomni(3)\nb(2, 3)")
    assert outcomes(synced) == [Outcome.CARRIED]
    assert synced is not None
    assert {item.kind for item in synced.items} == {EditKind.SIBLING}


def test_what_the_copy_has_is_absorbed() -> None:
    synced = sync("a(1)", "a(1)\nomni(3)", "a(1)\nomni(3)")
    assert synced is not None
    assert synced.rendered is None
    assert not synced.failed
    assert outcomes(synced) == [Outcome.ABSORBED]


def test_what_the_sibling_deleted_stays_in_a_block_until_a_person_decides() -> None:
    fenced = f"a(1)\n{FENCE}k(9)\n{FENCE}b(2)"
    synced = sync("a(1)\nk(9)\nb(2)", "a(1)\nb(2)", fenced, strict=True)
    assert outcomes(synced) == [Outcome.CONFLICT]
    assert text_of(synced, Side.SKELETON) == suite(fenced)
    assert "k(9)" not in text_of(synced)


def test_what_the_sibling_deleted_elsewhere_stays() -> None:
    synced = sync("a(1)\nk(9)\nb(2)", "a(1)\nb(2)", "a(1)\nk(9)\nb(2)")
    assert text_of(synced) == suite("a(1)\nk(9)\nb(2)")
    assert outcomes(synced) == []


def test_a_change_in_a_block_is_a_hunk_with_the_copy_as_local() -> None:
    synced = sync("a(1)\nb(2)", "a(1)\nb(3)", f"a(1)\n{FENCE}b(2)\n{FENCE}", strict=True)
    assert synced is not None
    assert synced.rendered is not None
    (hunk,) = (entry for entry in synced.rendered.out if isinstance(entry, Hunk))
    assert "b(2)" in "".join(line.text for line in hunk.skeleton)
    assert "b(3)" in "".join(line.text for line in hunk.edited)
    assert text_of(synced, Side.SKELETON) == suite(f"a(1)\n{FENCE}b(2)\n{FENCE}")


def test_what_is_not_put_in_is_proposed() -> None:
    placed = sync("a(1)\nb(2)", "a(1)\nomni(3)\nb(2)", "a(1)\nb(2)")
    proposed = all_proposed(placed)
    assert proposed is not None
    assert proposed.rendered is None
    assert proposed.failed
    assert outcomes(proposed) == [Outcome.PROPOSED]
    assert all_proposed(None) is None
