from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from upgrades import compare, only

RUNNER = """\
from low.tools import gather

class Runner:
    def run(self, batch):
        return gather(batch)
"""
LOCAL = "from up.runner import Runner\n\nclass Mine(Runner):\n    pass\n"
OLD = {"up/runner.py": RUNNER, "low/tools.py": "def gather(batch):\n    return batch\n"}


def test_targets_that_fit() -> None:
    assert compare(LOCAL, OLD, OLD).changes == ()


def test_targets_that_do_not_fit() -> None:
    new = {**OLD, "low/tools.py": "def collect(batch):\n    return batch\n"}
    change = only(compare(LOCAL, OLD, new), "pair-broken")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.message == "imports what the other target lacks: low.tools has no gather"
    assert change.subject == "up.runner"
    assert (str(change.new), change.new and change.new.text) == (
        "up/runner.py:1",
        "from low.tools import gather",
    )
    assert change.ports == ("Mine",)


def test_all_that_is_lacking_is_one_change() -> None:
    runner = "from low.tools import gather, scatter\nimport low.more\n" + RUNNER
    old = {
        "up/runner.py": runner,
        "low/tools.py": "gather = scatter = None\n",
        "low/more.py": "",
    }
    new = {"up/runner.py": runner, "low/tools.py": "gather = None\n"}
    change = only(compare(LOCAL, old, new), "pair-broken")
    assert change.message.endswith("lacks: low.tools has no scatter")
    assert change.details == ("line 2: no module low.more",)


@pytest.mark.parametrize(
    "guard", ["try:\n    {}except ImportError:\n    gather = None\n", "if NEW:\n    {}"]
)
def test_a_guarded_import_says_nothing(guard: str) -> None:
    line, _, rest = RUNNER.partition("\n")
    runner = guard.format(line + "\n") + rest
    new = {"up/runner.py": runner, "low/tools.py": "def collect(batch):\n    return batch\n"}
    assert compare(LOCAL, {**OLD, "up/runner.py": runner}, new).changes == ()


def test_what_was_broken_before_is_no_news() -> None:
    broken = {**OLD, "low/tools.py": "X = 1\n"}
    assert compare(LOCAL, broken, broken).changes == ()


def test_a_package_that_no_target_holds_says_nothing() -> None:
    alone = {"up/runner.py": RUNNER}
    assert compare(LOCAL, alone, alone).changes == ()
