from __future__ import annotations

import pytest

from omni_codemods.sources.modules import Answer, Sources, find_signature, resolve

FOUND, MISSING, UNKNOWN = Answer.FOUND, Answer.MISSING, Answer.UNKNOWN

TREE = {
    "acc/__init__.py": "",
    "acc/runner.py": """
import logging
from typing import TYPE_CHECKING
from acc.context import set_context
from acc.context import hidden as shown  # noqa: F401
from .ops import *
from . import ops
from gpu.base import Base
from elsewhere.library import thing

LIMIT: int = 3
A, (B, *C) = 1, (2, 3)

if TYPE_CHECKING:
    from acc.types import Late
else:
    Late = None

try:
    import fast
except ImportError:
    slow = None

with open("x") as handle:
    inside = 1


class Runner(Base):
    attribute = 1

    def __init__(self, size, *, limit=None):
        self.size = size

    def run(self, batch, **options): ...

    class State:
        value: int


class Plain:
    def go(self): ...


class Child(Plain): ...


def build(a, /, b, *rest, c, d=1): ...


def function():
    local = 1
""",
    "acc/context.py": "def set_context(meta, *, mode=None): ...\nhidden = 1\n",
    "acc/types.py": "class Late: ...\n",
    "acc/ops/__init__.py": "from acc.ops.inner import rotate\n_x = 1\n",
    "acc/ops/inner.py": "def rotate(): ...\n",
    "acc/lazy.py": "def __getattr__(name): ...\n",
    "acc/loop_a.py": "from acc.loop_b import name\n",
    "acc/loop_b.py": "from acc.loop_a import name\n",
    "acc/broken.py": "def (:\n",
    "acc/odd.py": "from elsewhere import *\nclass Odd(make_base()): ...\n",
    "acc/tree_loop.py": "class A(B): ...\nclass B(A): ...\n",
}


@pytest.fixture
def sources() -> Sources:
    return Sources({"acc": TREE.get})


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("acc", FOUND),
        ("acc.runner", FOUND),
        ("acc.runner.LIMIT", FOUND),
        ("acc.runner.A", FOUND),
        ("acc.runner.C", FOUND),
        ("acc.runner.Late", FOUND),
        ("acc.runner.slow", FOUND),
        ("acc.runner.handle", MISSING),
        ("acc.runner.inside", FOUND),
        ("acc.runner.local", MISSING),
        ("acc.runner.gone", MISSING),
        ("acc.gone", MISSING),
        ("acc.gone.name", MISSING),
        # Imported names, and what they were renamed to.
        ("acc.runner.set_context", FOUND),
        ("acc.runner.shown", FOUND),
        ("acc.runner.hidden", MISSING),
        ("acc.runner.thing", FOUND),
        ("acc.runner.thing.member", UNKNOWN),
        ("acc.runner.logging", FOUND),
        # Submodules, star imports.
        ("acc.runner.ops.rotate", FOUND),
        ("acc.runner.rotate", FOUND),
        ("acc.ops.inner.rotate", FOUND),
        # Members of classes, through bases as far as they can be seen.
        ("acc.runner.Runner.run", FOUND),
        ("acc.runner:Runner.run", FOUND),
        ("acc.runner.Runner.attribute", FOUND),
        ("acc.runner.Runner.size", FOUND),
        ("acc.runner.Runner.State.value", FOUND),
        ("acc.runner.Runner.inherited", UNKNOWN),
        ("acc.runner.Child.go", FOUND),
        ("acc.runner.Child.gone", MISSING),
        ("acc.runner.build.attribute", UNKNOWN),
        # What cannot be told.
        ("elsewhere.library.thing", UNKNOWN),
        ("acc.lazy.anything", UNKNOWN),
        ("acc.broken.name", UNKNOWN),
        ("acc.odd.anything", UNKNOWN),
        ("acc.odd.Odd.anything", UNKNOWN),
        ("acc.loop_a.name", UNKNOWN),
        ("acc.tree_loop.A.x", UNKNOWN),
    ],
)
def test_resolve(sources: Sources, name: str, answer: Answer) -> None:
    assert resolve(name, sources) is answer


def test_a_base_in_another_tree_is_followed() -> None:
    gpu = {"gpu/__init__.py": "", "gpu/base.py": "class Base:\n    def inherited(self): ...\n"}
    both = Sources({"acc": TREE.get, "gpu": gpu.get})
    assert resolve("acc.runner.Runner.inherited", both) is FOUND
    assert resolve("acc.runner.Runner.gone", both) is MISSING


def test_signatures(sources: Sources) -> None:
    build = find_signature("acc.runner.build", sources)
    assert build is not None
    assert [name for name in "abcde" if build.accepts(name)] == ["a", "b", "c", "d"]
    runner = find_signature("acc.runner.Runner", sources)
    assert runner is not None
    assert runner.parameters == ("size", "limit")
    run = find_signature("acc.runner.Runner.run", sources)
    assert run is not None
    assert run.accepts("anything")
    assert not run.names("anything")
    through = find_signature("acc.runner.set_context", sources)
    assert through is not None
    assert through.names("mode")


@pytest.mark.parametrize(
    "name", ["acc.runner.LIMIT", "acc.gone", "elsewhere.f", "acc.runner.thing"]
)
def test_no_signature(sources: Sources, name: str) -> None:
    assert find_signature(name, sources) is None


def test_each_module_is_read_once() -> None:
    reads: list[str] = []

    def read(path: str) -> str | None:
        reads.append(path)
        return TREE.get(path)

    sources = Sources({"acc": read})
    for _ in range(3):
        resolve("acc.runner.Runner.run", sources)
    assert len(reads) == len(set(reads))


def test_a_diamond_is_looked_through_in_the_order_of_python() -> None:
    text = """
class A:
    def __init__(self, old): ...
    def run(self, a): ...
class B(A): ...
class C(A):
    def __init__(self, new): ...
class D(B, C): ...
class E(D):
    def run(self, e): ...
class F(D, E): ...
"""
    diamond = Sources({"acc": {"acc/__init__.py": "", "acc/m.py": text}.get})
    found = find_signature("acc.m.D", diamond)
    assert found is not None
    assert found.parameters == ("new",)
    run = find_signature("acc.m.D.run", diamond)
    assert run is not None
    assert run.parameters == ("self", "a")
    assert resolve("acc.m.F.run", diamond) is FOUND
    assert resolve("acc.m.D.gone", diamond) is MISSING
