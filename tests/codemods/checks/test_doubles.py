from __future__ import annotations

import pytest

from checked import check, codes

BLOCK = "    # ---- Omni-new ----\n    x.feed(x.step)\n    # ---- Omni-new ----\n"


def test_the_same_block_twice() -> None:
    assert codes(check(f"def run(x):\n{BLOCK}    x.model()\n{BLOCK}")) == [("OP605", 6)]


def test_the_same_block_in_two_functions_or_two_branches_is_meant() -> None:
    deeper = BLOCK.replace("    ", "        ", 3)
    branches = f"def run(x):\n    if x:\n{deeper}    else:\n{deeper}"
    assert check(branches) == []
    assert check(f"def run(x):\n{BLOCK}\n\ndef go(x):\n{BLOCK}") == []


def test_a_block_that_sets_the_same_again_is_meant() -> None:
    block = BLOCK.replace("x.feed(x.step)", "y = None")
    assert check(f"def run(x):\n{block}    x.model()\n{block}") == []


def test_blocks_with_the_same_label_and_other_code_are_two() -> None:
    assert check(f"def run(x):\n{BLOCK}    x.model()\n{BLOCK.replace('feed', 'stop')}") == []


def test_a_statement_that_block_and_upstream_both_have() -> None:
    text = (
        "def run(x):\n"
        "    # ---- Omni-new ----\n"
        "    x.update()\n"
        "    # ----------------------------------------\n"
        "    # note\n"
        "    x.update()\n"
    )
    assert codes(check(text)) == [("OP606", 6)]


@pytest.mark.parametrize("statement", ["y = 1", "pass", "y = x", "del x.y"])
def test_statements_without_effect_may_repeat(statement: str) -> None:
    assert check(f"def run(x):\n    {statement}\n    {statement}\n") == []


@pytest.mark.parametrize("statement", ["x += 1", "y = x.next()", "x.go(\n        1\n    )"])
def test_statements_with_one_may_not(statement: str) -> None:
    text = f"def run(x):\n    {statement}\n    {statement}\n"
    assert [code for code, _ in codes(check(text))] == ["OP606"]


def test_what_stands_between_matters() -> None:
    assert check("def run(x):\n    x.next()\n    x.go()\n    x.next()\n") == []
