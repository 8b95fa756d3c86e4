from __future__ import annotations

import textwrap

from omni_codemods.impact.inventory import Holding, find_holding
from omni_codemods.text.outline import Located

BASE = """\
def run(self, batch):
    ids = self.gather(batch)
    lengths = self.count(ids)
    hidden = self.model(ids)
    self.cache.store(hidden, lengths)
    return self.head(hidden)
"""
BLOCK = "    # ---- Omni-new ----\n    self.talker(hidden)\n    # ---- Omni-new ----\n"


def holding(local: str, start: int = 1) -> Holding:
    local = textwrap.dedent(local)
    return find_holding(
        Located("Mine.run", start, start + local.count("\n") - 1, local),
        Located("Runner.run", 1, BASE.count("\n"), BASE),
    )


def drift(found: Holding) -> list[tuple[int, int, str, bool]]:
    return [(d.span.start, d.span.end, d.summary, d.deletion) for d in found.drift]


def test_a_copy_without_changes() -> None:
    found = holding(BASE)
    assert found == Holding((), (), 1.0)
    assert found.lines == frozenset()


def test_layout_and_comments_are_no_drift() -> None:
    local = BASE.replace("self.gather(batch)", "self.gather(\n        batch,\n    )  # why")
    assert holding(local).drift == ()


def test_a_block_has_lines_of_the_file() -> None:
    found = holding(BASE.replace("    self.cache", BLOCK + "    self.cache"), start=101)
    (block,) = found.blocks
    assert (block.span.start, block.span.end) == (105, 107)
    assert found.drift == ()
    assert found.lines == {105, 106, 107}


def test_what_a_block_replaces_is_no_drift() -> None:
    replaced = BASE.replace("    self.cache.store(hidden, lengths)\n", BLOCK)
    assert holding(replaced).drift == ()


def test_lines_added_outside_of_blocks() -> None:
    found = holding(
        BASE.replace("    return", "    self.note(ids)\n    self.flush()\n    return"), 11
    )
    assert drift(found) == [(16, 17, "self.note(ids)", False)]
    assert found.lines == {16, 17}


def test_a_changed_statement() -> None:
    found = holding(BASE.replace("self.model(ids)", "self.model(ids, lengths)"))
    assert drift(found) == [(4, 4, "hidden = self.model(ids, lengths)", False)]


def test_a_deletion_is_told_where_the_gap_is_and_keeps_no_line() -> None:
    found = holding(BASE.replace("    lengths = self.count(ids)\n", ""), start=11)
    assert drift(found) == [(12, 12, "lengths = self.count(ids)", True)]
    assert found.lines == frozenset()


def test_of_a_wrap_only_the_header_is_ours() -> None:
    local = BASE.replace(
        "    hidden = self.model(ids)\n    self.cache.store(hidden, lengths)\n",
        "    with self.context(ids):\n        hidden = self.model(ids)\n"
        "        self.cache.store(hidden, lengths)\n",
    )
    found = holding(local)
    assert drift(found) == [(4, 4, "with self.context(ids):", False)]


def test_another_signature() -> None:
    found = holding(BASE.replace("batch):", "batch, pad=0):"))
    assert drift(found) == [(1, 1, "def run(self, batch, pad=0):", False)]


def test_the_share_of_code() -> None:
    found = holding("def run(self, batch):\n    return self.head(hidden)\n")
    assert 0 < found.copied < 0.5


def test_a_fenced_argument_is_no_drift_and_makes_its_statement_ours() -> None:
    local = BASE.replace(
        "self.model(ids)", "self.model(\n        ids,\n        self.extra,  # Omni-new\n    )"
    )
    found = holding(local)
    assert len(found.blocks) == 1
    assert found.drift == ()
    assert found.lines == {4, 5, 6, 7}


def test_a_changed_statement_with_a_fence_in_it_is_the_blocks() -> None:
    local = BASE.replace(
        "self.model(ids)", "self.network(\n        ids,\n        self.extra,  # Omni-new\n    )"
    )
    found = holding(local)
    assert found.drift == ()
    assert found.lines == {4, 5, 6, 7}
