from __future__ import annotations

import pytest

from omni_codemods.text.code_lines import lines_of
from omni_port.decisions.question import among, find_questions


def hunk(
    local: str = "mine(a)", base: str = "f(a)", target: str = "g(a)", margin: str = "    "
) -> str:
    return (
        f"<<<<<<< local\n{margin}x = {local}\n||||||| base\n{margin}x = {base}\n=======\n"
        f"{margin}x = {target}\n>>>>>>> target\n"
    )


def module(*hunks: str) -> str:
    return "".join(f"def run_{n}(a):\n{one}    return x\n\n\n" for n, one in enumerate(hunks))


def test_equal_questions_are_one_with_several_places() -> None:
    texts = {"a.py": module(hunk(), hunk(local="other(a)")), "b.py": module(hunk())}
    one, two = find_questions(texts)
    assert [(p.path, p.line, p.method) for p in one.places] == [
        ("a.py", 2, "run_0"),
        ("b.py", 2, "run_0"),
    ]
    assert [(p.path, p.method) for p in two.places] == [("a.py", "run_1")]
    assert (one.number, two.number) == (1, 2)


@pytest.mark.parametrize(
    "other",
    [
        hunk(margin="        "),
        hunk(local="mine( a )"),
        hunk(local="mine(a)  # ours"),
        hunk().replace("target\n", "target (v2)\n"),
    ],
)
def test_layout_comments_and_labels_do_not_make_another_question(other: str) -> None:
    (asked,) = find_questions({"a.py": hunk(), "b.py": other})
    assert len(asked.places) == 2


@pytest.mark.parametrize("side", ["local", "base", "target"])
def test_another_side_is_another_question(side: str) -> None:
    assert len(find_questions({"a.py": hunk(), "b.py": hunk(**{side: "new(a)"})})) == 2


def test_a_question_is_found_by_number_key_and_place() -> None:
    questions = find_questions({"a.py": module(hunk(), hunk(local="other(a)"))})
    second = questions[1]
    for name in ("2", second.key, str(second.places[0])):
        assert among(questions, name) == second
    assert among(questions, "3") is None


def test_a_part_of_a_statement_is_cut_into_lines() -> None:
    assert lines_of("f(\n") == ["f("]
    assert lines_of("# only a comment\n") == []
