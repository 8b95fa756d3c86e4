from __future__ import annotations

import pytest

from checked import ASCEND, check, codes, runner


def test_an_attribute_that_only_the_skipped_init_sets() -> None:
    (found,) = check(runner("def __init__(self, config):\n    self.config = config"))
    assert (found.code, found.line) == ("OP614", 5)
    assert "does not set self.budget, which GPUModelRunner.profile_run" in found.message


@pytest.mark.parametrize(
    "body",
    [
        "def __init__(self, config):\n    super().__init__(config)",
        "def __init__(self, config):\n    NPUModelRunner.__init__(self, config)",
        "def __init__(self):\n    self.budget = 2",
        "def __init__(self):\n    self.set_up()\n\ndef set_up(self):\n    self.budget = 2",
        "def __init__(self):\n    pass\n\ndef profile_run(self):\n    pass",
        "def run(self):\n    pass",
    ],
)
def test_state_that_is_set_or_not_read(body: str) -> None:
    assert check(runner(body)) == []


def test_where_a_base_is_in_no_tree_nothing_is_known() -> None:
    text = runner("def __init__(self, config):\n    self.config = config")
    assert codes(check(text, ASCEND)) == []
