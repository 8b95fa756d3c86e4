from __future__ import annotations

from pathlib import Path

import pytest

from cases import Transition
from gitrepos import commit, git, make_repository, needs_git
from upgrade import Measured, render
from upgrade_blocks import Blocks, count_blocks
from upgrade_kill import read_files, reset
from upgrade_scores import isolate
from upgrade_steps import Ran, render_ran, run_command
from upgrade_world import BRANCH, build_patched_world, build_world

TRANSITION = Transition("t", ("1.0", "2.0"), ("1.0rc1", "2.0rc1"))


def hunk(local: str, target: str, base: str = "") -> str:
    return f"<<<<<<< local\n{local}||||||| base\n{base}=======\n{target}>>>>>>> target\n"


BOTH = (
    "class Runner:\n    def one(self):\n"
    + hunk("        a = 1\n", "        a = 2\n")
    + "        return a\n\n    def two(self):\n        b = 0\n"
    + hunk("        b = 1\n", "")
)


def test_the_conflicts_of_one_method_alone() -> None:
    one = isolate(BOTH, "Runner", "one")
    assert hunk("        a = 1\n", "        a = 2\n") in one
    assert one.count("<<<<<<<") == 1
    two = isolate(BOTH, "Runner", "two")
    assert two.endswith("        b = 0\n" + hunk("        b = 1\n", ""))
    assert two.count("<<<<<<<") == 1
    assert "<<<<<<<" not in isolate(BOTH, "Runner", "three")
    assert "<<<<<<<" not in isolate(BOTH, "Other", "one")


def test_a_side_that_does_not_parse_is_not_taken() -> None:
    text = "class Runner:\n    def one(self):\n" + hunk("        if x:\n", "        y = 1\n")
    assert isolate(text, "Runner", "one").count("<<<<<<<") == 1
    broken = text.replace("        y = 1\n", "        (\n")
    with pytest.raises(ValueError, match="does not parse"):
        isolate(broken + "        return )\n", "Runner", "one")


FENCED = """\
def run(x):
    # ---- Omni-new ----
    y = x + 1  # why
    note(
        y,
    )
    # ---- Omni-new ----
    return x
"""


@needs_git
def test_block_lines_that_are_gone_are_named(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "repo")
    commit(repo, {"a.py": FENCED, "b.py": FENCED, "readme.md": "x\n"})
    assert count_blocks(repo) == Blocks(0, 0, 0, 0)
    (repo / "readme.md").write_text("y\n")
    (repo / "a.py").write_text(FENCED.replace("y = x + 1  # why", "y = (x + 1)\n    y = x+1"))
    assert count_blocks(repo) == Blocks(1, 0, 1, 4)
    gone = hunk("    z = 1\n", "") + FENCED.replace("    y = x + 1  # why\n", "")
    (repo / "b.py").write_text(gone)
    found = count_blocks(repo)
    assert found == Blocks(2, 1, 2, 8, ("b.py:3",))
    assert str(found) == (
        "files changed: 2, conflicts in them: 1; blocks: 2, of 8 code lines; "
        "gone of these: 1 (b.py:3)"
    )
    assert str(Blocks(1, 0, 1, 4)).endswith("gone of these: 0")


def unpack(corpus: Path, name: str, files: dict[str, str]) -> None:
    for path, text in files.items():
        (corpus / name / path).parent.mkdir(parents=True, exist_ok=True)
        (corpus / name / path).write_text(text)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    old, new = "vllm_omni/worker/npu", "vllm_omni/platforms/npu/worker"
    imports = "from vllm_omni.worker.npu.base import Base\n"
    unpack(folder, "omni-1.0", {f"{old}/__init__.py": "", f"{old}/runner.py": imports + "X = 1\n"})
    unpack(folder, "omni-1.0", {"vllm_omni/gone.py": ""})
    unpack(
        folder,
        "omni-2.0",
        {f"{new}/__init__.py": "", f"{new}/runner.py": "X = 2\n", f"{new}/new.py": ""},
    )
    for version in ("1.0rc1", "2.0rc1"):
        unpack(folder, f"ascend-{version}", {"vllm_ascend/x.py": version})
    return folder


@needs_git
def test_the_world_is_the_new_release_with_the_old_worker(corpus: Path, tmp_path: Path) -> None:
    world = build_world(corpus, tmp_path / "world", TRANSITION)
    omni = world.downstream
    assert git(omni, "branch", "--show-current") == BRANCH
    assert git(omni, "status", "--porcelain") == ""
    assert git(omni, "tag").split() == ["v1.0", "v2.0"]
    assert git(omni, "ls-tree", "-r", "--name-only", "v2.0").split() == [
        "vllm_omni/platforms/npu/worker/__init__.py",
        "vllm_omni/platforms/npu/worker/new.py",
        "vllm_omni/platforms/npu/worker/runner.py",
    ]
    worker = omni / "vllm_omni" / "platforms" / "npu" / "worker"
    # Moved with its imports mended, as a person would have done.
    moved = "from vllm_omni.platforms.npu.worker.base import Base\nX = 1\n"
    assert (worker / "runner.py").read_text() == moved
    assert not (worker / "new.py").exists()
    assert git(world.ascend, "show", "v1.0rc1:vllm_ascend/x.py") == "1.0rc1"
    assert world.vllm is None
    assert world.init == (
        "--upstream", "ascend=../vllm-ascend@v2.0rc1", "--siblings", "v1.0",
    )  # fmt: skip


@needs_git
def test_vllm_is_there_where_its_sources_are(corpus: Path, tmp_path: Path) -> None:
    for version in ("1.0", "2.0"):
        unpack(corpus, f"vllm-{version}", {"vllm/x.py": version})
    world = build_world(corpus, tmp_path / "world", TRANSITION)
    assert world.vllm is not None
    assert git(world.vllm, "show", "v2.0:vllm/x.py") == "2.0"
    assert "vllm=../vllm@v2.0" in world.init


@needs_git
def test_a_release_that_is_not_there_is_named(corpus: Path, tmp_path: Path) -> None:
    missing = Transition("t", ("1.0", "2.0"), ("1.0rc1", "9.0"))
    with pytest.raises(FileNotFoundError, match=r"ascend-9\.0 is not there: make corpus"):
        build_world(corpus, tmp_path / "world", missing)


@needs_git
def test_a_clone_of_a_project_with_patched_functions(tmp_path: Path) -> None:
    for name in ("ascend-0.25.1rc1", "ascend-0.26.0rc1"):
        unpack(tmp_path / "corpus", name, {"vllm_ascend/x.py": name})
    theirs = make_repository(tmp_path / "plugin")
    head = commit(theirs, {"plugin/x.py": "x = 1\n", "pyproject.toml": "", "large.bin": "0"})
    world = build_patched_world(tmp_path / "corpus", tmp_path / "world", theirs)
    assert git(world.downstream, "rev-parse", "HEAD") == head
    assert git(world.downstream, "status", "--porcelain") == ""
    assert (world.downstream / "plugin" / "x.py").exists()
    assert not (world.downstream / "large.bin").exists()
    clone = f"{world.ascend}@v0.25.1rc1"
    again = build_patched_world(tmp_path / "corpus", tmp_path / "again", theirs, clone)
    assert again.ascend.resolve() == world.ascend.resolve()
    assert again.init == ("--upstream", "ascend=../vllm-ascend@v0.25.1rc1")


def test_commands_are_run_and_told_in_short(tmp_path: Path) -> None:
    ran = run_command(tmp_path, ["--version"])
    assert (ran.code, ran.err, ran.crashed) == (0, "", False)
    assert ran.cpu > 0
    assert render_ran(ran).startswith("$ omni-port --version\n    omni-port ")
    long = Ran(("plan",), 3, 1.25, 0.5, "".join(f"line {n}\n" for n in range(100)), "said\n")
    told = render_ran(long)
    assert "    [85 more lines]\n" in told
    assert told.endswith("    line 99\n    said\nexit code 3, 1.2 s, 0.5 s of processor time\n")
    assert "line 50" in render_ran(long, whole=True)
    assert not long.crashed
    assert Ran(("plan",), 70, 0, 0, "", "Traceback").crashed
    assert Ran(("plan",), -9, 0, 0, "", "").crashed


def test_the_tables() -> None:
    ran = [Ran(("upgrade",), 3, 2.0, 1.5, "", ""), Ran(("upgrade",), 3, 1.0, 0.5, "", "")]
    text = render(Measured("one to two", ran, Blocks(1, 2, 3, 4), {}, stable=True))
    assert "| `omni-port upgrade` | 3 | 2.0 | 1.5 |\n| **all** | | 2.0 | 1.5 |" in text
    assert text.endswith("(exit code 3, 1.0 s) leaves the files as they are.")
    text = render(Measured("one to two", ran, Blocks(1, 2, 3, 4), {}, stable=False))
    assert "CHANGES THE FILES AGAIN" in text


@needs_git
def test_what_an_upgrade_did_is_seen_and_taken_back(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "repo")
    commit(repo, {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    (repo / "omni-port.toml").write_text("x")
    before = read_files(repo)
    assert before == {"omni-port.toml": b"x"}
    (repo / "a.py").write_text("a = 2\n")
    (repo / ".omni-port").mkdir()
    (repo / ".omni-port" / "state.json").write_text("{}")
    assert read_files(repo) == {"a.py": b"a = 2\n", "omni-port.toml": b"x"}
    reset(repo)
    assert read_files(repo) == before
    assert not (repo / ".omni-port").exists()
