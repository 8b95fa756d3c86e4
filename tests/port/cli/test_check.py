from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from checked import ASCEND, HEAD
from commandline import Command
from omni_port.base.errors import ExitCode
from omni_port.cli.schema import load_schema

GOOD = (
    HEAD
    + "class Runner(NPUModelRunner):\n    def go(self):\n        self._build(1, max_across_dp=2)\n"
)
BAD = GOOD.replace("max_across_dp", "across")
BLOCK = "        # ---- Omni-new ----\n        self.feed()\n        # ---- Omni-new ----\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in ASCEND.items():
        file = tmp_path / "ascend" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    return tmp_path


def test_nothing_found_is_zero(command: Command, folder: Path) -> None:
    ran = command("check", "good.py", "--ascend", "ascend")
    assert (ran.code, ran.text) == (ExitCode.DONE, "")
    assert "1 file: nothing found" in ran.err


def test_an_error_is_one(command: Command, folder: Path) -> None:
    ran = command("check", "bad.py", "--ascend", "ascend")
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "bad.py:6:9: error: OP609 NPUModelRunner._build" in ran.text
    assert "1 file: 1 error" in ran.err


def test_without_a_tree_what_needs_one_is_not_checked(command: Command, folder: Path) -> None:
    assert command("check", "bad.py").code == ExitCode.DONE


def test_warnings_alone_do_not_fail(command: Command, folder: Path) -> None:
    (folder / "twice.py").write_text("def f(x):\n    x.go()\n    x.go()\n")
    ran = command("check", "twice.py")
    assert "OP606" in ran.text
    assert ran.code == ExitCode.DONE


def test_a_bad_file_does_not_stop_the_others(command: Command, folder: Path) -> None:
    (folder / "latin.py").write_bytes(b"x = '\xff'\n")
    (folder / "broken.py").write_text("def (:\n")
    ran = command("check", "latin.py", "broken.py", "gone.py", "bad.py", "--ascend", "ascend")
    assert ran.code == ExitCode.INPUT
    assert "broken.py:1:5: error: OP601" in ran.text
    assert "OP609" in ran.text
    assert "latin.py" in ran.err
    assert "gone.py" in ran.err
    assert "2 files failed" in ran.err


def test_a_whole_folder_with_its_old_copies(command: Command, folder: Path) -> None:
    for name, block in (("old", BLOCK), ("new", "")):
        package = folder / name / "inner"
        package.mkdir(parents=True)
        (package / "run.py").write_text(f"class A:\n    def go(self):\n        self.a()\n{block}")
    (folder / "new" / "fresh.py").write_text("x = 1\n")
    ran = command("check", "new", "--old", "old")
    assert ran.code == ExitCode.WOULD_CHANGE
    assert "new/inner/run.py:2:5: error: OP604" in ran.text
    assert ran.err == "no old copy: new/fresh.py\n2 files: 1 error\n"
    assert command("check", "old", "--old", "old").code == ExitCode.DONE


def test_one_old_copy_is_for_one_file(command: Command, folder: Path) -> None:
    ran = command("check", "good.py", "bad.py", "--old", "good.py")
    assert ran.code == ExitCode.USAGE
    ran = command("check", "good.py", "--old", "missing.py")
    assert ran.code == ExitCode.INPUT
    (folder / "broken.py").write_text("def (:\n")
    ran = command("check", "good.py", "--old", "broken.py")
    assert ran.code == ExitCode.INPUT
    assert "broken.py:1:5" in ran.err


def test_the_files_own_package_is_known(command: Command, folder: Path) -> None:
    package = folder / "omni"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "base.py").write_text(HEAD + "class Base(NPUModelRunner):\n    pass\n")
    (package / "runner.py").write_text(
        "from .base import Base\n\n\n"
        "class Runner(Base):\n    def go(self):\n        self._build(1)\n"
    )
    ran = command("check", "omni", "--ascend", "ascend")
    assert "omni/runner.py:6:9: error: OP609" in ran.text
    assert "3 files: 1 error" in ran.err


def test_the_gpu_sibling_of_each_file(command: Command, folder: Path) -> None:
    text = "from omni.out import Out\n\n\nclass Runner:\n    def go(self, x):\n        Out(one=x)\n"
    for name in ("omni", "omni/npu", "omni/gpu"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    (folder / "omni" / "out.py").write_text("class Out: ...\n")
    (folder / "omni" / "npu" / "npu_runner.py").write_text(text)
    (folder / "omni" / "gpu" / "gpu_runner.py").write_text(text.replace("one=", "two="))
    ran = command("check", "omni/npu", "--gpu", "omni/gpu")
    assert ran.code == ExitCode.DONE
    assert "omni/npu/npu_runner.py:6:9: warning: OP613 the sibling passes two=" in ran.text
    ran = command("check", "omni/npu/npu_runner.py", "--gpu", "omni/npu/npu_runner.py")
    assert ran.text == ""


def test_where_an_import_went(command: Command, folder: Path) -> None:
    (folder / "x.py").write_text("from vllm_ascend.ops.rotary import AscendMoERunner\n")
    ran = command("check", "x.py", "--ascend", "ascend/vllm_ascend")
    assert "x.py:1:36: error: OP607 vllm_ascend.ops.rotary has no AscendMoERunner" in ran.text
    assert "hint: AscendMoERunner is defined in vllm_ascend.ops.fused_moe\n" in ran.text


def test_a_tree_without_the_package_is_an_error(command: Command, folder: Path) -> None:
    ran = command("check", "good.py", "--vllm", "ascend")
    assert ran.code == ExitCode.INPUT
    assert "holds no package vllm" in ran.err


def test_json(command: Command, folder: Path) -> None:
    ran = command("check", "bad.py", "gone.py", "--ascend", "ascend", "--format", "json")
    document = json.loads(ran.text)
    jsonschema.validate(document, load_schema("check"))
    assert document["trees"] == [{"package": "vllm_ascend", "address": "ascend", "revision": None}]
    assert document["summary"] == {"files": 2, "failed": 1, "errors": 1, "warnings": 0, "notes": 0}
    assert {f["code"] for f in document["files"][0]["findings"]} == {"OP609"}
    assert document["files"][1]["error"]["exit_code"] == ExitCode.INPUT


def test_github_and_sarif(command: Command, folder: Path) -> None:
    ran = command("check", "bad.py", "--ascend", "ascend", "--format", "github")
    assert ran.text.startswith("::error file=bad.py,title=OP609,line=6,col=9::")
    ran = command("check", "bad.py", "--ascend", "ascend", "--format", "sarif")
    (run,) = json.loads(ran.text)["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"OP609"}
    assert len(run["results"]) == 1
    assert ran.code == ExitCode.WOULD_CHANGE


def test_the_table_of_the_project_and_of_a_target(command: Command, folder: Path) -> None:
    (folder / "gpu.py").write_text("import torch\n\ntorch.cuda.synchronize()\n")
    ran = command("check", "gpu.py", "--target", "vllm-ascend==0.19.1rc1")
    assert "OP603" in ran.text
    assert ran.code == ExitCode.WOULD_CHANGE


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_tree_at_a_revision(command: Command, folder: Path) -> None:
    root = folder / "ascend"
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"], ["tag", "v1"]):
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)
    runner = root / "vllm_ascend" / "worker" / "model_runner_v1.py"
    runner.write_text(runner.read_text().replace("max_across_dp", "across"))
    assert command("check", "good.py", "--ascend", "ascend").code == ExitCode.WOULD_CHANGE
    ran = command("check", "good.py", "--ascend", "ascend@v1:.", "--format", "json")
    assert ran.code == ExitCode.DONE
    assert len(json.loads(ran.text)["trees"][0]["revision"]) == 40
    (folder / "x.py").write_text("from vllm_ascend.ops.rotary import AscendMoERunner\n")
    ran = command("check", "x.py", "--ascend", "ascend@v1:.")
    assert "is defined in vllm_ascend.ops.fused_moe" in ran.text


@pytest.fixture
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for path, text in {
        "up/vllm/__init__.py": "",
        "up/vllm/context.py": "def enter(a):\n    return a\n",
        "mine/__init__.py": "",
        "mine/patch.py": "import vllm.context as c\n\n\ndef wide(a, own=1):\n    return a\n\n\n"
        "c.enter = wide\n",
        "mine/use.py": "import vllm.context as c\n\nc.enter(1, own=2)\nc.leave(1)\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_the_files_of_a_folder_know_each_other_s_patches(command: Command, two_files: Path) -> None:
    ran = command("check", "--vllm", "up", "mine")
    assert re.findall("OP6[0-9]+", ran.text) == ["OP615"]


def test_a_second_check_reads_from_the_cache_and_a_change_is_seen(
    command: Command, two_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = command("check", "--vllm", "up", "mine")
    with monkeypatch.context() as patched:
        patched.setattr("omni_port.methods.check.check_text", None)
        again = command("check", "--vllm", "up", "mine")
    assert (again.code, again.text) == (first.code, first.text)
    (two_files / "up/vllm/context.py").write_text(
        "def enter(a):\n    return a\n\n\nleave = enter\n"
    )
    assert command("check", "--vllm", "up", "mine").code == 0
    (two_files / "mine/use.py").write_text("import vllm.context as c\n\nc.gone\n")
    assert "OP615" in command("check", "--vllm", "up", "mine").text
