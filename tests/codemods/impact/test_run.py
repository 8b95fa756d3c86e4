from __future__ import annotations

import re
from pathlib import Path

import pytest

import omni_codemods.impact
from omni_codemods.findings.errors import MethodNotFound, SourceError
from omni_codemods.impact.kinds import KINDS
from omni_codemods.impact.local import PortText
from omni_codemods.impact.model import Consumer, Impact, UpstreamChange
from omni_codemods.impact.run import find_impact, merge_changes
from upgrades import compare, only, port, sources

OLD = """\
class Runner:
    def run(self, batch):
        ids = self.gather(batch)
        hidden = self.model(ids, batch.positions)
        return self.head(hidden[batch.last])
"""
LOCAL = OLD.replace("class Runner:", "from up.runner import Runner\n\nclass Mine(Runner):")
NEW = OLD.replace("batch.positions", "self.positions")


def test_a_change_that_two_ports_meet_is_told_once() -> None:
    other = port(LOCAL.replace("Mine", "Other"), "Other", path="mine/other.py")
    found = compare(LOCAL, OLD, NEW, other)
    change = only(found, "copied-body")
    assert change.ports == ("Mine", "Other")
    assert [c.path for c in change.consumers] == ["mine/runner.py", "mine/other.py"]
    assert [copy.port.name for copy in found.copies] == ["Mine", "Other"]


def test_the_worst_comes_first() -> None:
    ones = [UpstreamChange("constant", impact, impact.value, "changed") for impact in Impact]
    assert [one.impact for one in merge_changes(ones)] == list(reversed(Impact))


def test_lines_of_one_consumer_are_put_together() -> None:
    ones = [
        UpstreamChange("layout", Impact.BEHAVIORAL, "x", "m", consumers=(Consumer(*who),))
        for who in (("P", "a.py", "f", (3,)), ("P", "a.py", "f", (1,)), ("Q", "b.py", "g", (2,)))
    ]
    (change,) = merge_changes(ones)
    assert change.consumers == (
        Consumer("P", "a.py", "f", (1, 3)),
        Consumer("Q", "b.py", "g", (2,)),
    )


def test_a_port_with_a_base_of_its_own() -> None:
    other = port(LOCAL.replace("Mine", "Other"), "Other", path="mine/other.py")
    mine = port(LOCAL)
    ends = [sources({"up/runner.py": t, mine.path: LOCAL, other.path: other.text})
            for t in (OLD, NEW)]  # fmt: skip
    found = find_impact([mine, other], {mine.key: ends[0], other.key: ends[1]}, ends[1])
    assert only(found, "copied-body").ports == ("Mine",)


def test_two_ports_of_one_file_with_other_bases() -> None:
    text = LOCAL + "\n\ndef helper(batch):\n    return [len(one) for one in batch]\n"
    mine, helper = port(text), port(text, "helper", "up.tools.helper")
    tools = "def helper(batch):\n    return [len(one) + 1 for one in batch]\n"
    ends = [
        sources({"up/runner.py": t, "up/tools.py": tools.replace(" + 1", more), mine.path: text})
        for t, more in ((OLD, ""), (OLD, " + 1"), (NEW, " + 1"))
    ]
    found = find_impact([mine, helper], {mine.key: ends[0], helper.key: ends[1]}, ends[2])
    assert only(found, "copied-body").subject == "up.runner.Runner.run"
    assert [copy.method for copy in found.copies] == ["Mine.run", "helper"]


def test_each_function_belongs_to_its_port() -> None:
    text = "LIMIT = 1\n" + OLD
    local = (
        "from up.runner import LIMIT, Runner\n\nclass Mine(Runner):\n    limit = LIMIT\n\n"
        "class Other(Runner):\n    def go(self):\n        return LIMIT\n"
    )
    ports = port(local), port(local, "Other")
    change = only(compare(ports[0], text, text.replace("= 1", "= 2"), ports[1]), "constant")
    assert [(c.port, c.method) for c in change.consumers] == [
        ("Mine", "Mine"),
        ("Other", "Other.go"),
    ]


def test_a_method_with_a_port_of_its_own_is_no_copy_of_the_class() -> None:
    mine = port(LOCAL)
    alone = port(LOCAL, "Mine.run", "up.runner.Runner.run")
    (copy,) = compare(mine, OLD, OLD, alone).copies
    assert copy.port == alone


def test_listed_methods_alone_are_copies() -> None:
    assert compare(port(LOCAL, methods=()), OLD, OLD).copies == ()
    head = LOCAL.partition("        ids")[0]
    other = head + "        for one in batch:\n            yield one\n"
    assert compare(other, OLD, OLD).copies == ()
    (copy,) = compare(port(other, methods=("run",)), OLD, OLD).copies
    assert copy.method == "Mine.run"


def test_classes_that_no_upstream_holds() -> None:
    old = "from upper.runner import Base\n\n" + OLD.replace("class Runner:", "class Runner(Base):")
    assert compare(LOCAL, old, old).unseen == ()
    low = old.replace("upper.runner", "up_core.runner").replace("Runner(Base)", "Runner(Base)")
    assert compare(LOCAL, low, low).unseen == ("up_core",)


@pytest.mark.parametrize(
    ("one", "side", "message"),
    [
        (port(LOCAL, "Gone"), "local", "no function Gone"),
        (port(LOCAL, methods=("gone",)), "base", "has no method gone"),
        (port(LOCAL, "Mine.run", "up.runner.Runner.gone"), "base", "no function up.runner.Runner"),
        (port(LOCAL, upstream="up.runner.Runer"), "base", "has no class up.runner.Runer"),
        (port(LOCAL, upstream="up.gone.Runner"), "base", "has no class up.gone.Runner"),
        (port(LOCAL, upstream="up.runner.Runner.run"), "base", "no class up.runner.Runner.run"),
    ],
)
def test_what_is_not_there(one: object, side: str, message: str) -> None:
    with pytest.raises(MethodNotFound, match=re.escape(message)) as raised:
        compare(one, OLD, OLD)  # type: ignore[arg-type]
    assert raised.value.side == side


def test_a_local_file_that_is_not_python() -> None:
    with pytest.raises(SourceError) as raised:
        compare("class Mine(:\n", OLD, OLD)
    assert raised.value.side == "local"


def test_every_kind_is_one_that_is_given() -> None:
    folder = Path(omni_codemods.impact.__file__).parent
    code = "".join(p.read_text() for p in folder.glob("*.py") if p.name != "kinds.py")
    assert {name for name in KINDS if f'"{name}"' not in code} == set()


def test_only_what_local_code_cannot_make_up_for_has_a_reason() -> None:
    assert {kind.name for kind in KINDS.values() if kind.why} == {
        "copied-gone", "class-gone", "base-removed", "abstract-added", "seam-gone",
        "module-unread", "pair-broken", "class-kind", "copied-kind", "seam-kind",
        "patch-gone",
    }  # fmt: skip


def test_who_stands_on_a_line() -> None:
    local = (
        "from up.runner import Runner, LIMIT\n\nFIRST = LIMIT\n\nclass Mine(Runner):\n"
        "    limit = LIMIT\n\n    def go(self):\n        return LIMIT\n\ndef helper():\n"
        "    return LIMIT\n"
    )
    change = only(compare(local, "LIMIT = 1\n" + OLD, "LIMIT = 2\n" + OLD), "constant")
    assert [(c.method, c.lines) for c in change.consumers] == [
        ("", (3,)),
        ("Mine", (6,)),
        ("Mine.go", (9,)),
        ("helper", (12,)),
    ]
    assert change.ports == ("Mine",)


def test_close_names_are_told() -> None:
    with pytest.raises(MethodNotFound) as raised:
        compare(port(LOCAL, upstream="up.runner.Runer"), OLD, OLD)
    assert raised.value.hint == "did you mean Runner?"


@pytest.mark.parametrize("one", [port(LOCAL), port(LOCAL, "Mine.run", "up.runner.Runner.run")])
def test_a_current_end_that_this_python_cannot_parse(one: PortText) -> None:
    found = compare(one, "class Runner(:\n", OLD)
    assert only(found, "module-unread").message.endswith("up/runner.py at the current end")
    assert found.copies == ()
