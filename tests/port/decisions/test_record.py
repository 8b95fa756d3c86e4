from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import ConfigurationError
from omni_port.decisions.question import find_questions
from omni_port.decisions.record import (
    NAME,
    Decision,
    answers,
    load_decisions,
    proposal,
    save_decisions,
    upgrade_of,
)
from omni_port.project.project import Project
from worlds import world_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return world_project(tmp_path)


TEXT = 'x = """a\n\\n\'\'\'"""\n    y = 2\n'
DECISION = Decision("k", "text", 'because "it is"', "u 1..2", "a person", "2026-01-02", text=TEXT)


def test_what_is_saved_is_loaded(project: Project) -> None:
    other = Decision("j", "local", "b", "u 1..2", proposed=True, local="    a()\n")
    save_decisions(project, [DECISION, other])
    assert load_decisions(project) == (DECISION, other)
    save_decisions(project, load_decisions(project))
    assert load_decisions(project) == (DECISION, other)


def test_a_newer_answer_to_the_same_question_replaces_the_older(project: Project) -> None:
    newer = Decision("k", "local", "now", "u 1..2")
    save_decisions(project, [DECISION, newer, Decision("k", "target", "then", "u 2..3")])
    assert [(one.take, one.upgrade) for one in load_decisions(project)] == [
        ("local", "u 1..2"),
        ("target", "u 2..3"),
    ]


def test_only_what_was_accepted_for_these_ends_holds() -> None:
    proposed = Decision("p", "local", "maybe", "now", proposed=True)
    old, new = Decision("k", "local", "a", "then"), Decision("n", "target", "b", "now")
    assert answers([old, new, proposed], "now") == {"n": new}
    (question,) = find_questions(
        {"a.py": "<<<<<<< l\na()\n||||||| b\nb()\n=======\nc()\n>>>>>>> t\n"}
    )
    same = Decision(question.key, "local", "as before", "then")
    assert proposal([same], question, "now") == same
    assert proposal([same], question, "then") is None


def test_an_upgrade_is_known_by_its_ends(project: Project) -> None:
    assert upgrade_of(project) == "ascend upstream-1..upstream-2"


@pytest.mark.parametrize(
    ("text", "says"),
    [("= 1", "no decisions"), ('[[decision]]\nkey = "k"\ntake = "mine"\nbecause = ""\n', "mine")],
)
def test_a_broken_file_is_named(project: Project, text: str, says: str) -> None:
    (project.root / NAME).write_text(text)
    with pytest.raises(ConfigurationError, match=says) as caught:
        load_decisions(project)
    assert caught.value.path.endswith(NAME)
