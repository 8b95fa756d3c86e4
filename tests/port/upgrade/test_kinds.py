"""Whole commands in worlds where a name becomes another kind of thing: none ends with a bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command, Ran
from kindworld import BASE, CLASSES, COPY, FUNCTIONS, OVERRIDE, PATCH, SHAPES, SUBCLASS, USES
from planned import write

ROLES = {
    "inherits": (SUBCLASS, "Mine", "up/things.py::Thing", CLASSES["class"]),
    "overrides": (OVERRIDE, "Mine", "up/things.py::Thing", CLASSES["class"]),
    "copies a class": (COPY, "Mine", "up/things.py::Thing", CLASSES["class"]),
    "patches": (PATCH, "mine", "up/things.py::Thing", FUNCTIONS["function"]),
    "uses a class": (USES, "Mine", "up/base.py::Base", CLASSES["class"]),
    "uses a function": (USES, "Mine", "up/base.py::Base", FUNCTIONS["function"]),
}
RULES = ("upstream-class-gone", "copied-function-gone", "seam-gone", "upstream-not-readable")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.chdir(tmp_path)
    return command


def make_world(root: Path, role: str, new: str) -> Path:
    text, qualname, upstream, old = ROLES[role]
    for folder, files in (("up-1", old), ("up-2", SHAPES[new])):
        write(root / folder, {"up/__init__.py": "", **BASE, **files})
    project = f"""
[upstream.up]
current = "up-1"
target = "up-2"

[[port]]
local = "mine/runner.py::{qualname}"
upstream = "up:{upstream}"
"""
    write(root, {"mine/__init__.py": "", "mine/runner.py": text, "omni-port.toml": project})
    return root


def _answers(ran: Ran) -> bool:
    return ran.code in (0, 1, 3) and "Traceback" not in ran.err


@pytest.mark.parametrize("new", SHAPES)
@pytest.mark.parametrize("role", ROLES)
def test_no_command_ends_with_a_bug(run: Command, tmp_path: Path, role: str, new: str) -> None:
    make_world(tmp_path, role, new)
    overrides = [f"--override={rule}=it is known" for rule in RULES]
    for arguments in (["plan"], ["upgrade"], ["upgrade", *overrides], ["upgrade"], ["check"]):
        ran = run(*arguments)
        assert _answers(ran), (arguments, ran.code, ran.err[-2000:], ran.text[-500:])


def test_a_class_that_became_a_function(run: Command, tmp_path: Path) -> None:
    make_world(tmp_path, "inherits", "function")
    ran = run("plan")
    assert ran.code == 3
    assert "gate  STOPPED by upstream-class-gone" in ran.text
    assert "up.things.Thing: is a function now (was a class)" in ran.text
    assert "why      What is a function or a value now has no methods to inherit" in ran.text
    assert (tmp_path / "mine" / "runner.py").read_text() == SUBCLASS


@pytest.mark.parametrize("new", ["re-exported", "alias", "alias of an import", "a package"])
@pytest.mark.parametrize(("role", "sort"), [("inherits", "class"), ("patches", "function")])
def test_what_is_to_be_had_from_its_old_place_is_followed(
    run: Command, tmp_path: Path, role: str, sort: str, new: str
) -> None:
    make_world(tmp_path, role, f"{sort} {new}")
    assert f"  follows: {'Mine' if sort == 'class' else 'mine'} is made anew" in run("plan").text
    ran = run("upgrade")
    assert "not carried" not in ran.text.replace("0 not carried", "")
    assert "1 carried" in ran.text


def test_what_moved_away_is_not_followed(run: Command, tmp_path: Path) -> None:
    make_world(tmp_path, "inherits", "class moved")
    ran = run("upgrade")
    assert "not carried: Mine.run: target: no class Thing (up-2/up/things.py::Thing)" in ran.text


def test_what_a_person_let_by_is_a_task(run: Command, tmp_path: Path) -> None:
    make_world(tmp_path, "uses a class", "constant")
    ran = run("upgrade", "--override=upstream-class-gone=it is known")
    said = "up.things.Thing is a constant now (was a class)"
    assert f"mine/runner.py:5: task: Sub: {said}" in ran.text


def test_a_task_is_done_when_the_name_comes_from_elsewhere(run: Command, tmp_path: Path) -> None:
    make_world(tmp_path, "uses a class", "constant")
    run("upgrade", "--override=upstream-class-gone=it is known")
    mended = USES.replace("from up.things import Thing", "from mine.things import Thing")
    write(tmp_path, {"mine/runner.py": mended})
    assert "task" not in run("upgrade").text


def test_a_gone_name_that_is_no_seam_is_a_task(run: Command, tmp_path: Path) -> None:
    make_world(tmp_path, "uses a class", "constant")
    text = USES.replace("class Sub(Thing):\n    pass\n\n\n", "")
    write(tmp_path, {"mine/runner.py": text})
    ran = run("plan")
    assert ran.code == 0, ran.text
    assert "gate  PASS" in ran.text
    named = "Thing in make (runner.py:5,6,7), Mine.own (runner.py:13)"
    assert f"  task imported-name-gone: {named}" in ran.text
    ran = run("upgrade")
    assert (
        "mine/runner.py:7: task: make: up.things.Thing is a constant now (was a class)" in ran.text
    )
