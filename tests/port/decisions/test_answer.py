from __future__ import annotations

import pytest

from omni_port.decisions.answer import check_answer, put_in, unbound_by_side
from omni_port.decisions.question import find_questions
from omni_port.decisions.record import Decision

TEXT = (
    "import f, g\n\n\ndef run(a):\n<<<<<<< local\n    x = mine(a)\n||||||| base\n"
    "    x = f(a)\n=======\n    x = g(a)\n>>>>>>> target\n    return x\n"
)


def answered(take: str, text: str = "", module: str = TEXT) -> str:
    (question,) = find_questions({"m.py": module})
    return put_in(module, {question.key: Decision(question.key, take, "why", text=text)}).text


@pytest.mark.parametrize(
    ("take", "imports", "lines"),
    [
        ("local", "", "    x = mine(a)\n"),
        ("base", "import f\n", "    x = f(a)\n"),
        ("target", "import g\n", "    x = g(a)\n"),
        ("both", "import g\n", "    x = g(a)\n    x = mine(a)\n"),
    ],
)
def test_a_side_is_put_in_with_the_imports_that_it_needs(
    take: str, imports: str, lines: str
) -> None:
    assert answered(take) == f"{imports}\n\ndef run(a):\n{lines}    return x\n"


@pytest.mark.parametrize("text", ["x = h(a)\ny = x", "\n    x = h(a)\n    y = x\n"])
def test_a_text_is_indented_as_the_hunk(text: str) -> None:
    assert "def run(a):\n    x = h(a)\n    y = x\n    return x\n" in answered("text", text)


def test_line_ends_of_the_hunk_stay() -> None:
    crlf = TEXT.replace("\n", "\r\n")
    assert "\r\n    x = h(a)\r\n    return" in answered("text", "x = h(a)", crlf)


def test_what_nobody_answered_stays() -> None:
    other = put_in(TEXT, {"another": Decision("another", "local", "why")})
    assert (other.text, other.used) == (TEXT, ())


@pytest.mark.parametrize(
    ("take", "text", "wrong"),
    [
        ("target", "", ""),
        ("local", "", "reads what nothing binds: mine"),
        ("text", "x = = 1", "does not parse"),
        ("text", "x = f(a)", ""),
        ("text", "x = lost(a)", "nothing binds: lost"),
    ],
)
def test_an_answer_that_breaks_the_code_is_said(take: str, text: str, wrong: str) -> None:
    (question,) = find_questions({"m.py": TEXT})
    decision = Decision(question.key, take, "why", text=text)
    said = list(check_answer(TEXT, question.places[0], decision))
    assert [wrong in one for one in said] == ([True] if wrong else [])


def test_what_each_side_alone_leaves_unbound() -> None:
    (question,) = find_questions({"m.py": TEXT})
    found = unbound_by_side(TEXT, question, question.places[0])
    assert found == {"local": {"mine"}, "target": set()}
