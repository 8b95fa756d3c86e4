from __future__ import annotations

import pytest

from omni_codemods.sources.hierarchy import Hierarchy
from omni_codemods.sources.modules import Answer, Sources

FILES = {
    "p/__init__.py": "",
    "p/a.py": (
        "from q import Far\n\n"
        "class Top:\n    def run(self): ...\n    def stop(self): ...\n\n"
        "class Left(Top):\n    def __init__(self):\n        self.hook = None\n\n"
        "class Right(Top):\n    def run(self): ...\n\n"
        "class Both(Left, Right): ...\n\n"
        "class Near(Far, Top): ...\n\n"
        "class Loop(Loop): ...\n\n"
        "class Any(Top):\n    def __getattr__(self, name): ...\n"
    ),
    "p/b.py": "from p import a\n\nclass Deep(a.Both): ...\n",
}


@pytest.fixture
def hierarchy() -> Hierarchy:
    return Hierarchy(Sources({"p": FILES.get}))


def test_the_order_is_that_of_python(hierarchy: Hierarchy) -> None:
    names = [dotted.rpartition(".")[2] for dotted in hierarchy.order("p.b.Deep")]
    assert names == ["Deep", "Both", "Left", "Right", "Top"]


@pytest.mark.parametrize(
    ("cls", "name", "answer", "owner"),
    [
        ("p.a.Both", "run", Answer.FOUND, "p.a.Right"),
        ("p.b.Deep", "stop", Answer.FOUND, "p.a.Top"),
        ("p.a.Both", "gone", Answer.MISSING, ""),
        ("p.a.Both", "hook", Answer.UNKNOWN, ""),
        ("p.a.Near", "run", Answer.UNKNOWN, ""),
        ("p.a.Any", "gone", Answer.UNKNOWN, ""),
        ("p.a.Loop", "gone", Answer.MISSING, ""),
        ("q.Far", "run", Answer.UNKNOWN, ""),
    ],
)
def test_members(hierarchy: Hierarchy, cls: str, name: str, answer: Answer, owner: str) -> None:
    found = hierarchy.find_member(cls, name)
    assert (found.answer, found.owner) == (answer, owner)


def test_only_what_is_inherited(hierarchy: Hierarchy) -> None:
    assert hierarchy.find_member("p.a.Right", "run", inherited=True).owner == "p.a.Top"
    assert hierarchy.find_member("p.a.Top", "run", inherited=True).answer is Answer.MISSING
