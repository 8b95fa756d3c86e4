from __future__ import annotations

from pathlib import Path

import pytest

from cases import Case, Side, methods_of
from score import Score, add, score_failure, score_result

METHOD = "    def run(self, x):\n        y = read(x)\n        return y\n"
LOCAL = (
    "    def run(self, x):\n        y = read(x)\n"
    "        # ---- Omni-new ----\n        talk(y)\n        # ---- Omni-new ----\n"
    "        return y\n"
)
TRUTH = LOCAL.replace("read(x)", "read(x, 1)")


@pytest.fixture
def case() -> Case:
    base, local, target, truth = (
        Side(Path("x.py"), text)
        for text in (METHOD, LOCAL, METHOD.replace("read(x)", "read(x, 1)"), TRUTH)
    )
    return Case("t/x.run", "run", "Omni", base, local, target, truth)


def test_a_finished_job(case: Case) -> None:
    score = score_result(case, f"class Omni:\n{TRUTH}", "Omni")
    assert score == Score(todo=2, effort=0)
    assert score.saved == 1


def test_layout_and_comments_do_not_count(case: Case) -> None:
    loose = TRUTH.replace("read(x, 1)", "read(\n            x,\n            1,  # one\n        )")
    assert score_result(case, f"class Omni:\n{loose}", "Omni").effort == 0


def test_doing_nothing(case: Case) -> None:
    assert score_result(case, f"class Omni:\n{LOCAL}", "Omni").saved == 0


def test_a_conflict_costs_one_and_goes_to_the_best_side(case: Case) -> None:
    hunk = (
        "<<<<<<< local\n        y = read(x)\n||||||| base\n        y = read(x)\n"
        "=======\n        y = read(x, 1)\n>>>>>>> target\n"
    )
    text = TRUTH.replace("        y = read(x, 1)\n", hunk)
    score = score_result(case, f"class Omni:\n{text}", "Omni")
    assert (score.effort, score.conflicts, score.lost) == (1, 1, 0)


def test_a_lost_block_is_counted(case: Case) -> None:
    score = score_result(case, f"class Omni:\n{case.target.method}", "Omni")
    assert (score.lost, score.effort) == (1, 1)


@pytest.mark.parametrize(
    "text", ["class Omni:\n    def other(self): ...\n", "class Omni:\n  def ("]
)
def test_a_result_without_the_method_is_an_error(case: Case, text: str) -> None:
    with pytest.raises(ValueError, match="does not parse, or lacks"):
        score_result(case, text, "Omni")


def test_a_failure_leaves_all_the_work(case: Case) -> None:
    score = score_failure(case, "oops")
    assert (score.saved, score.error) == (0, "oops")


def test_scores_add_up() -> None:
    total = add([Score(4, 1, 1), Score(6, 1, 0, 2, "e")])
    assert total == Score(10, 2, 1, 2, "e")
    assert total.saved == 0.8


def test_methods_have_their_decorators() -> None:
    text = "class A:\n    @one\n    @two(\n        3)\n    def f(self): ...\n    x = 1\n"
    assert methods_of(text, "A") == {"f": "    @one\n    @two(\n        3)\n    def f(self): ...\n"}
    assert methods_of(text, "B") == {}
