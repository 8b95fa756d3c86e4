from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

OLD = """\
class Runner:
    def run(self, batch):
        ids = self.gather(batch)
        hidden = self.model(ids)
        return self.head(hidden)
"""
NEW = OLD.replace("self.model(ids)", "self.model(ids, lengths=batch.lengths)")
LOCAL = "from pkg.worker.runner import Runner\n\n\n" + NEW.replace(
    "class Runner:", "class OmniRunner(Runner):"
).replace(
    "        return",
    "        # ---- Omni-new ----\n        self.talker(hidden)\n"
    "        # ---- Omni-new ----\n        return",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "local.py").write_text(LOCAL)
    for release, text in (("1.0", OLD), ("2.0", NEW)):
        package = tmp_path / release / "pkg" / "worker"
        package.mkdir(parents=True)
        (package / "runner.py").write_text(text)
    return tmp_path


@pytest.fixture
def repo(folder: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    root = folder / "repo"
    root.mkdir()
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]

    def git(*arguments: str) -> None:
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    for tag, text in (("v1", OLD), ("v2", NEW), ("v3", OLD + "\n\nX = 1\n")):
        (root / "runner.py").write_text(text)
        git("add", ".")
        git("commit", "-q", "-m", tag)
        git("tag", tag)
    (root / "runner.py").write_text("not committed (")
    return root


def test_unpacked_releases(command: Command, folder: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py::OmniRunner",
        "--upstream", "1.0::Runner", "--upstream", "2.0::Runner",
    )  # fmt: skip
    assert ran.code == ExitCode.DONE
    assert ran.text == (
        "local.py:5: OmniRunner.run: 2.0\n"
        "    0 tokens of drift, 100% of the upstream's code; next 1.0, 6 tokens more\n"
    )
    assert "1 method that the upstream has too, 1 of them copied; best for: 2.0 1" in ran.err


def test_files_at_revisions(command: Command, repo: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py",
        "--upstream", "repo@v1:runner.py", "--upstream", "repo@v2:runner.py",
    )  # fmt: skip
    assert "OmniRunner.run: repo@v2:runner.py\n" in ran.text


def test_the_commits_of_a_file(command: Command, repo: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py", "--upstream", "repo/runner.py", "--since", "v1",
        "--format", "json",
    )  # fmt: skip
    document = json.loads(ran.text)
    jsonschema.validate(document, load_schema("provenance"))
    assert len(document["candidates"]) == 3
    best, next_ = document["methods"][0]["ranks"]
    assert (len(best["names"]), best["drift"]) == (1, 0)
    assert len(next_["names"]) == 2
    assert next_["same_code"] is True
    assert [c["best_for"] for c in document["candidates"]] == [0, 1, 0]
    assert (repo / "runner.py").read_text() == "not committed ("


def test_tags_up_to_one(command: Command, repo: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py", "--upstream", "repo@v3:runner.py::Runner",
        "--until", "v2", "--tags",
    )  # fmt: skip
    assert "OmniRunner.run: v2\n" in ran.text
    assert "v3" not in ran.text


def test_one_candidate_has_no_margin(command: Command, folder: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py", "--upstream", "1.0::Runner", "--method", "run"
    )
    assert "6 tokens of drift" in ran.text
    assert ran.text.endswith("no other candidate\n")


def test_an_override_of_its_own_is_said_to_be_one(command: Command, folder: Path) -> None:
    (folder / "own.py").write_text(
        "class Own(Runner):\n    def run(self, batch):\n        return super().run(batch)\n"
    )
    ran = command("provenance", "--local", "own.py", "--upstream", "1.0::Runner")
    assert "Own.run: not a copy: it has at most 0% of the upstream's code" in ran.text
    assert "0 of them copied" in ran.err


def test_a_folder_with_two_such_classes_takes_the_one_that_local_imports(
    command: Command, folder: Path
) -> None:
    (folder / "2.0" / "pkg" / "other.py").write_text("class Runner:\n    pass\n")
    ran = command("provenance", "--local", "local.py", "--upstream", "2.0::Runner")
    assert "0 tokens of drift" in ran.text
    (folder / "local.py").write_text(LOCAL.replace("pkg.worker.runner", "elsewhere"))
    ran = command("provenance", "--local", "local.py", "--upstream", "2.0::Runner")
    assert ran.code == ExitCode.INPUT
    assert "2 files define a class Runner" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--upstream", "1.0"], ExitCode.USAGE, "no class is named"),
        (["--upstream", "1.0::Gone"], ExitCode.INPUT, "no file defines a class Gone"),
        (["--upstream", "1.0::Runner", "--method", "ran"], ExitCode.INPUT, "no function ran"),
        (
            ["--upstream", "1.0::Runner", "--upstream", "2.0::Runner", "--tags"],
            ExitCode.USAGE,
            "the history of one --upstream",
        ),
    ],
)
def test_what_is_wrong_is_said(
    command: Command, folder: Path, arguments: list[str], code: ExitCode, message: str
) -> None:
    ran = command("provenance", "--local", "local.py", *arguments)
    assert ran.code == code
    assert message in ran.err


def test_a_history_without_the_file_is_an_error(command: Command, repo: Path) -> None:
    ran = command(
        "provenance", "--local", "local.py", "--upstream", "repo@v3:gone.py", "--since", "v1"
    )
    assert ran.code == ExitCode.INPUT
    assert "no version of the file between v1 and v3" in ran.err
