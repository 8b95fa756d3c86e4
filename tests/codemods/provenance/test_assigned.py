from __future__ import annotations

import pytest

from omni_codemods.provenance.assigned import NEEDLE, find_patches
from omni_codemods.sources.kinship import view_module

HEAD = (
    "import up.core as core\nfrom up.runner import Runner\nimport up.deep.module\n\n"
    "def run(self):\n    pass\n\n"
)


def found(text: str) -> list[tuple[str, str]]:
    view = view_module(HEAD + text, "down", "down.py", "")
    return [(patch.function, patch.target) for patch in find_patches(view)]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Runner.run = run", "up.runner.Runner.run"),
        ("core.Engine.run = run", "up.core.Engine.run"),
        ("core.run = run", "up.core.run"),
        ("up.deep.module.run = run", "up.deep.module.run"),
        ("Runner.run = staticmethod(run)", "up.runner.Runner.run"),
        ("Runner.run = classmethod(run)  # ours", "up.runner.Runner.run"),
        ("if fits():\n    for x in y:\n        Runner.run = run", "up.runner.Runner.run"),
    ],
)
def test_a_function_in_the_place_of_another(text: str, target: str) -> None:
    assert found(text) == [("run", target)]
    assert NEEDLE.search(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "Runner.run = other",  # no function of the file
        "Local.run = run",  # nothing imported
        "Runner.run = wrap(run)",
        "Runner.run = run()",
        "Runner.size = 3",
        "x = run",
        "Runner.table['run'] = run",
    ],
)
def test_other_assignments_are_none(text: str) -> None:
    assert found(text) == []


def test_a_nested_function_is_said_to_be_one() -> None:
    text = "def install():\n    def walk(self):\n        pass\n    Runner.walk = walk\n"
    view = view_module(HEAD + text, "down", "down.py", "")
    (patch,) = find_patches(view)
    assert (patch.function, patch.nested, patch.line) == ("walk", True, HEAD.count("\n") + 4)


def test_one_function_may_replace_several() -> None:
    assert found("core.A.run = run\ncore.B.run = core.C.run = run\n") == [
        ("run", "up.core.A.run"), ("run", "up.core.B.run"), ("run", "up.core.C.run"),
    ]  # fmt: skip
