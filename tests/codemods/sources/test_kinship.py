from __future__ import annotations

import pytest

from omni_codemods.findings.errors import SourceError
from omni_codemods.sources.kinship import Family, view_module

FILES = {
    "up/__init__.py": "from up.runners import Runner\n",
    "up/runners.py": "from .mixins import Mixin\n\nclass Runner(Mixin):\n    pass\n",
    "up/mixins.py": "class Mixin:\n    class Inner:\n        pass\n",
    "up/small.py": "from up import Runner\n\nclass Small(Runner):\n    pass\n",
    "down/__init__.py": "",
    "down/runner.py": (
        "import up.runners as runners\n"
        "if small():\n    from up.small import Small as Base\n"
        "else:\n    from up import Runner as Base\n"
        "class Mine(Base):\n    pass\n"
        "class Other(Mine, runners.Runner, Generic[T], metaclass=Meta):\n    pass\n"
    ),
}  # fmt: skip


@pytest.fixture
def family() -> Family:
    return Family(FILES.get)


def names(family: Family, dotted: str) -> list[str]:
    return [f"{view.name}.{cls}" for view, cls in family.ancestors(dotted)]


def test_every_import_that_a_base_may_come_from_counts(family: Family) -> None:
    view = family.view("down.runner")
    assert view is not None
    assert view.classes["Mine"] == (("up.small.Small", "up.Runner"),)


def test_ancestors_come_once_and_as_python_looks(family: Family) -> None:
    assert names(family, "down.runner.Other") == [
        "down.runner.Mine", "up.small.Small", "up.runners.Runner", "up.mixins.Mixin",
    ]  # fmt: skip


def test_re_exports_are_followed(family: Family) -> None:
    found = family.split("up.Runner.Deeper")
    assert found is not None
    assert (found[0].path, found[1]) == ("up/runners.py", "Runner.Deeper")


def test_a_name_that_is_defined_nowhere_stays_where_it_is_looked_for(family: Family) -> None:
    found = family.split("up.mixins.gone")
    assert found is not None
    assert (found[0].name, found[1]) == ("up.mixins", "gone")
    assert family.split("elsewhere.Runner") is None


@pytest.mark.parametrize("dotted", ["down.runner.Gone", "elsewhere.Runner", "up.mixins"])
def test_what_is_no_class_has_no_ancestors(family: Family, dotted: str) -> None:
    assert names(family, dotted) == []


def test_a_diamond_comes_as_python_looks() -> None:
    text = "class A: ...\nclass B(A): ...\nclass C(A): ...\nclass D(B, C): ...\n"
    assert names(Family({"m.py": text}.get), "m.D") == ["m.B", "m.C", "m.A"]


def test_a_circle_ends() -> None:
    one = "from b import Y\nclass X(Y):\n    pass\n"
    files = {"a.py": one, "b.py": "from a import X\nclass Y(X):\n    pass\n"}
    assert names(Family(files.get), "a.X") == ["b.Y"]


def test_a_circle_of_imports_ends() -> None:
    files = {"a.py": "from b import X\n", "b.py": "from a import X\n"}
    assert Family(files.get).split("a.X") is None


def test_a_file_that_is_not_python_is_not_there() -> None:
    family = Family({"a.py": "class ("}.get)
    assert family.view("a") is None
    with pytest.raises(SourceError):
        view_module("class (", "a", "a.py", "")


def test_a_module_is_read_once() -> None:
    asked: list[str] = []

    def read(path: str) -> str | None:
        asked.append(path)
        return FILES.get(path)

    family = Family(read)
    for _ in range(3):
        names(family, "down.runner.Mine")
    assert len(asked) == len(set(asked))


def test_relative_imports_start_at_the_package() -> None:
    inside = view_module("from ..x import A\nfrom . import b\n", "p.q.r", "p/q/r.py", "p.q")
    assert inside.imports == {"A": ("p.x.A",), "b": ("p.q.b",)}
    package = view_module("from .x import A\n", "p.q", "p/q/__init__.py", "p.q")
    assert package.imports == {"A": ("p.q.x.A",)}


def test_imports_inside_of_functions_count() -> None:
    text = (
        "def f():\n    try:\n        from up import Runner\n"
        "    except ImportError:\n        import up.x as y\n"
    )
    assert view_module(text, "m", "m.py", "").imports == {"Runner": ("up.Runner",), "y": ("up.x",)}
