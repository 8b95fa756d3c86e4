from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

BASE = (
    "class Up:\n    def run(self, x):\n        y = read(x)\n        z = work(y)\n        return z\n"
)
TARGET = BASE.replace("read(x)", "read(x, strict=True)")
LOCAL = """\
# Ours.
class Omni:
    def run(self, x):
        y = read(x)
        # ---- Omni-new ----
        self.talk(y)
        # ---- Omni-new ----
        z = work(y)
        return z
"""
RESULT = LOCAL.replace("read(x)", "read(x, strict=True)")
CLASH = LOCAL.replace("read(x)", "read(x, quiet=1)").replace("work(y)", "work(y * 3)")
CLASH_TARGET = BASE.replace("work(y)", "work(y + 2)")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("base", BASE), ("target", TARGET), ("local", LOCAL), ("clash", CLASH)):
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "clash_target.py").write_text(CLASH_TARGET)
    return tmp_path


REBASE = ("rebase-method", "--method", "run", "--base", "base.py::Up")
PLAIN = (*REBASE, "--local", "local.py::Omni", "--target", "target.py::Up")
CLASHING = (*REBASE, "--local", "clash.py::Omni", "--target", "clash_target.py::Up")


def test_result_on_stdout_and_summary_on_stderr(command: Command, files: Path) -> None:
    ran = command(*PLAIN)
    assert ran.code == ExitCode.DONE
    assert ran.text == RESULT
    assert "carried" in ran.err
    assert "self.talk(y)" in ran.err
    assert (files / "local.py").read_text() == LOCAL


def test_quiet(command: Command, files: Path) -> None:
    assert command("-q", *PLAIN).err == ""


def test_the_class_may_be_left_out_or_the_method_added(command: Command, files: Path) -> None:
    arguments = [word.replace("::Omni", "").replace("::Up", "::Up.run") for word in PLAIN]
    assert command(*arguments).text == RESULT


def test_output(command: Command, files: Path) -> None:
    ran = command(*PLAIN, "-o", "out.py")
    assert ran.out == b""
    assert (files / "out.py").read_text() == RESULT


def test_in_place(command: Command, files: Path) -> None:
    ran = command(*PLAIN, "--in-place")
    assert ran.out == b""
    assert (files / "local.py").read_text() == RESULT


def test_diff(command: Command, files: Path) -> None:
    ran = command(*PLAIN, "--diff")
    assert "-        y = read(x)\n+        y = read(x, strict=True)\n" in ran.text
    assert (files / "local.py").read_text() == LOCAL


def test_bytes_of_the_local_file_stay(command: Command, files: Path) -> None:
    bom, crlf = b"\xef\xbb\xbf", LOCAL.rstrip("\n").replace("\n", "\r\n").encode()
    (files / "local.py").write_bytes(bom + crlf)
    ran = command(*PLAIN)
    assert ran.out == bom + RESULT.rstrip("\n").replace("\n", "\r\n").encode()


def test_nothing_to_do(command: Command, files: Path) -> None:
    ran = command(*REBASE, "--local", "local.py::Omni", "--target", "base.py::Up", "--in-place")
    assert ran.code == ExitCode.DONE
    assert (files / "local.py").read_text() == LOCAL


def test_a_conflict_exits_3_and_is_printed_all_the_same(command: Command, files: Path) -> None:
    ran = command(*CLASHING)
    assert ran.code == ExitCode.PERSON
    assert re.search(r"^<{7} local \(clash\.py\)$", ran.text, re.MULTILINE)
    assert re.search(r"^\|{7} base \(base\.py\)$", ran.text, re.MULTILINE)
    assert re.search(r"^>{7} target \(clash_target\.py\)$", ran.text, re.MULTILINE)
    line = ran.text.split("\n").index("<<<<<<< local (clash.py)") + 1
    assert f"clash.py:{line}: conflict" in ran.err


def test_a_conflict_is_written_when_asked(command: Command, files: Path) -> None:
    assert command(*CLASHING, "-o", "out.py").code == ExitCode.PERSON
    assert "<<<<<<< local" in (files / "out.py").read_text()


def test_strict_policy_asks_more(command: Command, files: Path) -> None:
    (files / "clash.py").write_text(LOCAL.replace("work(y)", "work(y, speed=1)"))
    (files / "clash_target.py").write_text(BASE.replace("work(y)", "work(y, depth=2)"))
    assert command(*CLASHING).code == ExitCode.DONE
    assert command(*CLASHING, "--policy", "strict").code == ExitCode.PERSON


def test_target_method(command: Command, files: Path) -> None:
    (files / "target.py").write_text(TARGET.replace("def run", "def run_model"))
    lost = command(*PLAIN)
    assert lost.code == ExitCode.INPUT
    assert "--target-method Up.run_model" in lost.err
    for name in ("run_model", "Up.run_model"):
        ran = command(*PLAIN, "--target-method", name, "--report", "r.md")
        assert ran.code == ExitCode.DONE
        assert "read(x, strict=True)" in ran.text
        assert "+    def run_model" in (files / "r.md").read_text()


def test_a_patched_method_is_found_by_its_assignment(command: Command, files: Path) -> None:
    text = LOCAL.partition("class Omni:\n")[2].replace("\n    ", "\n").removeprefix("    ")
    (files / "local.py").write_text(f"from up import Up\n\n\n{text}\n\nUp.run = run\n")
    for name in ("base.py", "target.py"):
        other = "class Other:\n    def run(self):\n        pass\n\n\n"
        (files / name).write_text(other + (files / name).read_text())
    arguments = [word.partition("::")[0] for word in PLAIN]
    ran = command(*arguments, "--report", "r.md")
    assert ran.code == ExitCode.DONE
    assert "y = read(x, strict=True)" in ran.text
    assert "+        y = read(x, strict=True)" in (files / "r.md").read_text()


@pytest.mark.parametrize("arguments", [PLAIN, CLASHING])
def test_the_json_report_keeps_to_its_schema(
    command: Command, files: Path, arguments: list[str]
) -> None:
    ran = command(*arguments, "--report", "report.json")
    report = json.loads((files / "report.json").read_text())
    jsonschema.validate(report, load_schema("rebase"))
    assert report["needs_person"] is (ran.code == ExitCode.PERSON)
    assert sum(report["summary"].values()) == len(report["edits"])
    assert report["sides"]["base"]["path"] == "base.py"
    assert len(report["conflicts"]) == ran.text.count("<<<<<<< ")


def test_both_reports(command: Command, files: Path) -> None:
    command(*CLASHING, "--report", "r.json", "--report", "r.md")
    markdown = (files / "r.md").read_text()
    assert markdown.startswith("# Rebase of `Omni.run`\n")
    assert "## For a person to decide" in markdown
    assert "z = work(y + 2)" in markdown
    assert "self.talk(y)" in markdown


def test_a_report_of_no_known_form(command: Command, files: Path) -> None:
    ran = command(*PLAIN, "--report", "report.txt")
    assert ran.code == ExitCode.USAGE
    assert ran.out == b""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"local.py": "class Omni:\n    def run(self:\n"}, "local.py"),
        ({"base.py": "class Up:\n    def rum(self): ...\n"}, "rum"),
        ({"target.py": "class Up:\n    def rum(self): ...\n"}, "rum"),
        ({"local.py": LOCAL.replace("Omni:", "Other:")}, "Omni"),
        ({"local.py": LOCAL.replace("        # ---- Omni-new ----\n", "", 1)}, "never closed"),
        ({"local.py": "class Omni:\n    def run(self):\n        print(1)\n"}, "not a copy of base"),
        ({"base.py": None}, "cannot be read"),
        ({"base.py": b"x = '\xff'\n"}, "not utf-8"),
    ],
)
def test_what_cannot_be_processed(
    command: Command, files: Path, change: dict[str, str | bytes | None], says: str
) -> None:
    for name, text in change.items():
        if text is None:
            (files / name).unlink()
        else:
            (files / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    before = (files / "local.py").read_bytes()
    ran = command(*PLAIN, "--in-place")
    assert ran.code == ExitCode.INPUT
    assert says in ran.err
    assert "hint:" in ran.err
    assert ran.out == b""
    assert (files / "local.py").read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("rebase-method", "--method", "run"),
        (*PLAIN, "--in-place", "--diff"),
        (*PLAIN, "--in-place", "-o", "x.py"),
        (*PLAIN, "--policy", "guess"),
        (*REBASE, "--local", "a:b.py", "--target", "target.py"),
        (*REBASE, "--local", ".@-x:local.py", "--target", "target.py"),
        (*REBASE, "--local", ".@HEAD:local.py::Omni", "--target", "target.py::Up", "--in-place"),
    ],
)
def test_usage(command: Command, files: Path, arguments: tuple[str, ...]) -> None:
    ran = command(*arguments)
    assert ran.code == ExitCode.USAGE
    assert ran.out == b""
    assert (files / "local.py").read_text() == LOCAL


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_revisions(command: Command, files: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        ran = subprocess.run(
            ["git", *identity, *arguments], cwd=files, check=True, capture_output=True, text=True
        )
        return ran.stdout.strip()

    git("init", "-q")
    git("add", "base.py")
    git("commit", "-q", "-m", "one")
    git("tag", "v1")
    (files / "base.py").write_text(CLASH_TARGET)
    git("commit", "-q", "-a", "-m", "two")
    sha = git("rev-parse", "v1")
    ran = command(
        "rebase-method", "--method", "run", "--local", "clash.py::Omni",
        "--base", "@v1:base.py::Up", "--target", ".@HEAD:base.py::Up", "--report", "r.json",
    )  # fmt: skip
    assert ran.code == ExitCode.PERSON
    assert f"||||||| base (base.py at v1, {sha[:12]})\n" in ran.text
    report = json.loads((files / "r.json").read_text())
    jsonschema.validate(report, load_schema("rebase"))
    assert report["sides"]["base"]["revision"] == sha
    assert report["sides"]["local"]["revision"] is None


def test_a_name_of_the_target_module_is_imported_from_it(command: Command, files: Path) -> None:
    package = files / "up" / "worker"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "run.py").write_text("LIMIT = 3\n\n\n" + TARGET.replace("read(x", "read(x, LIMIT"))
    ran = command(*REBASE, "--local", "local.py::Omni", "--target", "up/worker/run.py::Up")
    assert ran.code == ExitCode.DONE
    assert "from up.worker.run import LIMIT\n" in ran.text
    assert "import added: from up.worker.run import LIMIT" in ran.err
