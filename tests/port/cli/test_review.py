from __future__ import annotations

from pathlib import Path

import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from worlds import RUNNER, make_world


@pytest.fixture
def root(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_world(tmp_path / "world")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def upgraded(command: Command, root: Path) -> Path:
    assert command("upgrade").code == ExitCode.PERSON
    return root


def test_without_an_upgrade_there_is_nothing_to_review(command: Command, root: Path) -> None:
    ran = command("review")
    assert ran.code == ExitCode.USAGE or ran.code == ExitCode.INPUT
    assert "run `omni-port upgrade` first" in ran.err


def test_the_page_is_written_and_says_where(command: Command, upgraded: Path) -> None:
    ran = command("review")
    assert (ran.code, ran.out) == (ExitCode.PERSON, b"")
    assert "wrote .omni-port/review.html" in ran.err
    page = (upgraded / ".omni-port/review.html").read_text()
    for told in ("Question 1", "execute_model", "old local", "new upstream", "Our delta"):
        assert told in page
    assert command("review", "--output", "-").text == page


def test_markdown_goes_to_stdout(command: Command, upgraded: Path) -> None:
    ran = command("review", "--format", "markdown")
    assert ran.text.startswith("# ascend upstream-1 to upstream-2\n")
    assert "- [ ] Question 1, `local/omni_npu_runner.py:" in ran.text
    assert "-+         self.model.eval()" in ran.text


def test_what_was_decided_is_told(command: Command, upgraded: Path) -> None:
    because = "seen on the device"
    command("decide", "1", "--take", "target", "--because", because)
    page = command("review", "--output", "-").text
    assert f"<b>target</b>, because {because}" in page
    assert "Question 1" not in page


def test_what_was_written_by_hand_since_is_told(command: Command, upgraded: Path) -> None:
    path = upgraded / RUNNER
    text = path.read_text()
    path.write_text(
        text.replace("        started = ", "        by_hand = 1\n        started = ", 1)
    )
    page = command("review", "--output", "-").text
    assert '<div class="r hand">' in page


def test_nothing_of_the_project_is_changed(command: Command, upgraded: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {p: p.read_bytes() for p in upgraded.rglob("*") if p.is_file()}

    before = files()
    command("review")
    after = files()
    after.pop(upgraded / ".omni-port/review.html")
    assert after == before


def test_a_stopped_upgrade_shows_why(command: Command, root: Path) -> None:
    project = root / "omni-port.toml"
    project.write_text(project.read_text().replace("upstream-2", "upstream-1"))
    command("upgrade")
    ran = command("review", "--output", "-")
    assert ran.code in (ExitCode.DONE, ExitCode.PERSON)
    assert "What was done" in ran.text


def test_one_method_side_by_side(command: Command, root: Path) -> None:
    report = root / "one.html"
    ran = command("rebase-method", "--method", "load_model", "--report", report, "--diff")
    assert ran.code == ExitCode.DONE
    assert "new upstream" in report.read_text()
