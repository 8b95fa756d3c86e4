from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from followed import CONFIGURATION, FENCE, make_project, make_upstreams
from gitrepos import git
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

PATH = "down/npu/npu_runner.py"
SECOND = """
[[port]]
local = "down/npu/npu_runner.py::Second"
upstream = "npulib:npulib/worker/runner.py::NPURunner"
"""
REBASE = ("rebase-method", "--method", "execute")
SYNC = ("sync-method", "--method", "execute")
RECORD = "self.events.record(batch, kind='forward', at=self.clock())"


@pytest.fixture
def down(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    make_upstreams(tmp_path)
    folder = make_project(tmp_path)
    (folder / "omni-port.toml").write_text(CONFIGURATION)
    monkeypatch.chdir(folder)
    return folder


def add_second(down: Path) -> str:
    """Put a second copy of the runner into the file, and a port for it into the project."""
    path = down / PATH
    text = path.read_text()
    body = text.partition("class DownNPURunner(DownGPURunner, NPURunner):\n")[2]
    path.write_text(f"{text}\n\nclass Second(NPURunner):\n{body}")
    (down / "omni-port.toml").write_text(CONFIGURATION + SECOND)
    return path.read_text()


def test_one_port_gives_the_file_as_with_addresses(command: Command, down: Path) -> None:
    before = (down / PATH).read_text()
    ran = command(*REBASE)
    given = command(
        *REBASE, "--local", f"{PATH}::DownNPURunner",
        "--base", "../npulib@v1:npulib/worker/runner.py::NPURunner",
        "--target", "../npulib@v3:npulib/worker/runner.py::NPURunner",
    )  # fmt: skip
    assert (ran.code, ran.out) == (ExitCode.DONE, given.out)
    assert RECORD in ran.text
    assert FENCE in ran.text
    assert (down / PATH).read_text() == before


def test_in_a_folder_below(command: Command, down: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = command(*REBASE).out
    monkeypatch.chdir(down / "down" / "npu")
    assert command(*REBASE).out == expected
    assert command(*REBASE, "--in-place").code == ExitCode.DONE
    assert (down / PATH).read_bytes() == expected


def test_output_and_report_of_one(command: Command, down: Path) -> None:
    ran = command(*REBASE, "-o", "out.py", "--report", "r.json", "--report", "r.md")
    assert (ran.code, ran.out) == (ExitCode.DONE, b"")
    assert RECORD in (down / "out.py").read_text()
    document = json.loads((down / "r.json").read_text())
    jsonschema.validate(document, load_schema("rebase"))
    assert document["sides"]["base"]["revision"] == git(down.parent / "npulib", "rev-parse", "v1")
    assert document["sides"]["base"]["how"] is None


def test_several_are_diffs_with_a_note(command: Command, down: Path) -> None:
    before = add_second(down)
    ran = command(*REBASE)
    assert ran.code == ExitCode.DONE
    assert ran.text.count("--- a/") == 1
    assert ran.text.count(f"+        {RECORD}") == 2
    assert "these are diffs; --in-place writes the files" in ran.err
    assert f"{PATH}::DownNPURunner\n" in ran.err
    assert f"{PATH}::Second\n" in ran.err
    assert (down / PATH).read_text() == before
    plain = command(*REBASE, "--diff")
    assert plain.out == ran.out
    assert "these are diffs" not in plain.err


def test_several_in_one_file_are_written_together(command: Command, down: Path) -> None:
    add_second(down)
    ran = command(*REBASE, "--in-place")
    assert (ran.code, ran.out) == (ExitCode.DONE, b"")
    text = (down / PATH).read_text()
    assert text.count(RECORD) == 2
    assert text.count(FENCE) == 2
    again = command(*REBASE, "--class", "Second")
    assert again.text == text


def test_a_class_narrows(command: Command, down: Path) -> None:
    add_second(down)
    ran = command(*REBASE, "--class", "Second")
    assert ran.text.count(RECORD) == 1
    assert ran.text.index(RECORD) > ran.text.index("class Second")
    both = command(*REBASE, "--class", "Second", "--class", "DownNPURunner")
    assert both.text.count(f"+        {RECORD}") == 2


def test_the_worst_exit_code_counts(command: Command, down: Path) -> None:
    text = add_second(down)
    head, _, second = text.partition("class Second")
    clash = second.replace("num_tokens=len(ids)", "num_tokens=self.total(ids)")
    (down / PATH).write_text(f"{head}class Second{clash}")
    assert command(*REBASE, "--class", "DownNPURunner").code == ExitCode.DONE
    strict = command(*REBASE, "--policy", "strict")
    assert strict.code == ExitCode.PERSON
    assert "conflict" in strict.err


def test_nothing_is_written_where_one_of_several_fails(command: Command, down: Path) -> None:
    text = add_second(down)
    body = text.rpartition("    def execute(self, batch, intermediate=None):\n")
    text = f"{body[0]}{body[1]}        return super().execute(batch)\n"
    (down / PATH).write_text(text)
    ran = command(*REBASE, "--in-place")
    assert (ran.code, ran.out) == (ExitCode.INPUT, b"")
    assert (down / PATH).read_text() == text


def test_a_base_that_nobody_says_is_found_and_told(command: Command, down: Path) -> None:
    expected = command(*REBASE).out
    (down / "omni-port.toml").write_text(CONFIGURATION.replace('current = "v1"\n', ""))
    ran = command(*REBASE, "--report", "r.json", "--report", "r.md")
    assert ran.out == expected
    assert "base ../npulib@v1:npulib/worker/runner.py::NPURunner: found: v1 leaves" in ran.err
    document = json.loads((down / "r.json").read_text())
    jsonschema.validate(document, load_schema("rebase"))
    assert document["sides"]["base"]["how"].startswith("found: v1 leaves the least difference")
    assert document["sides"]["target"]["how"] is None
    assert "The base was not given: found: v1 leaves" in (down / "r.md").read_text()


def test_addresses_without_a_base(command: Command, down: Path) -> None:
    target = ("--target", "../npulib@v3:npulib/worker/runner.py::NPURunner")
    ran = command(*REBASE, "--local", f"{PATH}::DownNPURunner", *target)
    assert (ran.code, ran.out) == (ExitCode.DONE, command(*REBASE).out)
    assert "found: v1 leaves the least difference" in ran.err
    plain = ("--target", "../npulib/npulib/worker/runner.py::NPURunner")
    ran = command(*REBASE, "--local", f"{PATH}::DownNPURunner", *plain)
    assert ran.code == ExitCode.USAGE
    assert "no --base is given, and the target is a file without a history" in ran.err


GPULIB = """
[upstream.gpulib]
repository = "../gpulib"
current = "v1"
target = "v2"

"""


def gain(down: Path) -> None:
    """Let the GPU sibling gain a call that its upstream does not have."""
    more = 'sibling-upstream = "gpulib:gpulib/runner.py::GPURunner"\n'
    (down / "omni-port.toml").write_text(GPULIB + CONFIGURATION + more)
    path = down / "down" / "gpu_runner.py"
    path.write_text(
        path.read_text().replace(
            "        logits =", "        self.watch(hidden, batch)\n        logits ="
        )
    )


def test_the_sibling_is_synced_unless_it_is_left_out(command: Command, down: Path) -> None:
    gain(down)
    assert "self.watch(hidden, batch)" in command(*REBASE).text
    assert "self.watch(hidden, batch)" not in command(*REBASE, "--no-sync").text


def test_sync_method_takes_its_sides_from_the_project_too(command: Command, down: Path) -> None:
    gain(down)
    ran = command(*SYNC)
    assert ran.code == ExitCode.DONE
    assert "self.watch(hidden, batch)" in ran.text
    assert RECORD not in ran.text
    assert command(*SYNC, "-i").code == ExitCode.DONE
    assert (down / PATH).read_text() == ran.text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*REBASE[:2], "exekute"), "did you mean execute?"),
        ((*REBASE, "--class", "DownNPURuner"), "did you mean DownNPURunner?"),
        ((*REBASE, "--base", "x.py"), "--base needs --local"),
        ((*REBASE, "--target", "x.py"), "--target needs --local"),
        ((*REBASE, "--target-method", "x"), "--target-method needs --local"),
        ((*REBASE, "--gpu-base", "x.py", "--gpu-target", "y.py"), "--gpu-base needs --local"),
        ((*REBASE, "--local", PATH, "--base", "x.py"), "--local needs --target"),
        ((*REBASE, "--local", PATH, "--target", "x.py", "--class", "X"), "not --local"),
        ((*REBASE, "--local", PATH, "--target", "x.py", "--no-sync"), "not --local"),
        ((*REBASE, "--report", "x.txt"), "must end in"),
        ((*SYNC, "--gpu-base", "a.py", "--gpu-target", "b.py"), "needs --local"),
        ((*SYNC, "--local", PATH), "needs --gpu-base"),
        ((*SYNC, "--local", PATH, "--class", "X"), "not --local"),
        (("sync-method", "--method", "gone"), "no port with a GPU sibling has a method"),
    ],
)  # fmt: skip
def test_usage(command: Command, down: Path, arguments: tuple[str, ...], says: str) -> None:
    ran = command(*arguments)
    assert ran.code == ExitCode.USAGE
    assert says in ran.err


@pytest.mark.parametrize("option", [("-o", "x.py"), ("--report", "x.json")])
def test_one_file_for_several_is_refused(
    command: Command, down: Path, option: tuple[str, str]
) -> None:
    add_second(down)
    ran = command(*REBASE, *option)
    assert ran.code == ExitCode.USAGE
    assert "2 ports have execute: DownNPURunner, Second" in ran.err
    assert "choose it with --class" in ran.err
    assert not (down / option[1]).exists()


def test_without_a_project_it_is_said_how_to_get_one(command: Command, tmp_path: Path) -> None:
    ran = command(*REBASE)
    assert ran.code == ExitCode.USAGE
    assert "omni-port init" in ran.err
