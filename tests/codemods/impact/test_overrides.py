from __future__ import annotations

import pytest

from omni_codemods.impact.model import Impact
from overridden import CAPTURE, ENDS, LOCAL, OLD, ends
from upgrades import compare, kinds, only, port


def test_nothing() -> None:
    assert compare(LOCAL, ENDS, ENDS).changes == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return len(sizes)", "return sizes"),  # no copy and no override of ours
        ("self.pool.take(size)", "self.pool.reserve(size)"),  # an override has its own body
        ("self, sizes", "self, sizes, more"),  # an inherited method that we do not call
    ],
)
def test_what_touches_no_override(old: str, new: str) -> None:
    assert compare(LOCAL, ENDS, ends(old, new)).changes == ()


@pytest.mark.parametrize(
    ("signature", "impact", "message"),
    [
        ("self, size, graph=None", Impact.MECHANICAL, "graph has a default: None"),
        ("self, size, graph, pool", Impact.BEHAVIORAL, "also wants pool"),
        ("self, graph", Impact.BEHAVIORAL, "no longer takes size"),
    ],
)
def test_the_signature_of_an_overridden_method(
    signature: str, impact: Impact, message: str
) -> None:
    change = only(compare(LOCAL, ENDS, ends("self, size, graph", signature)), "seam-signature")
    assert (change.impact, change.message) == (impact, message)
    assert change.consumers[0].method == "Mine.capture"


def test_the_result_of_an_overridden_method() -> None:
    two = "return self.model(self.buffers[size]), size"
    old = ends("return self.model(self.buffers[size])", two)
    new = ends("return self.model(self.buffers[size])", f"{two}, graph")
    change = only(compare(LOCAL, old, new), "seam-result")
    assert change.message == "returns 3 values (was 2)"


def test_an_overridden_method_that_became_an_attribute() -> None:
    new = OLD.replace(CAPTURE, "    capture = None\n")
    change = only(compare(LOCAL, ENDS, {**ENDS, "up/runner.py": new}), "seam-kind")
    assert change.message == "is an attribute now (was a method)"
    assert change.impact is Impact.BEHAVIORAL
    assert str(change.new) == "up/runner.py:10"


def test_an_overridden_method_becomes_async() -> None:
    found = compare(LOCAL, ENDS, ends("def capture", "async def capture"))
    assert only(found, "seam-async").message == "is async now"


def test_an_overridden_method_that_is_gone() -> None:
    new = OLD.replace(CAPTURE, "").replace("self.capture(size, graph=True)", "self.record(size)")
    change = only(compare(LOCAL, ENDS, {**ENDS, "up/runner.py": new}), "seam-gone")
    assert change.impact is Impact.ARCHITECTURAL
    assert change.subject == "up.runner.Runner.capture"
    assert str(change.old) == "up/runner.py:10"


def test_an_overridden_method_with_a_new_name() -> None:
    new = {**ENDS, "up/runner.py": OLD.replace("capture", "record")}
    change = only(compare(LOCAL, ENDS, new), "seam-renamed")
    assert change.impact is Impact.MECHANICAL
    assert "up.runner.Runner.record now" in change.message


def test_an_override_that_the_upstream_no_longer_calls() -> None:
    change = only(
        compare(LOCAL, ENDS, ends("self.capture(size, graph=True)", "self.replay(size)")),
        "seam-uncalled",
    )
    assert change.impact is Impact.BEHAVIORAL
    assert "Runner.warm_up did" in change.message


def test_an_override_that_the_upstream_never_called() -> None:
    old = ends("self.capture(size, graph=True)", "pass")
    assert compare(LOCAL, old, old).changes == ()


def test_a_copy_is_no_override() -> None:
    local = LOCAL.partition("    def")[0] + CAPTURE
    found = compare(local, ENDS, ends("self, size, graph)", "self, size, graph, pool)"))
    assert kinds(found) == ["copied-signature"]


def test_init_is_ones_own() -> None:
    init = "    def __init__(self, config):\n        self.config = config\n\n    def warm_up"
    local = LOCAL + "\n    def __init__(self):\n        self.mine = 1\n"
    old = ends("    def warm_up", init)
    new = ends("    def warm_up", init.replace("config)", "config, device)", 1))
    assert compare(local, old, new).changes == ()


def test_through_a_local_class() -> None:
    base = port("from up.runner import Runner\n\nclass Base(Runner):\n    pass\n", "Base",
                path="mine/base.py")  # fmt: skip
    local = LOCAL.replace("up.runner import Runner", "mine.base import Base").replace(
        "(Runner)", "(Base)"
    )
    found = compare(local, ENDS, ends("self, size, graph)", "self, size, graph, pool)"), base)
    change = only(found, "seam-signature")
    assert [c.port for c in change.consumers] == ["Mine"]


def test_a_method_over_an_attribute_of_the_upstream_is_no_override() -> None:
    old = {**ENDS, "up/runner.py": OLD.replace(CAPTURE, "    capture = None\n")}
    assert compare(LOCAL, old, ENDS).changes == ()
