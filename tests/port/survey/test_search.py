from __future__ import annotations

from pathlib import Path

import pytest

from omni_port.base.errors import InputError, UsageError
from omni_port.survey.search import Candidate, find_candidates, index_project

FENCE = "    # ### PATCH START: ours\n    # ### PATCH END: ours\n"


def candidates(root: Path, files: dict[str, str]) -> dict[str, Candidate]:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    index = index_project(root, [], [])
    return {one.path: one for one in find_candidates(index, ["up_lib"])}


def test_classes_of_an_upstream_class_and_of_each_other(tmp_path: Path) -> None:
    found = candidates(
        tmp_path,
        {
            "a.py": "from up_lib.x import (\n    A,  # why\n    B as Base,\n)\n"
            "class Mine(Base):\n    pass\n",
            "b.py": "from a import Mine\nclass Third(mod.Mine, Generic[T]):\n    pass\n",
            "c.py": "import up_lib.y as y\nclass Own(y.C):\n    pass\n",
            "d.py": "from up_lib.x import A\nclass Free(Other):\n    pass\n",
            "e.py": "class Base(Other):\n    pass\n",
        },
    )
    assert {path: set(one.classes) for path, one in found.items()} == {
        "a.py": {"Mine"}, "b.py": {"Third"}, "c.py": {"Own"},
    }  # fmt: skip
    assert not any(one.marked or one.patching for one in found.values())


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (f"def f():\n{FENCE}", True),
        ("# ---- Omni-new ----\n", True),
        ("#  Omni-new -----\n", True),
        ("# GCU modify start\n", True),
        ("# Upstream source: up-lib commit 0123456\n", True),
        ("# Copied from\n# up_lib/x.py\n", True),
        ("# Upstream source: elsewhere\n", False),
        ("x = 1  # Omni-specific\n", False),
        ("'''omni-new things'''\n", False),
        ("# adapted from up_lib/x.py\n", False),
    ],
)
def test_fences_and_notes(tmp_path: Path, text: str, marked: bool) -> None:
    found = candidates(tmp_path, {"a.py": f"from up_lib import A\n{text}"})
    assert [one.marked for one in found.values()] == ([True] if marked else [])


@pytest.mark.parametrize(
    ("text", "patching"),
    [
        ("def run():\n    pass\nA.run = run\n", True),
        ("def run():\n    pass\ndef f():\n    A.b.run = staticmethod(run)\n", True),
        ("A.run = run\n", False),
        ("def run():\n    pass\nself.run = run\n", False),
        ("def run():\n    pass\nA.run = run()\n", False),
    ],
)
def test_functions_in_the_place_of_upstreams(tmp_path: Path, text: str, patching: bool) -> None:
    found = candidates(tmp_path, {"a.py": f"from up_lib import A\n{text}"})
    assert [one.patching for one in found.values()] == ([True] if patching else [])


def test_a_fence_in_a_file_that_imports_nothing_of_it_counts_nothing(tmp_path: Path) -> None:
    assert candidates(tmp_path, {"a.py": f"def f():\n{FENCE}"}) == {}


def test_tests_and_docs_are_left_out_unless_named(tmp_path: Path) -> None:
    text = "from up_lib import A\nclass B(A):\n    pass\n"
    files = {"tests/a.py": text, "docs/b.py": text, "pkg/tests/c.py": text, "pkg/testing.py": text}
    assert list(candidates(tmp_path, files)) == ["pkg/testing.py"]
    named = index_project(tmp_path, [tmp_path / "tests"], [])
    assert sorted(named.data) == ["pkg/testing.py", "tests/a.py"]
    assert [one.path for one in find_candidates(named, ["up_lib"])] == ["tests/a.py"]
    assert list(index_project(tmp_path, [], ["pkg/"]).data) == []


def test_modules_and_packages(tmp_path: Path) -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/sub/__init__.py": "",
        "src/pkg/sub/m.py": "x = 1\n",
    }
    candidates(tmp_path, {**files, "tool.py": ""})
    index = index_project(tmp_path, [], [])
    assert index.packages == {"pkg": "src/"}
    assert index.module("src/pkg/sub/m.py") == "pkg.sub.m"
    assert index.module("src/pkg/sub/__init__.py") == "pkg.sub"
    assert index.module("tool.py") == "tool"
    assert index.read("pkg/sub/m.py") == "x = 1\n"
    assert index.read("pkg/gone.py") is None
    assert index.read("tool.py") == ""


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# \xff\nfrom up_lib import A\nclass B(A):\n    pass\n")
    index = index_project(tmp_path, [], [])
    (one,) = find_candidates(index, ["up_lib"])
    assert one.classes == {"B"}
    assert "class B" in index.text("a.py")


def test_a_path_outside_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    with pytest.raises(UsageError, match="outside of the project"):
        index_project(tmp_path / "root", [tmp_path], [])


def test_a_package_that_is_kept_in_some_folder_is_not_the_projects_own(tmp_path: Path) -> None:
    candidates(tmp_path, {"pkg/__init__.py": "", "third_party/up_lib/__init__.py": ""})
    index = index_project(tmp_path, [], [])
    assert (index.owns("pkg"), index.owns("up_lib"), index.owns("other")) == (True, False, False)


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        index_project(tmp_path, [tmp_path / "gone.py"], [])
