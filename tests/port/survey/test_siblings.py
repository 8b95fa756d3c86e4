from __future__ import annotations

from pathlib import Path

import pytest

from followed import LOCAL, SIBLING
from omni_port.sources.upstream import Upstream, open_upstream
from omni_port.survey.copies import Copies, find_copies
from omni_port.survey.search import Index, find_candidates, index_project
from omni_port.survey.siblings import find_sibling

PLAIN = LOCAL.replace("DownGPURunner, ", "").replace(
    "from down.gpu_runner import DownGPURunner\n", ""
)
OTHER = "class R:\n    def other(self):\n        pass\n"


def look(built: Path, root: Path, files: dict[str, str]) -> tuple[Index, Copies]:
    for name, text in {"down/__init__.py": "", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    index = index_project(root, [], [])
    upstreams = [Upstream(n, "v1", repository=str(built / n)) for n in ("npulib", "gpulib")]
    with (
        open_upstream(upstreams[0], root, "v1") as npulib,
        open_upstream(upstreams[1], root, "v1") as gpulib,
    ):
        trees = [npulib, gpulib]
        candidates = find_candidates(index, [p for tree in trees for p in tree.packages])
        copies = find_copies(index, candidates, trees)
        for path in index.data:  # read while the trees are open
            find_sibling(index, copies, path, "DownNPURunner")
        return index, copies


def test_a_base_class_of_this_project(built: Path, tmp_path: Path) -> None:
    files = {"down/npu_runner.py": LOCAL, "down/gpu_runner.py": SIBLING}
    index, copies = look(built, tmp_path, files)
    found = find_sibling(index, copies, "down/npu_runner.py", "DownNPURunner")
    assert found is not None
    assert (found.path, found.qualname) == ("down/gpu_runner.py", "DownGPURunner")
    assert found.how == "a base class"
    assert found.common == ("execute", "talk")
    assert found.view is not None
    assert (found.view.name, found.cls) == ("gpulib.runner", "GPURunner")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("down/npu_runner.py", "down/gpu_runner.py"),
        ("down/npu/npu_runner.py", "down/worker/gpu_runner.py"),
        ("down/npu/runner.py", "down/runner.py"),
        ("down/npu/npu_runner.py", "down/runner.py"),
    ],
)
def test_the_file_that_it_mirrors(built: Path, tmp_path: Path, mine: str, theirs: str) -> None:
    index, copies = look(built, tmp_path, {mine: PLAIN, theirs: SIBLING})
    found = find_sibling(index, copies, mine, "DownNPURunner")
    assert found is not None
    assert (found.path, found.qualname) == (theirs, "DownGPURunner")


def test_of_two_classes_the_one_with_more_methods_in_common(built: Path, tmp_path: Path) -> None:
    small = "\n\nclass Small:\n    def talk(self, hidden):\n        pass\n"
    files = {"down/npu_runner.py": PLAIN, "down/gpu_runner.py": small.lstrip() + "\n\n" + SIBLING}
    index, copies = look(built, tmp_path, files)
    found = find_sibling(index, copies, "down/npu_runner.py", "DownNPURunner")
    assert found is not None
    assert found.qualname == "DownGPURunner"


@pytest.mark.parametrize(
    "files",
    [
        {"down/npu_runner.py": PLAIN},
        {"down/npu_runner.py": PLAIN, "down/gpu_other.py": SIBLING},
        {"down/npu_runner.py": PLAIN, "down/gpu_runner.py": OTHER},
        {"down/npu_runner.py": PLAIN, "down/gpu_runner.py": PLAIN.replace("DownNPU", "Other")},
    ],
)  # fmt: skip
def test_no_sibling(built: Path, tmp_path: Path, files: dict[str, str]) -> None:
    index, copies = look(built, tmp_path, files)
    assert find_sibling(index, copies, "down/npu_runner.py", "DownNPURunner") is None


def test_a_class_without_an_upstream_mirrors_nothing(built: Path, tmp_path: Path) -> None:
    files = {"down/npu_runner.py": PLAIN.replace("(NPURunner)", ""), "down/gpu_runner.py": SIBLING}
    index, copies = look(built, tmp_path, files)
    assert find_sibling(index, copies, "down/npu_runner.py", "DownNPURunner") is None
