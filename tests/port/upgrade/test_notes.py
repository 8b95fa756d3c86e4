from __future__ import annotations

from dataclasses import replace

import pytest

from omni_port.identity import End, How, Identity
from omni_port.project.project import Project
from omni_port.upgrade.notes import Notes
from omni_port.upgrade.port_files import CarriedFile, Carrier
from worlds import PATCH, world_project

OLD, NEW = "80d8c194f" + "0" * 31, "a2e0f4891" + "1" * 31


def identity(project: Project, *more: End) -> Identity:
    current = End("ascend", "current", "v1.0", How.CONFIGURED, "r", OLD, version="1.0")
    target = End("ascend", "target", "v2.0", How.CONFIGURED, "r", NEW, version="2.0")
    return Identity(str(project.root), None, (current, target, *more))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return world_project(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def carried(project: Project) -> CarriedFile:
    (file,) = (one for one in Carrier(project).carry() if one.path == PATCH)
    return file


def with_note(file: CarriedFile, note: str) -> CarriedFile:
    said = "# Upstream source: npu_runner.py, NPUModelRunner._build_batch\n"
    assert said in file.text
    return replace(file, text=file.text.replace(said, note))


@pytest.mark.parametrize(
    ("note", "becomes"),
    [
        ("# Upstream source: ascend commit 80d8c194f,\n", "commit a2e0f4891,"),
        ("# Upstream source: ascend v1.0 commit 80d8c19,\n", "v2.0 commit a2e0f48,"),
        (
            "# Upstream source: ascend,\n# _build_batch at commit 80d8c194f0.\n",
            "commit a2e0f48911.",
        ),
        ("# Upstream source: npu_runner.py at v1.0\n", "npu_runner.py at v2.0"),
    ],
)
def test_a_note_names_the_target(
    project: Project, carried: CarriedFile, note: str, becomes: str
) -> None:
    notes = Notes(project, identity(project))
    before = with_note(carried, note)
    after, number = notes.renew(before)
    assert number == 1
    assert becomes in after.text
    assert "80d8c" not in after.text
    assert len(after.text.split("\n")) == len(before.text.split("\n"))
    ports = {"_build_batch": project.ports[1]}
    assert list(notes.iter_stale(after.text, ports)) == []
    assert notes.renew(after) == (after, 0)


@pytest.mark.parametrize(
    "note",
    [
        "# Upstream source: ascend commit 1234567,\n",
        "# Upstream source: ascend v0.9 commit 80d8c194f,\n",
        "# Upstream source: npu_runner.py at v0.9\n",
    ],
)
def test_a_note_of_another_revision_stays_and_is_stale(
    project: Project, carried: CarriedFile, note: str
) -> None:
    notes = Notes(project, identity(project))
    before = with_note(carried, note)
    assert notes.renew(before) == (before, 0)
    (line,) = notes.iter_stale(before.text, {"_build_batch": project.ports[1]})
    assert before.text.split("\n")[line - 1] == note.rstrip("\n")


@pytest.mark.parametrize(
    "note",
    [
        "# Upstream source: npu_runner.py, NPUModelRunner._build_batch\n",
        "# Upstream source: elsewhere commit 80d8c194f,\n",
        "# as of commit 80d8c194f the rows were sorted\n",
    ],
)
def test_other_comments_are_left_alone(project: Project, carried: CarriedFile, note: str) -> None:
    notes = Notes(project, identity(project))
    before = with_note(carried, note)
    assert notes.renew(before) == (before, 0)
    assert list(notes.iter_stale(before.text, {"_build_batch": project.ports[1]})) == []


def test_a_function_that_was_not_rebased_keeps_its_note(
    project: Project, carried: CarriedFile
) -> None:
    notes = Notes(project, identity(project))
    before = with_note(carried, "# Upstream source: ascend commit 80d8c194f,\n")
    before = replace(before, methods=())
    assert notes.renew(before) == (before, 0)


def test_a_ports_own_base_is_what_its_note_names(project: Project, carried: CarriedFile) -> None:
    own = End("ascend", "base", "77777777", How.CONFIGURED, "r", "7" * 40, port="_build_batch")
    notes = Notes(project, identity(project, own))
    after, number = notes.renew(with_note(carried, "# Upstream source: ascend commit 7777777\n"))
    assert number == 1
    assert "commit a2e0f48\n" in after.text


def test_a_text_with_conflicts(project: Project, carried: CarriedFile) -> None:
    notes = Notes(project, identity(project))
    hunk = "<<<<<<< a\nx = 2\n||||||| b\n=======\nx = 1\n>>>>>>> c\n"
    before = with_note(carried, hunk + "\n\n# Upstream source: ascend commit 80d8c194f,\n")
    after, number = notes.renew(before)
    assert number == 1
    assert hunk in after.text


def test_nothing_outside_of_python(project: Project, carried: CarriedFile) -> None:
    notes = Notes(project, identity(project))
    broken = replace(carried, text="def (:\n# Upstream source: ascend commit 80d8c194f\n")
    assert notes.renew(broken) == (broken, 0)
