"""What the sibling gained and nobody brought over: taken or left, once, and remembered."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema
from omni_port.decisions.record import NAME
from worlds import RUNNER, make_world

GPU = "gpu-2/gpu_runner.py"
GAINED = '''\
    def _warm(self, hidden):
        """Have the caches ready."""
        return torch.cuda.mem_get_info(hidden)

'''
BATCH = "        self.batch.update(scheduled)\n"
COUNT = "        self.counted(scheduled.num_tokens)\n"


def make(folder: Path) -> Path:
    """The world, with a sibling that gained a method, its call, and a statement of no cause."""
    root = make_world(folder)
    text = (root / GPU).read_text()
    text = text.replace("    def _send(", f"{GAINED}    def _send(")
    text = text.replace(
        BATCH, f"{BATCH}        info = self._warm(scheduled)\n        self.note(info)\n"
    )
    text = text.replace(
        "        self.model.to(self.device)\n",
        f"        self.model.to(self.device)\n{COUNT.replace('scheduled.num_tokens', 'path')}",
    )
    (root / GPU).write_text(text)
    return root


@pytest.fixture
def root(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make(tmp_path / "world")
    monkeypatch.chdir(folder)
    assert command("upgrade").code == ExitCode.PERSON
    return folder


def proposals(command: Command) -> list[dict[str, object]]:
    found = json.loads(command("take", "--format=json").text)
    jsonschema.validate(found, load_schema("decide"))
    return [p for p in found["proposals"] if p["kind"] == "proposal"]


def numbers(command: Command) -> tuple[int, int]:
    """The numbers of the method with its call, and of the statement by itself."""
    found = proposals(command)
    (warm,) = [p["number"] for p in found if "self._warm" in str(p["cause"])]
    (alone,) = [p["number"] for p in found if "counted" in json.dumps(p)]
    return warm, alone  # type: ignore[return-value]


def test_a_proposal_carries_its_code_its_places_and_what_hangs_together(
    command: Command, root: Path
) -> None:
    warm, _ = numbers(command)
    (one,) = [p for p in proposals(command) if p["number"] == warm]
    codes = {part["code"] for part in one["parts"]}  # type: ignore[attr-defined]
    assert any("torch.npu.mem_get_info" in code for code in codes)
    assert "info = self._warm(scheduled)\nself.note(info)\n" in codes
    assert all(re.match(rf"{GPU}:\d+-\d+$", p["source"]) for p in one["parts"])  # type: ignore[attr-defined]
    ran = command("take")
    assert f"{warm}. proposal: it needs self._warm" in ran.text
    assert "    | info = self._warm(scheduled)\n" in ran.text


def test_what_was_taken_is_put_in_by_the_next_run(command: Command, root: Path) -> None:
    warm, alone = numbers(command)
    before = (root / RUNNER).read_text()
    ran = command("take", str(warm), "--because", "needed")
    assert ran.code == ExitCode.DONE
    assert f"{warm}: taken, 2 parts" in ran.err
    assert (root / RUNNER).read_text() == before
    command("upgrade")
    text = (root / RUNNER).read_text()
    assert "        info = self._warm(scheduled)\n        self.note(info)\n" in text
    assert "    def _warm(self, hidden):\n" in text
    assert "torch.npu.mem_get_info(hidden)" in text
    assert "counted" not in text
    again = command("upgrade")
    assert (root / RUNNER).read_text() == text
    assert "_warm" not in json.dumps(proposals(command))
    assert f"{alone}. proposal" in command("take").text, "a number stays"
    report = json.loads(command("upgrade", "--format=json").text)
    assert not any(f["edited"] for f in report["files"])
    edits = [e for f in report["files"] for m in f["methods"] for e in m["account"]["edits"]]
    mine = [e for e in edits if e["reason"].startswith("taken")]
    assert len(mine) == 2
    lines = text.split("\n")
    for edit in mine:
        assert "_warm" in "\n".join(lines[edit["result"]["start"] - 1 : edit["result"]["end"]])
    assert again.code == ExitCode.PERSON


def test_what_was_taken_goes_into_a_file_that_was_edited(command: Command, root: Path) -> None:
    _, alone = numbers(command)
    path = root / RUNNER
    path.write_text("# mine\n" + path.read_text())
    command("take", str(alone))
    command("upgrade")
    assert path.read_text().startswith("# mine\n")
    assert "        self.counted(path)\n" in path.read_text()


def test_a_clone_comes_to_the_same_result(
    command: Command, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, alone = numbers(command)
    command("take", str(warm))
    command("leave", str(alone), "--because", "not on the NPU")
    command("upgrade")
    other = make(tmp_path / "other")
    (other / NAME).write_bytes((root / NAME).read_bytes())
    monkeypatch.chdir(other)
    command("upgrade")
    assert ast.dump(ast.parse(_plain(other))) == ast.dump(ast.parse(_plain(root)))
    assert proposals(command) == []


def _plain(root: Path) -> str:
    from omni_codemods.functions.conflict_markers import blank_hunks

    return blank_hunks((root / RUNNER).read_text())


def test_what_was_left_is_not_listed_again(command: Command, root: Path) -> None:
    _, alone = numbers(command)
    assert command("leave", str(alone), "--because", "no").code == ExitCode.DONE
    assert "counted" not in command("take").text
    assert "counted" not in command("-v", "upgrade").text
    assert 'take = "leave"' in (root / NAME).read_text()


def test_what_was_looked_at_stays_ticked(command: Command, root: Path) -> None:
    found = json.loads(command("take", "--format=json").text)["proposals"]
    guess = next(p for p in found if p["kind"] == "guessed place")
    before = command("-v", "upgrade").text.count(": guessed place")
    command("leave", str(guess["number"]), "--because", "right there")
    assert command("-v", "upgrade").text.count(": guessed place") == before - 1
    assert command("take", str(guess["number"])).code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("take", "99"), "no open proposal '99'"),
        (("take", "1"), "is a question of a conflict"),
        (("leave", "5", "--because", " "), "needs its reason"),
    ],
)
def test_what_cannot_be_taken_is_said(
    command: Command, root: Path, arguments: tuple[str, ...], said: str
) -> None:
    ran = command(*arguments)
    assert ran.code == ExitCode.USAGE
    assert said in ran.err
    assert not (root / NAME).exists()


def test_numbers_of_questions_stay(command: Command, root: Path) -> None:
    found = json.loads(command("decide", "--format=json").text)["questions"]
    second = found[1]
    command("decide", str(found[0]["number"]), "--take=target", "--because", "so")
    (left,) = json.loads(command("decide", "--format=json").text)["questions"]
    assert (left["number"], left["key"]) == (second["number"], second["key"])


def test_a_method_alone_uses_what_was_decided(command: Command, root: Path) -> None:
    _, alone = numbers(command)
    command("take", str(alone))
    (root / RUNNER).write_bytes((root / ".omni-port/upgrade/before" / RUNNER).read_bytes())
    for name in ("rebase-method", "sync-method"):
        assert "        self.counted(path)\n" in command(
            name, "--method", "load_model"
        ).text.replace("            self.counted", "        self.counted")


def test_a_place_and_a_number_are_explained(command: Command, root: Path) -> None:
    warm, _ = numbers(command)
    assert command("explain", str(warm)).text.startswith(f"{warm}. proposal: it needs self._warm")
    (first, *_) = json.loads(command("decide", "--format=json").text)["questions"]
    place = f"{RUNNER}:{first['places'][0]['line'] + 1}"
    assert command("explain", place).text.startswith("1. ")
    edit = next(
        e
        for f in json.loads(command("upgrade", "--format=json").text)["files"]
        for m in f["methods"]
        for e in m["account"]["edits"]
        if e["kind"] == "block" and e["result"]
    )
    ran = command("explain", f"{RUNNER}:{edit['result']['start']}")
    assert f"lines {edit['local']['start']}-{edit['local']['end']} of the old file" in ran.text
    assert edit["reason"] in ran.text
    ran = command("explain", f"{RUNNER}:1")
    assert (ran.code, "put or left anything" in ran.err) == (ExitCode.USAGE, True)


OLD_GPU = "gpu-1/gpu_runner.py"
VOICED = "        self.voices = split_audio.voices(path)\n"
HELPER = """\
    def _voice_of(self, path):
        return split_audio.voice(path)

"""


@pytest.fixture
def lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The world, with a sibling that has at both ends what the NPU class lacks."""
    root = make_world(tmp_path / "world")
    for name in (OLD_GPU, GPU):
        text = (root / name).read_text()
        text = text.replace(
            "        self.model.to(self.device)\n", f"        self.model.to(self.device)\n{VOICED}"
        )
        (root / name).write_text(text.replace("    def _send(", f"{HELPER}    def _send("))
    monkeypatch.chdir(root)
    return root


def test_the_backlog_is_in_the_plan_and_can_be_taken(command: Command, lacking: Path) -> None:
    plan = json.loads(command("plan", "--format=json").text)
    jsonschema.validate(plan, load_schema("plan"))
    codes = [one["code"] for one in plan["backlog"]]
    assert any("self.voices = " in code for code in codes)
    assert any("def _voice_of" in code for code in codes)
    assert "backlog\n" in command("plan").text
    command("upgrade")
    found = json.loads(command("take", "--format=json").text)["proposals"]
    items = {p["parts"][0]["summary"]: p["number"] for p in found if p["kind"] == "backlog"}
    numbers = [n for said, n in items.items() if "voice" in said]
    assert len(numbers) == 2
    before = (lacking / RUNNER).read_text()
    command("take", *map(str, numbers))
    command("upgrade")
    text = (lacking / RUNNER).read_text()
    assert "self.voices = split_audio.voices(path)\n" in text
    assert "    def _voice_of(self, path):\n" in text
    assert len(text.splitlines()) == len(before.splitlines()) + 4
    command("upgrade")
    assert (lacking / RUNNER).read_text() == text


def test_the_review_and_the_papers_show_what_is_proposed(command: Command, root: Path) -> None:
    page = command("review", "--output", "-").text
    assert "+    return torch.npu.mem_get_info(hidden)" in page
    assert re.search(r"omni-port take \d+ --because", page)
    (decide,) = root.rglob("decide.md")
    assert "+    return torch.npu.mem_get_info(hidden)\n" in decide.read_text()


def test_the_review_shows_what_was_taken_as_the_siblings(command: Command, root: Path) -> None:
    for one in proposals(command):
        command("take", str(one["number"]), "--because", "wanted")
    command("upgrade")
    page = command("review", "--output", "-").text
    assert '<div class="r sync' in page
