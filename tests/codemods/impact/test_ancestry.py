from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from overridden import ENDS, LOCAL, MIXIN, OLD, ends
from upgrades import compare, kinds, only


def test_nothing() -> None:
    assert compare(LOCAL, ENDS, ENDS).changes == ()


def test_a_class_that_is_gone() -> None:
    found = compare(LOCAL, ENDS, {"up/runner.py": "", "up/mixin.py": MIXIN})
    gone = next(c for c in found.changes if c.kind == "class-gone")
    assert gone.impact is Impact.ARCHITECTURAL
    assert gone.subject == "up.runner.Runner"
    assert [(c.port, c.lines) for c in gone.consumers] == [("Mine", (3,))]
    assert gone.details == ("ours uses capture of Runner",)


def test_a_class_that_moved() -> None:
    found = compare(LOCAL, ENDS, {"up/worker.py": OLD, "up/mixin.py": MIXIN})
    moved = next(c for c in found.changes if c.kind == "class-moved")
    assert moved.impact is Impact.MECHANICAL
    assert moved.message == "defined in up.worker now"
    assert "class-gone" not in kinds(found)


def test_another_class_of_the_same_name_is_not_it() -> None:
    other = "class Runner:\n    def start(self):\n        return 1\n"
    found = compare(LOCAL, ENDS, {"up/v2.py": other, "up/mixin.py": MIXIN})
    gone = next(c for c in found.changes if c.kind == "class-gone")
    assert gone.message == "gone: what up.v2 calls so is something else"


def test_a_class_that_is_reexported_did_not_go() -> None:
    new = {
        "up/runner.py": "from up.worker import Runner\n",
        "up/worker.py": OLD,
        "up/mixin.py": MIXIN,
    }
    change = only(compare(LOCAL, ENDS, new), "class-moved")
    assert change.impact is Impact.MECHANICAL
    assert change.message == "defined in up.worker now, and still to be had from up.runner"


def test_a_base_that_is_gone() -> None:
    change = only(compare(LOCAL, ENDS, ends("class Runner(Mixin)", "class Runner")), "base-removed")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.message == "no longer inherits from Mixin"
    assert change.details == ("ours uses nothing of Mixin by its name",)


def test_what_ours_uses_of_a_base_that_is_gone() -> None:
    local = LOCAL + "\n    def start(self):\n        return self.load()\n"
    found = compare(local, ENDS, ends("class Runner(Mixin)", "class Runner"))
    removed = next(c for c in found.changes if c.kind == "base-removed")
    assert removed.details == ("ours uses load of Mixin",)
    kept = ends(
        "class Runner(Mixin):\n", "class Runner:\n    def load(self):\n        return 1\n\n"
    )
    removed = next(c for c in compare(local, ENDS, kept).changes if c.kind == "base-removed")
    assert removed.details == ("ours uses nothing of Mixin by its name",)


@pytest.mark.parametrize("base", ["ABC", "Generic[T]", "typing.Protocol", "object"])
def test_a_base_that_brings_nothing(base: str) -> None:
    old, new = ends("Runner(Mixin)", f"Runner(Mixin, {base})"), ENDS
    assert compare(LOCAL, old, new).changes == ()
    assert compare(LOCAL, new, old).changes == ()


def test_a_base_that_was_replaced() -> None:
    new = {**ends("Runner(Mixin)", "Runner(Other)"), "up/other.py": "class Other:\n    pass\n"}
    new["up/runner.py"] = "from up.other import Other\n" + new["up/runner.py"]
    found = compare(LOCAL, ENDS, new)
    assert kinds(found) == ["base-added", "base-removed"]
    assert found.changes[0].message == "no longer inherits from Mixin; Other is new"
    assert found.changes[1].impact is Impact.BEHAVIORAL


def test_a_base_behind_another() -> None:
    new = {
        **ends("from up.mixin import Mixin", "from up.between import Between"),
        "up/between.py": "from up.mixin import Mixin\nclass Between(Mixin):\n    pass\n",
    }
    new["up/runner.py"] = new["up/runner.py"].replace("Runner(Mixin)", "Runner(Between)")
    assert kinds(compare(LOCAL, ENDS, new)) == ["base-added", "base-indirect"]


def test_a_base_that_moved_is_the_same() -> None:
    new = {**ends("up.mixin", "up.mixins"), "up/mixins.py": MIXIN}
    del new["up/mixin.py"]
    assert "base-removed" not in kinds(compare(LOCAL, ENDS, new))


ABSTRACT = MIXIN + "\n    @abstractmethod\n    def plan(self):\n        raise NotImplementedError\n"


def test_an_abstract_method_that_nothing_implements() -> None:
    change = only(compare(LOCAL, ENDS, {**ENDS, "up/mixin.py": ABSTRACT}), "abstract-added")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.subject == "up.mixin.Mixin.plan"
    assert str(change.new) == "up/mixin.py:6"


@pytest.mark.parametrize("who", ["upstream", "local"])
def test_an_abstract_method_that_is_implemented(who: str) -> None:
    plan = "\n    def plan(self):\n        return 1\n"
    new = {**ENDS, "up/mixin.py": ABSTRACT}
    if who == "upstream":
        new["up/runner.py"] = OLD + plan
    assert compare(LOCAL + (plan if who == "local" else ""), ENDS, new).changes == ()


def test_what_this_python_cannot_parse_is_not_gone() -> None:
    found = compare(LOCAL, ENDS, {**ENDS, "up/runner.py": OLD + "\nx = = 1\n"})
    change = only(found, "module-unread")
    assert change.message == "this Python cannot parse up/runner.py at the target end"
    assert found.unread == ("up.runner",)
    found = compare(LOCAL, ENDS, {**ENDS, "up/mixin.py": "x = = 1\n"})
    assert (found.changes, found.unread) == ((), ("up.mixin",))
    assert compare(LOCAL, ENDS, ENDS).unread == ()


def test_state_that_the_class_sets_now_did_not_go_with_the_base() -> None:
    init = "    def __init__(self):\n        self.pool = []\n\n"
    old = {**ENDS, "up/mixin.py": MIXIN.replace("    def load", f"{init}    def load")}
    local = LOCAL + "\n    def start(self):\n        return self.pool\n"
    new = ends("class Runner(Mixin):\n", "class Runner:\n")
    (gone,) = (c for c in compare(local, old, new).changes if c.kind == "base-removed")
    assert gone.details == ("ours uses pool of Mixin",)
    kept = ends("class Runner(Mixin):\n", f"class Runner:\n{init}")
    (gone,) = (c for c in compare(local, old, kept).changes if c.kind == "base-removed")
    assert gone.details == ("ours uses nothing of Mixin by its name",)


def test_a_base_that_no_tree_holds() -> None:
    old = ends("from up.mixin import Mixin", "from other import Mixin")
    new = {**old, "up/runner.py": old["up/runner.py"].replace("Runner(Mixin)", "Runner")}
    assert only(compare(LOCAL, old, new), "base-removed").details == ()
