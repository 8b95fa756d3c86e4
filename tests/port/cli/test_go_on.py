"""The end of an upgrade, git's view of its conflicts, and the project's formatter."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from commandline import Command
from gitrepos import git
from omni_codemods.functions.conflict_markers import HUNK
from omni_port.base.errors import ExitCode
from worlds import PATCH, RUNNER, make_world


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_world(tmp_path / "world")
    monkeypatch.chdir(folder)
    return folder


def settle(root: Path) -> None:
    """Put in the upstream's side, and take out what the upgrade calls an error."""
    path = root / RUNNER
    text = HUNK.sub(lambda hunk: hunk["target"], path.read_text())
    path.write_text(text.replace("warm_up(hidden)", "warm_up(hidden_states)"))


def test_what_is_open_keeps_the_upgrade_from_being_finished(command: Command, root: Path) -> None:
    before = (root / "omni-port.toml").read_bytes()
    ran = command("upgrade", "--finish")
    assert ran.code == ExitCode.PERSON
    assert "not finished: " in ran.err
    assert (root / "omni-port.toml").read_bytes() == before


def test_finish_writes_current_and_keeps_the_rest(command: Command, root: Path) -> None:
    file = root / "omni-port.toml"
    file.write_text(
        file.read_text().replace('target = "gpu-2"', 'target = "gpu-2"  # as it stands')
    )
    command("upgrade")
    settle(root)
    ran = command("upgrade", "--finish")
    assert ran.code == ExitCode.DONE, ran.text
    text = file.read_text()
    assert 'current = "upstream-2"\ntarget = "upstream-2"' in text
    assert 'current = "gpu-2"\ntarget = "gpu-2"  # as it stands' in text
    assert text.startswith("# The world as a project")
    assert "[siblings] current is gpu-2 now" in ran.err
    assert (root / ".omni-port/upgrade-1/before" / RUNNER).is_file()


@pytest.mark.parametrize("option", ["--finish", "--index", "--commit"])
def test_a_dry_run_ends_nothing(command: Command, root: Path, option: str) -> None:
    assert command("upgrade", "--dry-run", option).code == ExitCode.USAGE


@pytest.fixture
def repository(root: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "The world")
    return root


def test_git_sees_the_conflicts(command: Command, repository: Path) -> None:
    ran = command("upgrade", "--index")
    assert f"{RUNNER}: both modified, for git" in ran.err
    assert f"UU {RUNNER}" in git(repository, "status", "--porcelain")
    text = (repository / RUNNER).read_text()
    for number, side in enumerate(("base", "local", "target"), 1):
        staged = git(repository, "show", f":{number}:{RUNNER}")
        wanted = HUNK.sub(lambda hunk, s=side: hunk[s], text)  # type: ignore[misc]
        assert staged.strip() == wanted.strip()
    settle(repository)
    git(repository, "add", RUNNER)
    assert "UU" not in git(repository, "status", "--porcelain")


def test_a_commit_with_open_decisions_is_refused(command: Command, repository: Path) -> None:
    ran = command("upgrade", "--commit")
    assert ran.code == ExitCode.PERSON
    assert "must be decided first" in ran.err


def test_one_method_in_place_shows_its_conflicts_to_git(command: Command, repository: Path) -> None:
    command("rebase-method", "--method", "execute_model", "--in-place", "--index")
    assert f"UU {RUNNER}" in git(repository, "status", "--porcelain")
    ran = command("rebase-method", "--method", "execute_model", "--index")
    assert ran.code == ExitCode.USAGE


def test_without_a_repository_there_is_no_index(command: Command, root: Path) -> None:
    ran = command("upgrade", "--index")
    assert (ran.code, "no git repository" in ran.err) == (ExitCode.INPUT, True)


FORMATTER = """\
import pathlib, sys
path = pathlib.Path(sys.argv[1])
path.write_text("# formatted\\n" + path.read_text())
"""


def test_the_projects_formatter_has_what_was_changed_and_is_whole(
    command: Command, root: Path
) -> None:
    (root / "form.py").write_text(FORMATTER)
    file = root / "omni-port.toml"
    tail = f'\n[upgrade]\nformat = ["{sys.executable}", "form.py", "{{file}}"]\n'
    file.write_text(file.read_text() + tail)
    command("upgrade")
    assert (root / PATCH).read_text().startswith("# formatted\n")
    assert "# formatted" not in (root / RUNNER).read_text(), "a conflict is no Python"
    settle(root)
    command("upgrade")
    command("upgrade")
    for path in (PATCH, RUNNER):
        assert (root / path).read_text().count("# formatted\n") == 1


def test_a_formatter_that_fails_is_named(command: Command, root: Path) -> None:
    file = root / "omni-port.toml"
    file.write_text(file.read_text() + '\n[upgrade]\nformat = ["no-such-formatter", "{file}"]\n')
    ran = command("upgrade")
    assert ran.code == ExitCode.USAGE
    assert "no-such-formatter does not run" in ran.err
