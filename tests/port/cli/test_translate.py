from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema
from omni_port.methods import translate_files

GPU = "import torch\n\ntorch.cuda.synchronize()\n"
NPU = "import torch\n\ntorch.npu.synchronize()\n"
PLAIN = "import os\n\nprint(os.sep)\n"
FINDING = "import torch\n\ntorch.cuda.nothing_like_it()\n"
BROKEN = "import torch\ntorch.cuda.synchronize(\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (
        ("gpu", GPU), ("plain", PLAIN), ("finding", FINDING), ("tree/a", GPU), ("tree/b/c", GPU),
        ("tree/plain", PLAIN),
    ):  # fmt: skip
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    paths = sorted(folder.rglob("*.py"))
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def test_the_text_goes_to_stdout(command: Command, files: Path) -> None:
    ran = command("translate", "gpu.py")
    assert (ran.code, ran.text) == (ExitCode.DONE, NPU)
    assert (files / "gpu.py").read_text() == GPU


def test_nothing_to_translate(command: Command, files: Path) -> None:
    ran = command("translate", "plain.py")
    assert (ran.code, ran.text) == (ExitCode.DONE, PLAIN)
    assert "0 names translated, 0 need a person, 0 left on purpose" in ran.err


def test_stderr_says_which_release_and_how_many(command: Command, files: Path) -> None:
    ran = command("translate", "gpu.py")
    first, *_, last = ran.err.rstrip("\n").split("\n")
    assert first.startswith("target: vllm-ascend==")
    assert last == "1 name translated, 0 need a person, 0 left on purpose (1 file, 1 changed)"
    assert "target:" not in command("translate", "gpu.py", "--target", "0.19.1rc1").err


def test_quiet(command: Command, files: Path) -> None:
    assert command("-q", "translate", "finding.py").err == ""


def test_stdin(command: Command) -> None:
    ran = command("translate", "-", stdin=GPU.encode())
    assert (ran.code, ran.text) == (ExitCode.DONE, NPU)


def test_stdin_has_a_name_in_messages(command: Command) -> None:
    ran = command("translate", "-", "--stdin-filename", "x/y.py", stdin=FINDING.encode())
    assert "x/y.py:3:1: warning: OP102" in ran.err
    diff = command("translate", "-", "--stdin-filename", "x/y.py", "--diff", stdin=GPU.encode())
    assert diff.text.startswith("--- a/x/y.py\n+++ b/x/y.py\n")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GPU.replace("\n", "\r\n").encode(),
        GPU.rstrip("\n").encode(),
        b"# coding: latin-1\n# caf\xe9\n" + GPU.encode(),
        b"import torch\n\nif 1:\n\ttorch.cuda.synchronize()  \n\x0c\n\n \n",
        b"import torch\r\n\ntorch.cuda.synchronize()\r\n",
    ],
)
def test_every_other_byte_stays(command: Command, files: Path, data: bytes) -> None:
    (files / "gpu.py").write_bytes(data)
    expected = data.replace(b"cuda", b"npu")
    assert command("translate", "gpu.py").out == expected
    assert command("translate", "-", stdin=data).out == expected
    command("translate", "--in-place", "gpu.py")
    assert (files / "gpu.py").read_bytes() == expected


def test_a_second_run_changes_nothing(command: Command, files: Path) -> None:
    command("translate", "--in-place", ".")
    before = texts(files)
    ran = command("translate", "--in-place", ".")
    assert texts(files) == before
    assert "0 names translated" in ran.err


def test_output(command: Command, files: Path) -> None:
    ran = command("translate", "gpu.py", "-o", "npu.py")
    assert (ran.out, (files / "npu.py").read_text()) == (b"", NPU)
    assert (files / "gpu.py").read_text() == GPU


def test_in_place_touches_only_what_changes(command: Command, files: Path) -> None:
    os.utime(files / "plain.py", (1, 1))
    ran = command("translate", "--in-place", "gpu.py", "plain.py", "tree")
    assert (ran.code, ran.out) == (ExitCode.DONE, b"")
    assert texts(files) == {
        "finding.py": FINDING, "gpu.py": NPU, "plain.py": PLAIN,
        "tree/a.py": NPU, "tree/b/c.py": NPU, "tree/plain.py": PLAIN,
    }  # fmt: skip
    assert (files / "plain.py").stat().st_mtime == 1


def test_diff(command: Command, files: Path) -> None:
    ran = command("translate", "--diff", "tree")
    assert ran.code == ExitCode.DONE
    assert ran.text.count("-torch.cuda.synchronize()\n+torch.npu.synchronize()\n") == 2
    assert ran.text.index("a/tree/a.py") < ran.text.index("a/tree/b/c.py")
    assert texts(files)["tree/a.py"] == GPU


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_diff_applies(command: Command, files: Path) -> None:
    (files / "tree" / "a.py").write_bytes(GPU.replace("\n", "\r\n").rstrip().encode())
    diff = command("translate", "--diff", ".").out
    subprocess.run(["git", "apply", "-"], input=diff, cwd=files, check=True)
    assert command("translate", "--check", ".").code == ExitCode.DONE


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        (("plain.py",), ExitCode.DONE),
        (("finding.py",), ExitCode.DONE),
        (("gpu.py",), ExitCode.WOULD_CHANGE),
        (("plain.py", "tree"), ExitCode.WOULD_CHANGE),
        (("gone.py", "tree"), ExitCode.INPUT),
    ],
)
def test_check(command: Command, files: Path, paths: tuple[str, ...], code: ExitCode) -> None:
    before = texts(files)
    ran = command("translate", "--check", *paths)
    assert (ran.code, ran.out) == (code, b"")
    assert texts(files) == before
    assert command("translate", "--check", "--diff", *paths).code == code


def test_output_dir(command: Command, files: Path) -> None:
    ran = command("translate", "tree", "gpu.py", "--output-dir", "out")
    assert (ran.code, ran.out) == (ExitCode.DONE, b"")
    assert texts(files / "out") == {"a.py": NPU, "b/c.py": NPU, "gpu.py": NPU, "plain.py": PLAIN}
    assert texts(files)["tree/a.py"] == GPU


def test_output_dir_that_cannot_be_made(command: Command, files: Path) -> None:
    ran = command("translate", "gpu.py", "tree", "--output-dir", "plain.py/out")
    assert ran.code == ExitCode.INPUT
    assert "the folder cannot be made" in ran.err


def test_output_dir_never_puts_two_files_in_one(command: Command, files: Path) -> None:
    ran = command("translate", "plain.py", "tree/plain.py", "--output-dir", "out")
    assert ran.code == ExitCode.USAGE
    assert "would both go to" in ran.err
    assert not (files / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("tree",),
        ("gpu.py", "plain.py"),
        ("tree", "-o", "x.py"),
        ("gpu.py", "--in-place", "-o", "x.py"),
        ("gpu.py", "--in-place", "--diff"),
        ("gpu.py", "--check", "--output-dir", "x"),
        ("-", "gpu.py", "--diff"),
        ("-", "--in-place"),
        ("-", "--output-dir", "x"),
        ("gpu.py", "--stdin-filename", "x.py"),
        ("gpu.py", "--dialect", "cuda"),
        ("gpu.py", "--target", "vllm==1.0"),
        ("gpu.py", "--target", "vllm-ascend==nonsense"),
        ("gpu.py", "--table", "gone.toml"),
        ("gpu.py", "--format", "xml"),
        ("gpu.py", "-j", "-1"),
    ],
)
def test_usage(command: Command, files: Path, arguments: tuple[str, ...]) -> None:
    before = texts(files)
    ran = command("translate", *arguments)
    assert (ran.code, ran.out) == (ExitCode.USAGE, b"")
    assert texts(files) == before


def test_one_bad_file_stops_no_other(command: Command, files: Path) -> None:
    (files / "tree" / "aa.py").write_text(BROKEN)
    (files / "tree" / "ab.py").write_bytes(b"x = '\xff'\n")
    ran = command("translate", "--in-place", "tree")
    assert ran.code == ExitCode.INPUT
    assert "tree/aa.py:2" in ran.err
    assert "tree/ab.py:1: error: not utf-8" in ran.err
    assert "2 files failed (5 files, 2 changed)" in ran.err
    assert texts(files / "tree" / "b") == {"c.py": NPU}
    assert (files / "tree" / "aa.py").read_text() == BROKEN


def test_our_own_bug_in_one_file_stops_no_other(
    command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate_bytes = translate_files.translate_bytes

    def fail(data: bytes, *args: object, path: str = "") -> translate_files.Translation:
        if path.endswith("a.py"):
            raise ZeroDivisionError("oops")
        return translate_bytes(data, path=path)

    monkeypatch.setattr(translate_files, "translate_bytes", fail)
    ran = command("translate", "--in-place", "tree")
    assert ran.code == ExitCode.BUG
    assert "ZeroDivisionError: oops" in ran.err
    assert "bug in omni-port" in ran.err
    assert texts(files / "tree")["b/c.py"] == NPU


def test_a_translation_that_is_not_stable_is_our_bug_and_not_written(
    command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import omni_codemods.translate as library
    from omni_codemods.findings.model import TranslateResult

    monkeypatch.setattr(
        library, "translate", lambda text, **_options: TranslateResult(text + "x = 1\n")
    )
    ran = command("translate", "--in-place", "gpu.py")
    assert ran.code == ExitCode.BUG
    assert "a second run would change" in ran.err
    assert (files / "gpu.py").read_text() == GPU


def test_many_processes_give_the_same_in_order(command: Command, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"f{number:02}.py").write_text(GPU if number % 3 else FINDING)
    (tmp_path / "f30.py").write_text(BROKEN)
    one, two = (command("translate", "--diff", "-j", jobs, ".") for jobs in ("1", "2"))
    assert one.out == two.out
    assert one.err == two.err
    assert one.code == two.code == ExitCode.INPUT


def test_findings_are_text_on_stderr(command: Command, files: Path) -> None:
    ran = command("translate", "finding.py")
    assert (ran.code, ran.text) == (ExitCode.DONE, FINDING)
    assert "finding.py:3:1: warning: OP102" in ran.err
    assert "  hint: " in ran.err


@pytest.mark.parametrize("modes", [(), ("--diff",), ("--check",), ("--in-place",)])
def test_json_keeps_to_its_schema(command: Command, files: Path, modes: tuple[str, ...]) -> None:
    (files / "tree" / "broken.py").write_text(BROKEN)
    paths = ("tree", "finding.py") if modes else ("finding.py",)
    ran = command("translate", *modes, "--format", "json", *paths)
    document = json.loads(ran.text)
    jsonschema.validate(document, load_schema("translate"))
    statuses = {file["path"]: file["status"] for file in document["files"]}
    assert statuses["finding.py"] == "unchanged"
    if modes:
        assert statuses["tree/a.py"] == "changed"
        assert statuses["tree/broken.py"] == "failed"
        assert ("diff" in document["files"][0]) is (modes == ("--diff",))
        assert document["summary"]["translated"] == 2
        assert document["statistics"] == {document["files"][0]["changes"][0]["entry"]: 2}


def test_github(command: Command, files: Path) -> None:
    ran = command("translate", "--check", "--format", "github", "finding.py", "gone.py")
    warning, error = ran.text.rstrip("\n").split("\n")
    assert warning.startswith("::warning file=finding.py,title=OP102,line=3,col=1::")
    assert "%0A" in warning
    assert error.startswith("::error file=gone.py::cannot be read")
    assert ran.code == ExitCode.INPUT


def test_sarif(command: Command, files: Path) -> None:
    ran = command("translate", "--check", "--format", "sarif", "finding.py", "gone.py", "plain.py")
    document = json.loads(ran.text)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "OP102"
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "finding.py"
    assert location["region"] == {"startLine": 3, "startColumn": 1}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["OP102"]
    assert not run["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_the_format_never_changes_the_exit_code(command: Command, files: Path, form: str) -> None:
    for paths, code in (
        (("plain.py", "finding.py"), ExitCode.DONE),
        (("tree",), ExitCode.WOULD_CHANGE),
        (("tree", "gone.py"), ExitCode.INPUT),
    ):
        assert command("translate", "--check", "--format", form, *paths).code == code


def test_statistics(command: Command, files: Path) -> None:
    ran = command("translate", "--check", "--statistics", ".")
    assert "3  torch-cuda" in ran.err


def test_verbose_lists_what_was_left_on_purpose(command: Command, files: Path) -> None:
    (files / "kept.py").write_text(GPU.replace("()", "()  # omni-port: keep"))
    assert "OP131" not in command("translate", "kept.py").err
    assert "kept.py:3:" in command("-v", "translate", "kept.py").err


def test_target_picks_the_entries(command: Command, files: Path) -> None:
    text = "from vllm.v1.worker.gpu_worker import Worker\n\n\nclass W(Worker): ...\n"
    (files / "gpu.py").write_text(text)
    new = command("translate", "gpu.py", "--target", "vllm-ascend==0.19.1rc1").text
    old = command("translate", "gpu.py", "--target", "vllm-ascend==0.12.0rc1").text
    assert "vllm_ascend.worker.worker import NPUWorker" in new
    assert "vllm_ascend.worker.worker_v1 import NPUWorker" in old


def test_dialect(command: Command, files: Path) -> None:
    ran = command("translate", "gpu.py", "--dialect", "accelerator")
    assert ran.text == GPU.replace("cuda", "accelerator")


OWN = 'name = "ours"\n[[symbol]]\nid = "x"\ngpu = "ours.gpu.f"\nnpu = "ours.npu.g"\n'
OURS = "from ours.gpu import f\n\nf()\n"


def test_a_table_that_stands_alone(command: Command, files: Path) -> None:
    (files / "own.toml").write_text(OWN)
    (files / "ours.py").write_text(OURS)
    ran = command("translate", "ours.py", "--table", "own.toml")
    assert ran.text == "from ours.npu import g\n\ng()\n"
    assert command("translate", "gpu.py", "--table", "own.toml").text == GPU


def test_a_table_that_extends(command: Command, files: Path) -> None:
    (files / "own.toml").write_text(OWN.replace("\n", "\nextends = true\n", 1))
    (files / "ours.py").write_text(OURS + GPU)
    ran = command("translate", "ours.py", "--table", "own.toml")
    assert "ours.npu" in ran.text
    assert "torch.npu" in ran.text


def test_a_broken_table_says_where(command: Command, files: Path) -> None:
    (files / "own.toml").write_text(OWN.replace('"ours.npu.g"', "3"))
    ran = command("translate", "gpu.py", "--table", "own.toml")
    assert (ran.code, ran.out) == (ExitCode.USAGE, b"")
    assert "own.toml:2" in ran.err
    assert "$.symbol[0].npu" in ran.err


def test_the_configuration_holds_and_the_command_line_wins(command: Command, files: Path) -> None:
    (files / "own.toml").write_text(OWN)
    (files / "ours.py").write_text(OURS)
    (files / "pyproject.toml").write_text('[tool.omni-port]\ntables = ["own.toml"]\n')
    assert "ours.npu" in command("translate", "ours.py").text
    (files / "omni-port.toml").write_text(
        'target = "0.19.1rc1"\ndialect = "accelerator"\nexclude = ["tree/"]\n'
    )
    ran = command("translate", "gpu.py")
    assert "torch.accelerator" in ran.text
    assert "target:" not in ran.err
    assert command("translate", "gpu.py", "--dialect", "npu").text == NPU
    assert "tree" not in command("translate", "--check", ".").err


def test_a_wrong_configuration_names_the_key(command: Command, files: Path) -> None:
    (files / "omni-port.toml").write_text('traget = "x"\n')
    ran = command("translate", "gpu.py")
    assert ran.code == ExitCode.USAGE
    assert "did you mean target" in ran.err


def test_exclude(command: Command, files: Path) -> None:
    err = command("translate", "--check", ".", "--exclude", "tree/b/").err
    assert "tree/a.py" in err
    assert "tree/b/c.py" not in err


def test_colour(command: Command, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"\x1b[" not in command("translate", "--diff", "gpu.py").out
    assert b"\x1b[31m-torch" in command("--color", "always", "translate", "--diff", "gpu.py").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert b"\x1b[31m-torch" in command("translate", "--diff", "gpu.py").out
    gone = ("rebase-method", "--method", "m", "--local", "g", "--base", "g", "--target", "g")
    assert "\x1b[31m" in command(*gone).err
    monkeypatch.setenv("NO_COLOR", "1")
    ran = command("translate", "--diff", "finding.py", "gpu.py")
    assert "\x1b[" not in ran.text + ran.err


def test_an_interrupted_run_leaves_every_file_whole(tmp_path: Path) -> None:
    large = "import torch\n\n" + "torch.cuda.synchronize()\n" * 300
    for number in range(120):
        (tmp_path / f"f{number:03}.py").write_text(large)
    process = subprocess.Popen(
        [sys.executable, "-m", "omni_port", "translate", "--in-place", "-j", "2", "."],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A test run that a shell put in the background hands on that it ignores interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    first = tmp_path / "f000.py"
    deadline = time.monotonic() + 60
    while first.read_text() == large and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED, err
    assert b"Traceback" not in err
    left = {path.read_text() for path in tmp_path.iterdir()}
    assert left == {large, large.replace("cuda", "npu")}


@pytest.mark.parametrize("quiet", [False, True])
def test_with_workers_on_a_terminal(tmp_path: Path, quiet: bool) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}.py").write_text(GPU)
    reader, writer = os.openpty()
    command = [sys.executable, "-W", "error", "-m", "omni_port", *(["-q"] if quiet else [])]
    printed = tmp_path / "diff"
    with (
        printed.open("wb") as stdout,
        subprocess.Popen(
            [*command, "translate", "--diff", "-j", "2", "."],
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"},
            stdout=stdout,
            stderr=writer,
        ) as process,
    ):
        os.close(writer)
        err = _drain(reader)
    out = printed.read_bytes()
    assert process.returncode == ExitCode.DONE, err
    assert out.count(b"+torch.npu.synchronize()") == 60
    assert b"\x1b" not in out
    assert (b"60 files" in err) is not quiet


def _drain(reader: int) -> bytes:
    parts: list[bytes] = []
    try:
        while part := os.read(reader, 4096):
            parts.append(part)
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(reader)
    return b"".join(parts)
