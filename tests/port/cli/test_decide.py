from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_codemods.functions.conflict_markers import HUNK
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema
from omni_port.decisions.record import NAME
from worlds import RUNNER, make_world

WHY = ("--because", "seen on the device")


@pytest.fixture
def root(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_world(tmp_path / "world")
    monkeypatch.chdir(folder)
    assert command("upgrade").code == ExitCode.PERSON
    return folder


def questions(command: Command) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(command("decide", "--format=json").text)[
        "questions"
    ]
    return found


def test_every_question_is_listed_with_what_speaks_for_each_side(
    command: Command, root: Path
) -> None:
    ran = command("decide")
    assert ran.code == ExitCode.PERSON
    assert ran.text.count("  local:\n") == len(HUNK.findall((root / RUNNER).read_text()))
    assert f"1. {RUNNER}:" in ran.text
    assert "  - the upstream removed it\n" in ran.text
    assert "questions open" in ran.err
    jsonschema.validate(json.loads(command("decide", "--format=json").text), load_schema("decide"))


def test_a_decision_is_put_in_and_kept(command: Command, root: Path) -> None:
    before = len(questions(command))
    ran = command("decide", "1", "--take", "target", *WHY)
    assert ran.code == ExitCode.PERSON
    assert "1: target, at 1 place\n" in ran.err
    assert len(questions(command)) == before - 1
    kept = (root / NAME).read_text()
    assert 'because = "seen on the device"' in kept
    assert f"{RUNNER}::OmniNPUModelRunner.execute_model" in kept


def test_a_colleagues_clone_comes_to_the_same_result(
    command: Command, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("decide", "1", "--take", "target", *WHY)
    other = make_world(tmp_path / "other")
    (other / NAME).write_bytes((root / NAME).read_bytes())
    monkeypatch.chdir(other)
    ran = command("upgrade")
    assert ", 1 decided before" in ran.text
    assert (other / RUNNER).read_bytes() == (root / RUNNER).read_bytes()
    report = json.loads(command("upgrade", "--format=json").text)
    edits = [e for f in report["files"] for m in f["methods"] for e in m["account"]["edits"]]
    assert any("decided for target: seen on the device" in e["reason"] for e in edits)


def test_in_another_upgrade_the_answer_is_only_proposed(command: Command, root: Path) -> None:
    text = (root / RUNNER).read_text()
    command("decide", "1", "--take", "target", *WHY)
    (root / RUNNER).write_text(text)
    kept = (root / NAME).read_text().replace("upstream-1..upstream-2", "upstream-0..upstream-1")
    (root / NAME).write_text(kept)
    ran = command("decide", "1")
    assert "for ascend upstream-0..upstream-1: target, because seen on the device" in ran.text
    assert (root / RUNNER).read_text() == text
    assert "1: target, at 1 place" in command("decide", "1", "--accept").err


def test_a_text_of_ones_own(command: Command, root: Path) -> None:
    ran = command("decide", "2", "--take=text", "--text=-", *WHY, stdin=b"self.timing.record(7)\n")
    assert "2: text, at 1 place" in ran.err
    assert "        self.timing.record(7)\n" in (root / RUNNER).read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("1", "--take", "local"), ExitCode.USAGE, "needs its reason"),
        (("1", "--take", "text", *WHY), ExitCode.USAGE, "need each other"),
        (("99", "--take", "local", *WHY), ExitCode.USAGE, "no open question '99'"),
        (("--take", "local", *WHY), ExitCode.USAGE, "say which question"),
        (("1", "--accept"), ExitCode.USAGE, "nothing is proposed"),
    ],
)
def test_what_is_no_decision_writes_nothing(
    command: Command, root: Path, arguments: tuple[str, ...], code: ExitCode, said: str
) -> None:
    before = (root / RUNNER).read_bytes()
    ran = command("decide", *arguments)
    assert ran.code == code
    assert said in ran.err
    assert (root / RUNNER).read_bytes() == before
    assert not (root / NAME).exists()


def test_code_that_would_not_hold_is_not_taken(command: Command, root: Path) -> None:
    before = (root / RUNNER).read_bytes()
    ran = command("decide", "2", "--take=text", "--text=-", *WHY, stdin=b"self.timing.(\n")
    assert ran.code == ExitCode.PERSON
    assert "does not parse" in ran.err
    assert (root / RUNNER).read_bytes() == before


DECIDER = """
import json, sys
asked = json.load(sys.stdin)
assert asked["local"] is not None and asked["around"] and asked["facts"]
take = "target" if "removed" in asked["facts"][1]["said"] else "text"
print(json.dumps({"take": take, "because": "as told", "text": "" if take == "target" else "x = ("}))
"""


def test_a_deciders_answers_are_proposals_and_checked(command: Command, root: Path) -> None:
    (root / "decider.py").write_text(DECIDER)
    before = (root / RUNNER).read_bytes()
    ran = command("decide", "--with", f"{sys.executable} decider.py")
    assert ran.code == ExitCode.PERSON
    assert "1: target is proposed: as told" in ran.err
    assert "2: the answer text is not kept" in ran.err
    assert (root / RUNNER).read_bytes() == before
    assert "proposed = true" in (root / NAME).read_text()
    assert "decider.py on 20" in command("decide", "1").text
    command("decide", "--accept")
    assert len(questions(command)) == 1


@pytest.mark.parametrize(
    ("program", "said"),
    [("import sys; sys.exit('no idea')", "no idea"), ("print('local')", "printed no answer")],
)
def test_a_decider_that_fails_is_named(
    command: Command, root: Path, program: str, said: str
) -> None:
    (root / "decider.py").write_text(program)
    ran = command("decide", "--with", f"{sys.executable} decider.py")
    assert ran.code == ExitCode.INPUT
    assert said in ran.err


def test_when_all_is_decided_it_is_done(command: Command, root: Path) -> None:
    for one in questions(command):
        command("decide", str(one["number"]), "--take", "target", *WHY)
    ran = command("decide")
    assert (ran.code, ran.text) == (ExitCode.DONE, "")
    assert "<<<<<<<" not in (root / RUNNER).read_text()


def test_a_method_alone_uses_what_was_decided(command: Command, root: Path) -> None:
    for one in questions(command):
        command("decide", str(one["number"]), "--take", "target", *WHY)
    (root / RUNNER).write_bytes((root / ".omni-port/upgrade/before" / RUNNER).read_bytes())
    ran = command("rebase-method", "--method", "execute_model")
    assert "2 conflicts decided before" in ran.err
    assert not HUNK.search(ran.text)
