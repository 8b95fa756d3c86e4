"""The skill for agents: each of its commands is one of ours, and its steps carry an upgrade."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commandline import Command
from followed import make_project, make_upstreams
from gitrepos import git
from omni_port.base.errors import ExitCode
from omni_port.cli.main import COMMANDS, cli

SKILL = Path(__file__).parents[3] / "skills" / "omni-port-upgrade"
LINE = re.compile(r"^\$ omni-port (?P<line>[^#\n]+)", re.MULTILINE)


def lines() -> Iterator[str]:
    for page in sorted(SKILL.rglob("*.md")):
        yield from (found["line"].strip() for found in LINE.finditer(page.read_text("utf-8")))


@pytest.mark.parametrize("line", dict.fromkeys(lines()))
def test_every_command_and_option_is_one_of_ours(line: str) -> None:
    words = shlex.split(line)
    command = COMMANDS[words[0]].load()
    context = click.Context(command, info_name=words[0])
    known = {name for option in command.get_params(context) for name in option.opts}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_names_that_it_explains_are_explained(command: Command) -> None:
    page = (SKILL / "SKILL.md").read_text("utf-8")
    for name in ("carried", "moved", "absorbed", "conflict", "orphan", "proposed", "guessed"):
        assert name in page
        assert command("explain", name).code == ExitCode.DONE


def test_links_lead_somewhere_and_the_head_is_complete() -> None:
    page = (SKILL / "SKILL.md").read_text("utf-8")
    head = page.split("---\n")[1]
    assert f"name: {SKILL.name}\n" in head
    assert len(re.findall(r"^description: (.+)$", head, re.MULTILINE)[0]) < 1024
    for link in re.findall(r"\]\(([^)]+)\)", page):
        assert (SKILL / link).is_file()


@pytest.fixture
def down(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    folder = make_project(tmp_path)
    monkeypatch.chdir(folder)
    return folder


def test_its_steps_carry_an_upgrade(command: Command, down: Path) -> None:
    upstreams = ("--upstream", "npulib=../npulib@v3", "--upstream", "gpulib=../gpulib@v2")
    assert command("init", *upstreams).code == ExitCode.DONE
    git(down, "add", "-A")
    git(down, "commit", "-qm", "Say what is followed")
    assert command("plan").code == ExitCode.DONE
    assert command("upgrade", "--dry-run").code in (ExitCode.DONE, ExitCode.PERSON)
    assert git(down, "status", "--short") == ""
    left = command("upgrade")
    assert left.code in (ExitCode.DONE, ExitCode.PERSON)
    assert command("upgrade").code == left.code
    assert command("check").code in (ExitCode.DONE, ExitCode.WOULD_CHANGE)
    assert command("blocks", "--check", "down").code == ExitCode.DONE
    undecided = command("upgrade", "--commit")
    assert undecided.code == ExitCode.PERSON
    assert "must be decided first" in undecided.err
    runner = down / "down" / "npu" / "npu_runner.py"
    named = dict.fromkeys(re.findall(r"a base of it has (\w+)", command("upgrade").text))
    sets = "".join(f"        self.{name} = None\n" for name in named)
    mended = f"\n    def __init__(self):\n        super().__init__()\n{sets}"
    runner.write_text(runner.read_text() + mended)
    decided = command("upgrade")
    assert decided.code == ExitCode.DONE, decided.text
    assert command("upgrade", "--commit").code == ExitCode.DONE
    assert "Signed-off-by" in git(down, "log", "-1", "--format=%B")
    assert "self.talk(hidden)" in git(down, "show", "HEAD:down/npu/npu_runner.py")


def test_it_is_installed_where_an_agent_looks(command: Command) -> None:
    ran = command("skill", "install", "agents/skills")
    assert ran.code == ExitCode.DONE
    installed = Path("agents/skills/omni-port-upgrade")
    assert {p.name for p in installed.rglob("*.md")} == {p.name for p in SKILL.rglob("*.md")}
    assert command("skill", "show").text == (installed / "SKILL.md").read_text("utf-8")
    (installed / "SKILL.md").write_text("mine")
    again = command("skill", "install", "agents/skills")
    assert again.code == ExitCode.USAGE
    assert "is there already" in again.err
    assert (installed / "SKILL.md").read_text() == "mine"
    assert command("skill", "install", "--force", "agents/skills").code == ExitCode.DONE
    assert (installed / "SKILL.md").read_text() != "mine"


def test_the_group_has_no_other_commands() -> None:
    with click.Context(cli) as context:
        found = cli.get_command(context, "skill")
    assert isinstance(found, click.Group)
    assert set(found.commands) == {"install", "show"}
