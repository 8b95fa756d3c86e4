from __future__ import annotations

import ast

from omni_codemods.impact.end import End
from upgrades import sources

FILES = {
    "up/__init__.py": "from up.runner import Runner\n",
    "up/runner.py": """\
        from up.base import Base

        class Runner(Base):
            @wrap
            def run(self):
                return self.step

        class Outer:
            class Inner:
                def run(self):
                    return 2

        def helper():
            return 1
        """,
    "up/base.py": "class Base:\n    def load(self):\n        pass\n",
    "up/stars.py": "from up.runner import *\n",
}


def end() -> End:
    return End(sources(FILES))


def test_what_a_dotted_name_is() -> None:
    found = end().find("up.runner.Runner.run")
    assert found is not None
    assert (found.module, found.qualname, found.dotted) == (
        "up.runner",
        "Runner.run",
        "up.runner.Runner.run",
    )
    assert end().text(found) == "    @wrap\n    def run(self):\n        return self.step\n"
    spot = end().spot(found)
    assert (str(spot), spot.text) == ("up/runner.py:5", "def run(self):")


def test_through_reexports_and_stars() -> None:
    for name in ("up.Runner.run", "up.stars.Runner.run"):
        found = end().find(name)
        assert found is not None
        assert found.dotted == "up.runner.Runner.run"


def test_an_inherited_method_is_its_owners() -> None:
    found = end().find("up.runner.Runner.load")
    assert found is not None
    assert found.dotted == "up.base.Base.load"


def test_functions_and_classes() -> None:
    helper, cls = end().find("up.runner.helper"), end().find("up.runner.Runner")
    assert helper is not None
    assert cls is not None
    assert isinstance(cls.node, ast.ClassDef)


def test_what_stands_in_a_nested_class() -> None:
    inner, run = end().find("up.runner.Outer.Inner"), end().find("up.runner.Outer.Inner.run")
    assert inner is not None
    assert run is not None
    assert (inner.qualname, run.qualname) == ("Outer.Inner", "Outer.Inner.run")
    assert end().text(run) == "        def run(self):\n            return 2\n"


def test_what_is_not_there() -> None:
    for name in ("up.runner.gone", "up.gone.Runner", "other.Runner", "up.runner.Runner.gone", "up"):
        assert end().find(name) is None


def test_where_something_is_defined() -> None:
    found = end().find("up.runner.Runner")
    assert found is not None
    assert end().place("up.runner.Runner", found.node) == found
    assert end().path("up") == "up/__init__.py"
    assert end().source("up.base").startswith("class Base")
