from __future__ import annotations

from pathlib import Path

import pytest

from followed import LOCAL, RUNNER
from omni_port.sources.upstream import Upstream, open_upstream
from omni_port.survey.copies import Copies, Sign, find_copies
from omni_port.survey.search import find_candidates, index_project

BODY = RUNNER.partition("class NPURunner(GPURunner):\n")[2]
EXECUTE = "    def execute" + BODY.partition("    def execute")[2]
FUNCTION = EXECUTE.replace("\n    ", "\n").removeprefix("    ")


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    folder = tmp_path / "up" / "npulib" / "worker"
    folder.mkdir(parents=True)
    for place in (folder, folder.parent):
        (place / "__init__.py").write_text("")
    (folder / "runner.py").write_text(RUNNER)
    return tmp_path


def survey(root: Path, text: str, *, everything: bool = False) -> Copies:
    down = root / "down"
    down.mkdir(exist_ok=True)
    (down / "local.py").write_text(text)
    index = index_project(down, [], [])
    with open_upstream(Upstream("npulib", "up", "up"), root, "up") as tree:
        candidates = find_candidates(index, tree.packages)
        return find_copies(index, candidates, [tree], everything=everything)


def told(copies: Copies) -> list[tuple[str, str, Sign, bool]]:
    return [(one.local, one.original, one.sign, one.fenced) for one in copies.found]


def test_methods_of_a_class_that_inherits(upstream: Path) -> None:
    copies = survey(upstream, LOCAL.replace("DownGPURunner, ", ""))
    assert told(copies) == [
        ("DownNPURunner.prepare", "NPURunner.prepare", Sign.INHERITS, False),
        ("DownNPURunner.execute", "NPURunner.execute", Sign.INHERITS, True),
    ]
    (one, _) = copies.found
    assert (one.path, one.upstream, one.file) == ("local.py", "npulib", "npulib/worker/runner.py")
    assert copies.unported == []


def test_a_file_without_fences_only_where_everything_is_wanted(upstream: Path) -> None:
    text = f"from npulib.worker.runner import NPURunner\n\nclass Mine(NPURunner):\n{BODY}"
    assert told(survey(upstream, text)) == []
    names = [one.local for one in survey(upstream, text, everything=True).found]
    assert names == ["Mine.prepare", "Mine.execute"]


def test_a_method_under_another_name(upstream: Path) -> None:
    text = LOCAL.replace("DownGPURunner, ", "").replace("def execute(", "def execute_twice(")
    assert ("DownNPURunner.execute_twice", "NPURunner.execute", Sign.INHERITS, True) in told(
        survey(upstream, text)
    )


def test_an_override_of_its_own_is_no_copy(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n# ---- Omni-new ----\n# ---- Omni-new ----\n"
        "class Mine(NPURunner):\n    def execute(self, batch, intermediate=None):\n"
        "        return super().execute(batch, intermediate)\n"
    )
    copies = survey(upstream, text)
    assert (copies.found, copies.unported) == ([], [])


@pytest.mark.parametrize("assigned", ["execute", "staticmethod(execute)"])
def test_a_function_that_replaces_upstreams(upstream: Path, assigned: str) -> None:
    text = (
        f"import npulib.worker.runner as module\n\n\n{FUNCTION}\n\n"
        f"if fits():\n    module.NPURunner.execute = {assigned}\n"
    )
    assert told(survey(upstream, text)) == [
        ("execute", "NPURunner.execute", Sign.PATCHES, False)
    ]  # fmt: skip


def test_a_replacement_that_is_no_copy_is_told(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n\n\n"
        "def execute(self, batch):\n    return 1\n\n\n"
        "NPURunner.execute = execute\n"
    )
    copies = survey(upstream, text)
    assert copies.found == []
    (one,) = copies.unported
    assert (one.line, one.name) == (4, "execute")
    assert "replaces npulib.worker.runner.NPURunner.execute, and has little" in one.why


def test_a_function_may_replace_several(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\nfrom npulib.worker import runner\n"
        f"\n\n{FUNCTION}\n\n"
        "NPURunner.prepare = execute\nrunner.NPURunner.execute = execute\nrunner.gone = execute\n"
    )
    (one,) = survey(upstream, text).found
    assert one.original == "NPURunner.execute"
    assert one.others == ("npulib.worker.runner.NPURunner.prepare", "npulib.worker.runner.gone")


def test_a_replacement_of_what_is_not_there_is_told(upstream: Path) -> None:
    text = f"from npulib.worker import runner\n\n\n{FUNCTION}\n\nrunner.gone = execute\n"
    copies = survey(upstream, text)
    assert copies.found == []
    (one,) = copies.unported
    assert "upstream has no such function there" in one.why


def test_a_nested_replacement_is_told(upstream: Path) -> None:
    nested = "    " + FUNCTION.replace("\n", "\n    ").rstrip() + "\n"
    text = (
        f"from npulib.worker.runner import NPURunner\n\n\ndef install():\n{nested}"
        "    NPURunner.execute = execute\n"
    )
    copies = survey(upstream, text)
    assert copies.found == []
    (one,) = copies.unported
    assert "is defined inside of a function" in one.why


def test_a_note_names_the_source(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n\n\n"
        f"# Upstream source: npulib commit 0123abc, NPURunner.execute.\n{FUNCTION}"
    )
    (one,) = survey(upstream, text).found
    assert (one.local, one.original, one.sign) == ("execute", "NPURunner.execute", Sign.NOTED)
    assert one.note is not None
    assert one.note.revisions == ("0123abc",)


def test_a_path_in_a_note_is_looked_into(upstream: Path) -> None:
    text = f'"""Upstream source: npulib/worker/runner.py"""\n\nimport npulib\n\n\n{FUNCTION}'
    (one,) = survey(upstream, text).found
    assert (one.local, one.sign) == ("execute", Sign.NOTED)


def test_a_note_about_another_project_is_none(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n\n# ### PATCH START: x\n# ### PATCH END: x\n"
        f"# Upstream source: otherlib commit 0123abc, NPURunner.execute.\n{FUNCTION}"
    )
    (one,) = survey(upstream, text).found
    assert (one.sign, one.note) == (Sign.ALIKE, None)


def test_fenced_code_of_no_upstream_function_is_told(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n\n\ndef own(self):\n"
        "    # ### PATCH START: x\n    y = 1\n    # ### PATCH END: x\n    return y\n"
    )
    copies = survey(upstream, text)
    assert copies.found == []
    (one,) = copies.unported
    assert (one.name, one.line) == ("own", 4)
    assert "no upstream function" in one.why


def test_a_noted_function_with_little_of_that_code_is_told(upstream: Path) -> None:
    text = (
        "from npulib.worker.runner import NPURunner\n\n\n"
        "# Upstream source: npulib commit 0123abc, NPURunner.execute.\ndef f():\n    return 1\n"
    )
    (one,) = survey(upstream, text).unported
    assert "is noted to be from NPURunner.execute" in one.why


def test_a_file_that_is_not_python_is_told_and_left_out(upstream: Path) -> None:
    copies = survey(upstream, LOCAL + "\n)\n")
    assert copies.found == []
    (one,) = copies.unported
    assert (one.name, one.why) == ("the file", "is not Python, and was not looked at")
    assert one.line == (LOCAL + "\n)\n").count("\n")


def test_a_class_of_the_project_itself_is_no_upstream(upstream: Path) -> None:
    package = upstream / "down" / "npulib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    assert survey(upstream, LOCAL.replace("DownGPURunner, ", "")).found == []
